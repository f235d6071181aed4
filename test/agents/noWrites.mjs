import { resolve, sep } from 'node:path';
import { watchWrites } from '../watchWrites.mjs';

/*
 * Makes every try to write, make or remove something below a folder fail, in this process, and in those
 * that it starts with `NODE_OPTIONS=--import=<this file>` and the folder in the variable below. The files
 * themselves are the real ones.
 */

const variable = 'KEEPTHREAD_TEST_READ_ONLY';

function isInside(path) {
  const root = process.env[variable];
  if (!root || (typeof path !== 'string' && !(path instanceof URL))) return false;
  const full = resolve(path instanceof URL ? path.pathname : path);
  return full === root || full.startsWith(root + sep);
}

const tried = [];

watchWrites((name, path) => {
  if (!isInside(path)) return;
  tried.push(`${name} ${String(path)}`);
  throw Object.assign(new Error(`${name} of ${String(path)}: this folder is not ours`), {
    code: 'EACCES',
  });
});

/** Runs the body while nothing below the folder may be changed; answers with what was tried all the same. */
export async function withoutWrites(folder, body) {
  const before = { [variable]: process.env[variable], NODE_OPTIONS: process.env.NODE_OPTIONS };
  process.env[variable] = resolve(folder);
  process.env.NODE_OPTIONS = `${before.NODE_OPTIONS ?? ''} --import=${import.meta.url}`.trim();
  tried.length = 0;
  try {
    return { value: await body(), tried: [...tried] };
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
