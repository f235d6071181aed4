// Writes THIRD_PARTY_NOTICES.md: the licences of what the bundles hold. Usage: npm run notices
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundles } from './bundles.mjs';

const root = path.join(import.meta.dirname, '..');
export const noticesFile = path.join(root, 'THIRD_PARTY_NOTICES.md');

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
}

/** The text of the notices, from what esbuild says it bundled. */
export const makeNotices = async (): Promise<string> => {
  const names = await bundledPackages();
  const sections = names.map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const manifest = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    ) as Manifest;
    const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${name} has no licence file.`);
    const text = readFileSync(path.join(folder, license), 'utf8').replaceAll('\r\n', '\n').trim();
    const block = text.replace(/^/gm, '    ').replace(/[ \t]+$/gm, '');
    return `## ${name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${block}\n`;
  });
  return [
    '# Third-party notices',
    'Keepthread holds code of these packages. `sql-wasm.wasm` is a part of sql.js; the SQLite in it is in the public domain.',
    ...sections,
  ].join('\n\n');
};

const bundledPackages = async (): Promise<readonly string[]> => {
  const names = new Set(['sql.js']);
  for (const bundle of bundles) {
    const { metafile } = await build({
      ...bundle,
      ...{ absWorkingDir: root, outdir: 'dist', write: false, metafile: true },
    });
    for (const input of Object.keys(metafile.inputs)) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].sort();
};

if (process.argv[1] === import.meta.filename) writeFileSync(noticesFile, await makeNotices());
