import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Variables through which agents and Keepthread find a person's own stores. */
const personal =
  /^(CLAUDE|ANTHROPIC|CODEX|OPENAI|GEMINI|QWEN|OPENCODE|KEEPTHREAD|XDG|VSCODE|ELECTRON)_/;

/**
 * The environment of a person who lives in `home` and has nothing else: what runs with it never sees
 * the agent stores of whoever runs it.
 */
export const environmentOf = (
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  mkdirSync(home, { recursive: true });
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !personal.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    APPDATA: path.join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: path.join(home, 'AppData', 'Local'),
    ...extra,
  };
};
