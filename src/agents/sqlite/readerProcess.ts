import { readFile } from 'node:fs/promises';
import type { SqlJsStatic } from 'sql.js';
import { isExpected, messageOf } from '../../core/errors.js';
import { Answerer } from './answerer.js';
import type { FromReader, ToReader } from './messages.js';
import { wasmPath } from './wasm.js';

/**
 * The process that reads other programs' databases, started by `reader.ts`: a hostile or damaged file
 * can hang or exhaust it, and nothing else.
 */

let loading: Promise<SqlJsStatic> | undefined;
const sql = (): Promise<SqlJsStatic> => (loading ??= loadSql());
const answerer = new Answerer();

async function loadSql(): Promise<SqlJsStatic> {
  const { default: initSqlJs } = await import('sql.js');
  return initSqlJs({ wasmBinary: Uint8Array.from(await readFile(wasmPath())).buffer });
}

const send = (message: FromReader): void => void process.send?.(message);

async function reply({ question, wholeBytes, patienceMs }: ToReader): Promise<void> {
  const onLoaded = (): void => send({ kind: 'loaded' });
  try {
    const answer = await answerer.answer(question, { sql, wholeBytes, patienceMs, onLoaded });
    send({ kind: 'answer', answer });
  } catch (error) {
    const { reason, template, args, next } = isExpected(error)
      ? error
      : { reason: 'unreadable', template: '{0}: {1}', args: [question.path, messageOf(error)] };
    send({ kind: 'failed', reason, template, args, next });
  }
}

process.on('message', (message) => void reply(message as ToReader));
process.on('disconnect', () => process.exit());
