import type * as vscode from 'vscode';
import { newSigningKey } from '../../handoff/signing.js';

const NAME = 'keepthread.signingKey';

/** This user's key, made when it is first needed, kept where VS Code keeps secrets. Raw, in base64. */
export async function signingKey(secrets: vscode.SecretStorage): Promise<string> {
  const kept = await secrets.get(NAME);
  if (kept !== undefined) return kept;
  const made = newSigningKey();
  await secrets.store(NAME, made);
  return made;
}
