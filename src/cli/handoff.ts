import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { ExportChoice, ExportRequest, Inspection, Unlock } from '../core/handoff.js';
import { keysInFile } from '../handoff/keys.js';
import { exportSession as writeSession, reviewExport } from '../library/handoff.js';
import { applyWith, mappedFolders, markExit } from './apply.js';
import { describeApply } from './applyWords.js';
import { openEveryProject, type EveryProject } from './everyProject.js';
import { exitCode } from './failure.js';
import { existingFolder } from './existingFolder.js';
import { withFolders } from './folderEngine.js';
import type { ExportCall, ImportCall, OpenCall } from './handoffCommands.js';
import {
  describeExport,
  describeImport,
  describeInspection,
  describeReview,
} from './handoffWords.js';
import { ownKeys } from './keyCommands.js';
import { plain } from './output.js';
import { createProgress } from './progress.js';
import { findById } from './sessionCommands.js';
import type { Settings } from './settings.js';

/** `session export`. */
export async function exportSession(id: string, call: ExportCall, settings: Settings) {
  const { store: root, output } = settings;
  const file = resolve(call.output);
  if (existsSync(file) && call.force !== true && call.dryRun !== true) {
    throw new ExpectedError('fileExists', 'There is a file {0} already.', [file], {
      next: 'Name another one, or replace it with --force.',
    });
  }
  const lock = await lockOf(call);
  const keys = call.sign === true ? await ownKeys(root) : undefined;
  const all = await openEveryProject(root);
  const progress = createProgress(output.json);
  try {
    const sessionId = findById(all.sessions(), id).id;
    const choice = await choiceOf(call, all, sessionId);
    const onProgress = (done: number, total: number): void =>
      progress.say(`${done} of ${total} conversations and snapshots`);
    if (!all.store) throw new Error('There are sessions without a store.');
    const context = {
      root,
      store: all.store,
      folders: all.folders.filter((folder) => existsSync(folder)),
      threads: (session: string) => all.threads(session),
    };
    if (call.dryRun === true) {
      const signal = new AbortController().signal;
      const found = await reviewExport(context, { sessionId, choice }, { signal, onProgress });
      // What is secret is not printed, not even here.
      const findings = found.findings.map(({ kind, where }) => ({ kind, where }));
      const review = { ...found, findings };
      progress.end();
      output.problems(all.problems);
      output.result(review, () => describeReview(review));
      return;
    }
    const { format } = call;
    const request: ExportRequest = {
      sessionId,
      output: file,
      format,
      choice,
      author: call.author ?? keys?.name,
      lock,
      signingKey: keys?.signing,
    };
    const result = await writeSession(context, request, {
      signal: new AbortController().signal,
      onProgress,
    });
    progress.end();
    output.problems(all.problems);
    output.result(result, () => describeExport(result));
  } finally {
    progress.end();
    await all.close();
  }
}

async function choiceOf(
  call: ExportCall,
  all: EveryProject,
  sessionId: string,
): Promise<ExportChoice> {
  const snapshots = all.snapshots(sessionId);
  const snapshot = (start: string | undefined): string | undefined =>
    start && oneOf(snapshots, start, 'snapshot', ({ id }) => id).id;
  const threads = call.thread && (await all.threads(sessionId));
  return {
    from: snapshot(call.from),
    to: snapshot(call.to),
    threads: call.thread?.map(
      (start) => oneOf(threads ?? [], start, 'conversation', (thread) => thread.nativeId).id,
    ),
    files: call.files,
    images: call.images ?? false,
    toolOutput: call.toolOutput,
    filesWithSecrets: call.filesWithSecrets ?? false,
    keep: call.keep,
  };
}

function oneOf<T extends { readonly id: string }>(
  items: readonly T[],
  start: string,
  what: string,
  name: (item: T) => string,
): T {
  const exact = items.find((item) => name(item) === start || item.id === start);
  const [first, ...others] = exact ? [exact] : items.filter((item) => name(item).startsWith(start));
  const next = 'Run "keepthread session show ID" to see the ids.';
  if (!first) {
    throw new ExpectedError(`${what}Missing`, `There is no ${what} {0}.`, [start], { next });
  }
  if (others.length === 0) return first;
  const count = others.length + 1;
  throw new ExpectedError('ambiguous', `{0} of them begin with {1}.`, [count, start], { next });
}

async function lockOf({ recipient, passphraseFile }: ExportCall): Promise<ExportRequest['lock']> {
  if (recipient !== undefined && passphraseFile !== undefined) {
    const message = 'Either --recipient or --passphrase-file, not both.';
    throw new CommanderError(2, 'keepthread.export', message);
  }
  if (recipient !== undefined) return { recipients: recipient };
  if (passphraseFile === undefined) return undefined;
  return { passphrase: await secretIn(passphraseFile) };
}

/** `session import`. */
export async function importSession(given: string, call: ImportCall, settings: Settings) {
  const file = resolve(given);
  const unlock = await unlockOf(call, settings);
  const folder = existingFolder(call.folder);
  await withFolders([folder, ...mappedFolders(call)], settings, async (engine, problems) => {
    const { output } = settings;
    if (call.dryRun === true) {
      const inspection = await engine.inspectHandoff({ file, unlock, findings: true });
      output.result(inspection, () => describeInspection(inspection));
      return;
    }
    const { takeTheirs } = call;
    const result = await engine.importHandoff({ file, unlock, takeTheirs });
    if (call.apply !== true) {
      output.problems(problems);
      output.result(result, () => describeImport(result));
      return;
    }
    const { sessionId } = result;
    const apply = await applyWith(
      engine,
      folder,
      { ...call, dryRun: false },
      { sessionId },
      settings,
    );
    output.problems(problems);
    output.result({ ...result, apply }, () =>
      [describeImport(result), '', describeApply(apply, call)].join('\n'),
    );
    markExit(apply);
  });
}

/** `session verify`. */
export async function verifySession(given: string, call: OpenCall, settings: Settings) {
  const file = resolve(given);
  const unlock = await unlockOf(call, settings);
  await withFolders([], settings, async (engine) => {
    const inspection: Inspection = await engine.inspectHandoff({
      file,
      unlock,
      findings: true,
    });
    settings.output.result(inspection, () => describeInspection(inspection));
    if (inspection.author.signature === 'broken') process.exitCode = exitCode.damage;
  });
}

async function unlockOf(
  { passphraseFile, identity }: OpenCall,
  { store }: Settings,
): Promise<Unlock> {
  const own = identity === undefined ? await keysInFile(store).read() : undefined;
  const files = own ? [own.identity] : await Promise.all((identity ?? []).map(secretIn));
  return {
    identities: files.flatMap((text) => text.split(/\r?\n/).filter(isIdentity)),
    passphrase: passphraseFile === undefined ? undefined : await secretIn(passphraseFile),
  };
}

const isIdentity = (line: string): boolean => line.trim() !== '' && !line.startsWith('#');

/** A file's text without the line end behind it. */
async function secretIn(file: string): Promise<string> {
  try {
    const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
    if (text !== '') return text;
  } catch (error) {
    throw new ExpectedError('fileUnreadable', 'Cannot read {0}: {1}', [file, messageOf(error)]);
  }
  throw new ExpectedError('fileEmpty', 'There is nothing in {0}.', [plain(file)]);
}
