import * as vscode from 'vscode';
import { z } from 'zod';
import type { ThreadPart } from '../../core/engine.js';

const schema = z.object({
  threadId: z.string(),
  leaf: z.string().optional(),
  place: z.object({ turn: z.number(), part: z.number() }),
  /** Which of a call's files, and which side of the comparison. */
  file: z.number().optional(),
  side: z.enum(['before', 'after']).optional(),
});

export type PartAddress = ThreadPart & z.infer<typeof schema>;

/** The address of something that belongs to one part of a thread. The path's last step is the name that is shown. */
export const partUri = (scheme: string, address: PartAddress, name: string): vscode.Uri =>
  vscode.Uri.from({
    scheme,
    path: `/${Buffer.from(JSON.stringify(address)).toString('base64url')}/${name}`,
  });

/** @throws FileSystemError when the address is none of ours */
export function addressOf(uri: vscode.Uri): PartAddress {
  const [, code = ''] = uri.path.split('/');
  try {
    return schema.parse(JSON.parse(Buffer.from(code, 'base64url').toString('utf8')));
  } catch {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
}
