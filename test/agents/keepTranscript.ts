import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const longest = 80;
const mostItems = 4;
/** Lists that hold the conversation. */
const whole = new Set(['messages', 'history']);

/**
 * Keeps a transcript of the real program as a fixture (`<agent>/<file>`). The machine's folder becomes `/home/user`, and
 * long texts and lists are cut: they are the vendor's (prompts, tool descriptions), and nothing reads them.
 */
export async function keepTranscript(path: string, base: string, name: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const lines = name.endsWith('.json') ? [text] : text.trimEnd().split('\n');
  const kept = lines.map((line) => JSON.stringify(shortened(JSON.parse(line), base)));
  const fixture = new URL(`../fixtures/${name}`, import.meta.url);
  await writeFile(fileURLToPath(fixture), `${kept.join('\n')}\n`);
}

function shortened(value: unknown, base: string, name?: string): unknown {
  if (typeof value === 'string') {
    const text = value.replaceAll(base, '/home/user').replace(/Linux [\w.-]+/g, 'Linux');
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  }
  if (Array.isArray(value)) {
    const kept = whole.has(name ?? '') ? value : value.slice(0, mostItems);
    return kept.map((item) => shortened(item, base));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 40)
      .map(([key, item]) => [key, shortened(item, base, key)]),
  );
}
