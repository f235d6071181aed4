import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

/*
 * Makes every try to write, make or remove something below a folder fail, in this process, and in those
 * that it starts with `NODE_OPTIONS=--import=<this file>` and the folder in the variable below. The files
 * themselves are the real ones.
 */

const variable = 'KEEPTHREAD_TEST_READ_ONLY';
const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;

/** Functions whose first argument, or first two, are paths that they change. */
const changing = {
  one: [
    ...['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'rm', 'rmdir', 'unlink', 'truncate'],
    ...['utimes', 'lutimes', 'chmod', 'lchmod', 'chown', 'lchown', 'createWriteStream'],
  ],
  two: ['rename', 'link', 'symlink', 'copyFile', 'cp'],
};

const writes = (flags = 'r') =>
  typeof flags === 'number'
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) !== 0
    : !/^(r|rs|sr)$/.test(flags);

function isInside(path) {
  const root = process.env[variable];
  if (!root || (typeof path !== 'string' && !(path instanceof URL))) return false;
  const full = resolve(path instanceof URL ? path.pathname : path);
  return full === root || full.startsWith(root + sep);
}

const tried = [];

function refuse(name, path) {
  tried.push(`${name} ${String(path)}`);
  throw Object.assign(new Error(`${name} of ${String(path)}: this folder is not ours`), {
    code: 'EACCES',
  });
}

function wrap(owner, name, check) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = function guarded(...args) {
    check(args);
    return original.apply(this, args);
  };
}

for (const [owner, suffixes] of [
  [fs, ['', 'Sync']],
  [fs.promises, ['']],
]) {
  for (const suffix of suffixes) {
    wrap(owner, `open${suffix}`, ([path, flags]) => {
      if (isInside(path) && typeof flags !== 'function' && writes(flags)) refuse('open', path);
    });
    for (const name of changing.one) {
      wrap(owner, name + suffix, ([path]) => isInside(path) && refuse(name, path));
    }
    for (const name of changing.two) {
      wrap(owner, name + suffix, ([from, to]) => {
        if (isInside(from) || isInside(to)) refuse(name, isInside(to) ? to : from);
      });
    }
  }
}
syncBuiltinESMExports();

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
