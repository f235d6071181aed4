import { constants, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { KnownValues } from '../../core/redact/knownValues.js';
import { valuesOf, valuesOfVariables } from '../../core/redact/secretFiles.js';
import { homeSecrets, isProjectSecret } from './secretPlaces.js';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 200;
const MAX_FOLDERS = 200;
const MAX_VALUES = 5000;

export interface SecretSources {
  /** Folders of the workspace; files with secrets are looked for in them and two levels down. */
  readonly folders: readonly string[];
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What this machine itself says is secret: the values in files for keys and in variables with secret
 * names. Only hashes of them stay, in memory. Files that cannot be read are passed over: they hold
 * nothing that an agent of this user could have read.
 */
export async function readKnownSecrets(sources: SecretSources): Promise<KnownValues> {
  const files = [...homeSecrets(sources.home), ...configured(sources)];
  for (const folder of sources.folders) files.push(...(await secretFilesIn(folder)));
  const values = new Set(valuesOfVariables(sources.env));
  for (const file of [...new Set(files)].slice(0, MAX_FILES)) {
    for (const value of valuesOf(await readStart(file))) {
      if (values.size < MAX_VALUES) values.add(value);
    }
  }
  return new KnownValues(values);
}

/** Where variables say that such files lie instead. */
function configured({ env }: SecretSources): readonly string[] {
  const named = [
    env['AWS_SHARED_CREDENTIALS_FILE'],
    env['GOOGLE_APPLICATION_CREDENTIALS'],
    env['NPM_CONFIG_USERCONFIG'],
    env['DOCKER_CONFIG'] && path.join(env['DOCKER_CONFIG'], 'config.json'),
    env['GH_CONFIG_DIR'] && path.join(env['GH_CONFIG_DIR'], 'hosts.yml'),
    env['PGPASSFILE'],
    ...(env['KUBECONFIG'] ?? '').split(path.delimiter),
  ];
  return named.flatMap((file) => (file === undefined || file === '' ? [] : [file]));
}

const skipped = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv']);
const DEPTH = 2;

async function secretFilesIn(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [root];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if ((looked += 1) > MAX_FOLDERS) return found;
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        const file = path.join(folder, entry.name);
        if (entry.isFile() && isProjectSecret(entry.name)) found.push(file);
        else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(file);
      }
    }
    level = next;
  }
  return found;
}

/** Empty for what is missing, too large to be such a file, or no file. */
async function readStart(file: string): Promise<string> {
  try {
    // A pipe of that name must not be waited for.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await handle.stat();
      return about.isFile() && about.size <= MAX_FILE_BYTES ? await handle.readFile('utf8') : '';
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
