import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FindResult, FoundThread, Source, ThreadParser } from '../../src/agents/source.js';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.js';
import { configure, install, whyNot, type Run } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import { readThread } from './readThread.js';

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
    if (lab !== undefined) await closeLab(lab);
    lab = undefined;
  });

  return () => lab ?? assert.fail('no test runs');
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
