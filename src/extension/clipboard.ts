import * as vscode from 'vscode';
import type { Sessions } from './sessions.js';

/** Puts text into the clipboard, without secrets: nobody sees what is pasted where. The only way into it. */
export async function copyText(sessions: Sessions, text: string): Promise<void> {
  const engine = await sessions.engine();
  await vscode.env.clipboard.writeText(await engine.maskText(text));
}
