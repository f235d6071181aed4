import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { appears } from '../../scripts/appears.js';
import { makeSample } from '../../scripts/sample.js';
import type { Totals } from '../../scripts/totals.js';
import type { Editor, EditorKind } from './editor.js';
import type { HostRequest, HostResult, NextWindow } from './hostSchemas.js';
import { hostResultSchema } from './hostSchemas.js';

const minutes = 60_000;

export interface Suite {
  /** Folders of the extensions under test. */
  readonly extensions: readonly string[];
  /** Module that VS Code runs. */
  readonly entry: string;
  readonly files: readonly string[];
  /** Several windows, one after the other, on the same data. */
  readonly reopens: boolean;
  /** Folder for everything that the suite leaves behind. */
  readonly folder: string;
}

/** Runs a suite's windows on a sample workspace and a home of its own. */
export const runSuite = async (suite: Suite, kind: EditorKind): Promise<Totals> => {
  mkdirSync(suite.folder, { recursive: true });
  const folder = realpathSync(suite.folder);
  const home = path.join(folder, 'home');
  const scratch = path.join(folder, 'scratch');
  mkdirSync(scratch);
  const sample = makeSample(path.join(folder, 'todo-api'), home);
  const editor = await kind.create(path.join(folder, 'editor'), home);

  let totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  let next: NextWindow = { workspace: sample.folder };
  let phases = 1;
  for (let phase = 1; phase <= phases; phase += 1) {
    const request: HostRequest = {
      files: [...suite.files],
      ...(suite.reopens ? { phase } : {}),
      log: path.join(folder, `${phase}.log`),
      results: path.join(folder, `${phase}.json`),
      home,
      workspace: next.workspace ?? sample.folder,
      scratch,
      ...(kind.hasPerson ? { person: path.join(folder, `${phase}.person`) } : {}),
    };
    const result = await runWindow(suite, editor, request, next.forgetful === true);
    totals = {
      passed: totals.passed + result.passed,
      failed: totals.failed + result.failed,
      skipped: totals.skipped + result.skipped,
    };
    phases = result.phases;
    next = { workspace: request.workspace, ...result.next };
    if (next.rename) renameSync(next.rename.from, next.rename.to);
    if (next.person && editor.leadTo) {
      const { extensions } = suite;
      const workspace = await editor.leadTo({
        ...next.person,
        extensions,
        workspace: next.workspace ?? request.workspace,
      });
      next = { ...next, workspace };
    }
  }
  return totals;
};

const runWindow = async (
  { extensions, entry }: Suite,
  editor: Editor,
  request: HostRequest,
  forgetful: boolean,
): Promise<HostResult> => {
  const requestFile = `${request.results}.request`;
  writeFileSync(requestFile, JSON.stringify(request));
  writeFileSync(request.log, '');
  const window = await editor.open({
    workspace: request.workspace,
    extensions,
    tests: entry,
    variables: { KEEPTHREAD_HOST_RUN: requestFile },
    forgetful,
  });
  const stopLog = follow(request.log);
  const stopPerson =
    request.person === undefined ? undefined : window.startPerson?.(request.person);
  const over = await Promise.race([
    window.ended,
    appears(request.results).then(() => readResult(request).then(leftAlone)),
    wait(60 * minutes, 'late' as const, { ref: false }),
  ]);
  const crashed = over === 'alone' || over === 'late';
  const result = existsSync(request.results) ? await readResult(request) : undefined;
  stopPerson?.();
  if (!crashed && result !== undefined) await hasEnded(result.pid, minutes);
  await (crashed ? window.kill() : window.close());
  stopLog();
  if (result !== undefined) return result;
  console.log(
    over === 'late' ? '✖ the window did not end in time' : '✖ the window ended without a result',
  );
  return { passed: 0, failed: 1, skipped: 0, pid: 0, killed: false, phases: 0, next: {} };
};

/** The file may be there before all of it is. */
const readResult = async ({ results }: HostRequest): Promise<HostResult> => {
  for (;;) {
    const text = readFileSync(results, 'utf8');
    if (text.endsWith('}')) return hostResultSchema.parse(JSON.parse(text));
    await wait(50);
  }
};

/** Nobody says that tests have ended which have killed their extension host. Never comes where it still runs. */
const leftAlone = async ({ killed, pid }: HostResult): Promise<'alone'> => {
  await hasEnded(pid, killed ? minutes : Infinity);
  // Otherwise the window says so itself, soon.
  if (!killed) await wait(minutes, undefined, { ref: false });
  return 'alone';
};

/** VS Code gives an extension host some seconds to save what it has; a server that is stopped gives none. */
const hasEnded = async (pid: number, mostMs: number): Promise<void> => {
  const end = Date.now() + mostMs;
  while (isRunning(pid) && Date.now() < end) await wait(50, undefined, { ref: false });
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Prints a growing file; the returned function prints the rest and stops. */
const follow = (file: string): (() => void) => {
  let printed = 0;
  const print = (): void => {
    const bytes = readFileSync(file);
    process.stdout.write(bytes.subarray(printed));
    printed = bytes.length;
  };
  const timer = setInterval(print, 250);
  return () => {
    clearInterval(timer);
    print();
  };
};

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
