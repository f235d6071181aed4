import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/*
 * Lets every socket of this process fail, and of those that it starts with `NODE_OPTIONS=--import=<this file>`: nothing of
 * Keepthread opens one unless somebody asked for it. Tries are noted in the file that the variable names, if it does.
 */

const notes = process.env.KEEPTHREAD_TEST_SOCKETS;

function refuse(what) {
  if (notes) appendFileSync(notes, `${what}\n`);
  throw new Error(`A socket: ${what}`);
}

/** A path names a pipe, which leads to no other machine. */
function isPipe(given) {
  const first = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (typeof first === 'object' && first !== null) return first.path !== undefined;
  return typeof first === 'string' && !/^\d+$/.test(first);
}

function wrap(owner, name, isAllowed = () => false) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = function guarded(...args) {
    if (!isAllowed(args)) refuse(`${name} ${JSON.stringify(args[0]) ?? ''}`);
    return original.apply(this, args);
  };
}

wrap(net.Socket.prototype, 'connect', isPipe);
wrap(net.Server.prototype, 'listen', isPipe);
for (const name of ['bind', 'connect', 'send']) wrap(dgram.Socket.prototype, name);
for (const owner of [dns, dns.promises]) {
  for (const name of ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'reverse']) {
    wrap(owner, name);
  }
}
syncBuiltinESMExports();
