import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

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

function wrap(owner, name, check) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = function guarded(...args) {
    check(args);
    return original.apply(this, args);
  };
}

/**
 * From now on tells each path that this process is about to write, make or remove, by the function's name; what
 * `onWrite` throws, the caller gets, and nothing is done. The files themselves are the real ones.
 */
export function watchWrites(onWrite) {
  for (const [owner, suffixes] of [
    [fs, ['', 'Sync']],
    [fs.promises, ['']],
  ]) {
    for (const suffix of suffixes) {
      wrap(owner, `open${suffix}`, ([path, flags]) => {
        if (typeof flags !== 'function' && writes(flags)) onWrite('open', path);
      });
      for (const name of changing.one) wrap(owner, name + suffix, ([path]) => onWrite(name, path));
      for (const name of changing.two) {
        wrap(owner, name + suffix, ([from, to]) => {
          onWrite(name, to);
          onWrite(name, from);
        });
      }
    }
  }
  syncBuiltinESMExports();
}
