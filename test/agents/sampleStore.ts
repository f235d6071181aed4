import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FindResult, Source } from '../../src/agents/source.js';
import { writeDatabase } from '../../src/agents/sqlite/testDatabase.js';
import { subagentFolder, type SubagentSample } from './subagentSamples.js';

/** What a source finds in a sample's store, which is made for it and removed. */
export async function findIn(sample: SubagentSample, source: Source): Promise<FindResult> {
  const userHome = await mkdtemp(join(tmpdir(), 'sample-'));
  const place = async (path: string): Promise<string> => {
    const file = join(userHome, path);
    await mkdir(dirname(file), { recursive: true });
    return file;
  };
  try {
    for (const [path, text] of Object.entries(sample.files ?? {})) {
      await writeFile(await place(path), text);
    }
    for (const [path, script] of Object.entries(sample.databases ?? {})) {
      await writeDatabase(await place(path), script);
    }
    return await source.find({ folders: [subagentFolder, userHome], homes: [], env: {}, userHome });
  } finally {
    await rm(userHome, { recursive: true });
  }
}
