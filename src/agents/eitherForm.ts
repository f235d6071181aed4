import { open } from 'node:fs/promises';
import { isFields } from './json.js';
import { readJsonl } from './jsonl.js';
import type { Source } from './source.js';
import { readStateFile } from './stateFile.js';

/**
 * Reads conversations that are logs of JSON lines (`.jsonl`), or one object with its items in the
 * member `list`; a copy under another name is told by how it begins. One that moves from one form to
 * the other begins anew.
 */
export const readEitherForm =
  (list: string): Source['read'] =>
  async ({ path }, cursor, signal) => {
    if (!(await isLog(path))) return readStateFile(list, path, cursor, signal);
    if (cursor === undefined || cursor.records === 0 || 'marks' in cursor.state) {
      return readJsonl(path, cursor, signal);
    }
    const read = await readJsonl(path, undefined, signal);
    const generation = cursor.generation + 1;
    return { ...read, restarted: { reused: 0 }, cursor: { ...read.cursor, generation } };
  };

const headBytes = 64 * 1024;

async function isLog(path: string): Promise<boolean> {
  if (path.endsWith('.jsonl')) return true;
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const [first = '', second = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return isObject(first) && second.startsWith('{');
  } finally {
    await file.close();
  }
}

function isObject(line: string): boolean {
  try {
    return isFields(JSON.parse(line));
  } catch {
    return false;
  }
}
