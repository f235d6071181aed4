import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';

const root = path.join(import.meta.dirname, '..');

/** What each folder may import besides itself. */
const layers = {
  core: [],
  vault: ['core', 'agents', 'node'],
  agents: ['core', 'node'],
  changes: ['core', 'node'],
  handoff: ['core', 'vault', 'agents', 'node'],
  library: ['core', 'vault', 'agents', 'changes', 'handoff', 'node'],
  extension: ['core', 'vault', 'agents', 'changes', 'handoff', 'library', 'node', 'vscode'],
  cli: ['core', 'vault', 'agents', 'changes', 'handoff', 'library', 'node'],
} as const;
const folders = Object.keys(layers);

const specifier = (target: string): string => {
  if (target === 'vscode') return 'vscode';
  return target === 'node' ? 'node:fs' : `../${target}/x.js`;
};

/** How a module can be asked for, one line each. */
const ways: Readonly<Record<string, (from: string, name: string) => string>> = {
  import: (from, name) => `import { x as ${name} } from '${from}';`,
  'import type': (from, name) => `import type { X as ${name} } from '${from}';`,
  'export from': (from, name) => `export { x as ${name} } from '${from}';`,
  'import()': (from, name) => `export const ${name} = () => import('${from}');`,
};

suite('layers', function () {
  // The first call reads the types of the whole project.
  this.timeout(600_000);
  const eslint = new ESLint({ cwd: root });
  const linesRefused = async (layer: string, code: string): Promise<ReadonlySet<number>> => {
    // Types are read from the project, so the text takes the place of a file that is there.
    const filePath = path.join(root, 'src', layer, anyFile(layer));
    const [result] = await eslint.lintText(code, { filePath });
    const rules = ['@typescript-eslint/no-restricted-imports', 'no-restricted-syntax'];
    const refused = result?.messages.filter(({ ruleId }) => rules.includes(ruleId ?? ''));
    return new Set(refused?.map(({ line }) => line));
  };

  for (const [layer, allowed] of Object.entries<readonly string[]>(layers)) {
    test(`${layer} reaches ${allowed.join(', ') || 'nothing else'}, however it is written`, async () => {
      const others = [...folders, 'node', 'vscode'].filter((target) => target !== layer);
      const asked = Object.keys(ways).flatMap((way) => others.map((target) => ({ way, target })));
      const code = asked.map(({ way, target }, index) =>
        ways[way]?.(specifier(target), `name${index}`),
      );
      const refused = await linesRefused(layer, `${code.join('\n')}\n`);
      for (const [index, { way, target }] of asked.entries()) {
        const expected = !allowed.includes(target);
        assert.equal(refused.has(index + 1), expected, `${way} of ${target}`);
      }
    });
  }

  test('every folder of src is a layer', () => {
    assert.deepEqual(readdirSync(path.join(root, 'src')).sort(), [...folders].sort());
  });
});

const anyFile = (layer: string): string => {
  const file = readdirSync(path.join(root, 'src', layer), { encoding: 'utf8' }).find(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  if (file === undefined) throw new Error(`${layer} has no file.`);
  return file;
};
