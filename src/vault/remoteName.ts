/**
 * What a git remote is called, whatever way leads to it: host and path in lower case, without user,
 * port and `.git`, so that a clone over SSH is the same as one over HTTPS. Undefined for a path on this
 * machine, which says where a clone was made from and not what it is.
 */
export function remoteName(remote: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]{0,20}:\/\/(?:[^/@]*@)?([^/:]*)(?::\d*)?\/(.*)$/i.exec(remote);
  const [, host, path] = url ?? /^(?:[^/@]*@)?([^/:]{2,}):(?!\\)(.*)$/.exec(remote) ?? [];
  if (!host || path === undefined) return undefined;
  const trimmed = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '');
  return `${host}/${trimmed}`.toLowerCase();
}
