import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FindResult, FoundThread, Source, ThreadParser } from '../../src/agents/source.js';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.js';
import { configure, install, whyNot, type Run } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import { foldFile } from '../../src/agents/foldFile.js';
import { withoutWrites } from './noWrites.mjs';
import { readThread } from './readThread.js';
import { treeHash } from './treeHash.js';

/** What a test of a real program works with; each test has its own. */
export interface ProgramLab {
  /** A folder that holds all of the others. */
  readonly base: string;
  readonly endpoint: ModelEndpoint;
  readonly run: Run;
  readonly source: Source;
  readonly find: (folder?: string) => Promise<FindResult>;
  /** The only thread that is nobody's subagent. */
  readonly findOne: (folder?: string) => Promise<FoundThread>;
  readonly parsed: (found: FoundThread) => Promise<ThreadParser>;
}

/** Installs the program for a suite, or skips it; gives each of its tests a lab, in a folder of this name. */
export function programLab(given: ProgramCase, folder?: string): () => ProgramLab {
  let lab: ProgramLab | undefined;

  suiteSetup(async function () {
    this.timeout(600_000);
    const reason = whyNot(given.program);
    if (reason !== undefined) {
      console.log(`skipped: ${reason}`);
      this.skip();
    }
    await install(given.program);
  });

  setup(async () => {
    lab = await openLab(given, folder);
  });

  teardown(async () => {
    if (lab === undefined) return;
    const done = lab;
    lab = undefined;
    await staysUntouched(done).finally(() => closeLab(done));
  });

  return () => lab ?? assert.fail('no test runs');
}

const mostLooks = 8;
/** A program that still writes may change its store in one look, hardly in all of so many. */
const enoughLooks = 3;

/**
 * Whatever a test made the program write, all of it is found and read once more: nothing may be opened for writing, and
 * not one byte, name, time or mode of the store may change by that. While the program itself changes it nobody can tell.
 */
async function staysUntouched({ run, source, base }: ProgramLab): Promise<void> {
  const folders = [run.cwd, base];
  const query = { folders, everywhere: true, homes: [], env: {}, userHome: run.home };
  const hash = () => treeHash(run.home).catch(() => undefined);
  let changed = 0;
  for (let look = 0; look < mostLooks && changed < enoughLooks; look++) {
    const atRest = await hash();
    if (atRest === undefined || (await hash()) !== atRest) continue;
    const { tried } = await withoutWrites(run.home, async () => {
      const { threads } = await source.find(query);
      source.watch(query);
      await Promise.allSettled(threads.map((found) => foldFile(source, found)));
    });
    assert.deepEqual(tried, []);
    if ((await hash()) === atRest) return;
    changed += 1;
  }
  assert.ok(changed < enoughLooks, 'The store never stayed as it was while it was read.');
}

export async function closeLab({ endpoint, base }: ProgramLab): Promise<void> {
  await endpoint.close();
  await rm(base, { recursive: true, maxRetries: 5, retryDelay: 100 });
}

/** A lab outside of a test; the caller closes it. */
export async function openLab(given: ProgramCase, folder = 'wörk 项目'): Promise<ProgramLab> {
  const { program } = given;
  const base = await realpath(await mkdtemp(join(tmpdir(), `${program.name}-`)));
  const endpoint = await startModelEndpoint();
  const run = {
    program,
    home: join(base, 'home'),
    cwd: join(base, folder),
    endpoint: endpoint.url,
  };
  await mkdir(run.cwd, { recursive: true });
  await mkdir(run.home, { recursive: true });
  await mkdir(join(base, 'tmp'));
  await configure(run);
  const source = given.create();
  const find: ProgramLab['find'] = (looked = run.cwd) =>
    source.find({ folders: [looked], homes: [], env: {}, userHome: run.home });
  return {
    base,
    endpoint,
    run,
    source,
    find,
    findOne: async (looked) => {
      const { threads, problems } = await find(looked);
      const own = threads.filter(({ parent }) => parent === undefined);
      assert.deepEqual([own.length, problems], [1, []]);
      return own[0] ?? assert.fail();
    },
    parsed: (found) => readThread(source, found),
  };
}
