/*
 * Names of files in a session that somebody else made. A name that is refused here is never joined to a
 * folder of this machine.
 */

const longest = 4096;

/**
 * Whether a path below a repository can be written to on every system and stays below it, outside of git's
 * own folder. What one system takes for a part of a name (`\`, `:`) leads elsewhere on another one.
 */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > longest) return false;
  return path.split('/').every(isSafeName);
}

function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.length > 255) return false;
  // Control characters, and what Windows takes for a drive, a stream or a separator.
  if (/[\p{Cc}\\:]/u.test(name)) return false;
  // Windows drops these at the end, so `.git.` would be `.git`.
  if (/[. ]$/.test(name)) return false;
  if (deviceName.test(name)) return false;
  return !isGitFolder(name);
}

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ ]*\..*)?$/i;

/** Also as the file systems of Windows (short names) and macOS (characters that do not count) take it. */
function isGitFolder(name: string): boolean {
  const plain = name
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  return plain === '.git' || /^git~[0-9]+$/.test(plain);
}

const sensitiveFolders = new Set([
  '.vscode',
  '.idea',
  '.devcontainer',
  '.husky',
  '.githooks',
  '.circleci',
  '.claude',
  '.codex',
  '.continue',
  '.cursor',
  '.gemini',
  '.qwen',
  '.opencode',
  '.ssh',
]);
const sensitiveNames =
  /^(?:\.env(?:rc|\..*)?|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|\.netrc|\.mcp\.json|opencode\.jsonc?|\.git(?:attributes|config|modules)|\.gitlab-ci\.ya?ml|\.pre-commit-config\.ya?ml|lefthook\.ya?ml|\.(?:bash|zsh)(?:rc|_profile|_login|_logout|env)|\.z(?:profile|login|logout)|\.profile|.*\.code-workspace)$/;

/** Whether programs take what is in a file for commands or settings without being asked to run it. */
export function isSensitive(path: string): boolean {
  const names = path.toLowerCase().split('/');
  const file = names.at(-1) ?? '';
  return (
    names.slice(0, -1).some((name) => sensitiveFolders.has(name)) ||
    /(?:^|\/)\.github\/(?:workflows|actions)\//.test(path.toLowerCase()) ||
    sensitiveNames.test(file)
  );
}

/** Equal for names that a file system may take for one: case and Unicode form do not count there. */
export const foldedPath = (path: string): string =>
  path.normalize('NFC').toLowerCase().normalize('NFC');
