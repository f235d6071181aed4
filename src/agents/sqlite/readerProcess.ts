import { readFile } from 'node:fs/promises';
import type { Database, SqlJsStatic } from 'sql.js';
import { isExpected, messageOf } from '../../core/errors.js';
import { answer, openForeign } from './answer.js';
import { readImage, stampOf } from './image.js';
import type { FromReader, ToReader } from './messages.js';
import type { Question } from './question.js';
import { wasmPath } from './wasm.js';

/**
 * The process that reads other programs' databases, started by `reader.ts`: a hostile or damaged file
 * can hang or exhaust it, and nothing else. It keeps the last database open, since a look at a store is
 * several questions.
 */

let loading: Promise<SqlJsStatic> | undefined;
let open:
  | {
      readonly path: string;
      readonly stamp: string;
      readonly at: number;
      readonly database: Database;
    }
  | undefined;

async function loadSql(): Promise<SqlJsStatic> {
  const { default: initSqlJs } = await import('sql.js');
  return initSqlJs({ wasmBinary: Uint8Array.from(await readFile(wasmPath())).buffer });
}

async function databaseOf({ path, maxAgeMs = 0 }: Question) {
  if (open?.path === path) {
    const isRecent = Date.now() - open.at < maxAgeMs;
    if (isRecent || open.stamp === (await stampOf(path))) return open;
  }
  open?.database.close();
  open = undefined;
  const sql = await (loading ??= loadSql());
  const { bytes, stamp } = await readImage(path);
  open = { path, stamp, at: Date.now(), database: openForeign(sql, path, bytes) };
  return open;
}

const send = (message: FromReader): void => void process.send?.(message);

async function reply({ question }: ToReader): Promise<void> {
  try {
    const { database, stamp } = await databaseOf(question);
    send({ kind: 'loaded' });
    send({ kind: 'answer', answer: { ...answer(database, question), stamp } });
  } catch (error) {
    const { reason, template, args, next } = isExpected(error)
      ? error
      : { reason: 'unreadable', template: '{0}: {1}', args: [question.path, messageOf(error)] };
    send({ kind: 'failed', reason, template, args, next });
  }
}

process.on('message', (message) => void reply(message as ToReader));
process.on('disconnect', () => process.exit());
