import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FindResult, Source } from '../../src/agents/source.js';

export interface StoreHome {
  /** The user's home in this test. */
  readonly at: (path: string) => string;
  /** Writes a file below it; returns its path. */
  readonly put: (path: string, content: string | Buffer) => Promise<string>;
  readonly source: () => Source;
  readonly find: (
    folders: readonly string[],
    more?: {
      readonly homes?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    },
  ) => Promise<FindResult>;
}

/** A home folder and a new source for each test of a suite. */
export function storeHome(create: () => Source): StoreHome {
  let home: string;
  let source: Source;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    source = create();
  });
  teardown(() => rm(home, { recursive: true }));
  return {
    at: (path) => join(home, path),
    put: async (path, content) => {
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    source: () => source,
    find: (folders, { homes = [], env = {} } = {}) =>
      source.find({ folders, homes, env, userHome: home }),
  };
}

export const ids = ({ threads }: FindResult): readonly string[] =>
  threads.map(({ nativeId }) => nativeId).sort();
