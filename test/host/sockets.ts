import net from 'node:net';

const tried: string[] = [];

/** A path names a pipe, which leads to no other machine. */
const isPipe = (first: unknown): boolean =>
  Array.isArray(first)
    ? isPipe(first[0])
    : typeof first === 'object' && first !== null
      ? 'path' in first && first.path !== undefined
      : typeof first === 'string' && !/^\d+$/.test(first);

/**
 * Notes each socket that code of the extension opens in this extension host from now on. VS Code's own and other
 * extensions' sockets are none of ours: the stack tells.
 */
export function watchSockets(): void {
  for (const [owner, name] of [
    [net.Socket.prototype, 'connect'],
    [net.Server.prototype, 'listen'],
  ] as const) {
    const original: unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
      const { stack = '' } = new Error();
      if (!isPipe(args[0]) && isOurs(stack)) tried.push(`${name} ${stack}`);
      return Reflect.apply(original as (...all: unknown[]) => unknown, this, args);
    });
  }
}

/** The bundle of the extension, as it is installed for the tests. */
const isOurs = (stack: string): boolean => /[/\\]extension[/\\]dist[/\\]/.test(stack);

export const triedSockets = (): readonly string[] => tried;
