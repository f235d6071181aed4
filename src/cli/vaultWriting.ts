import { basename, dirname, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import type { Forgotten } from '../core/forgetting.js';
import { countsOf, forgetInStore, previewForgetInStore } from '../library/forgetting.js';
import { takeBackForgetting } from '../library/forgottenThreads.js';
import { dropView, folderOf, viewsOf } from '../library/views.js';
import { backUp, restoreBackup } from '../vault/backup.js';
import { collectProject, sealProject } from '../vault/maintain.js';
import { projectFile, readProjects } from '../vault/projectFile.js';
import { repairStore } from '../vault/repair.js';
import { counted, noProjects } from './counted.js';
import { engineSettings, ownEngine } from './engine.js';
import { openEveryProject } from './everyProject.js';
import { exitCode } from './failure.js';
import { plain } from './output.js';
import { findById } from './sessionCommands.js';
import { interruptible, nothingChanged } from './interruptible.js';
import type { Settings } from './settings.js';
import { size } from './size.js';
import { shortId, table, when } from './table.js';
import { chooseKept } from './threadChoice.js';
import type { ForgetCall } from './vaultCommands.js';
import { wasmPath } from '../agents/sqlite/wasm.js';

/** So long another process that tidies up is waited for, in milliseconds. */
const patience = { waitMs: 60_000 };

/** `vault rebuild`. */
export async function rebuild(named: readonly string[], settings: Settings): Promise<void> {
  const folders =
    named.length > 0 ? named.map((view) => resolve(view)) : await viewsOf(settings.store);
  const views = await inTurn(folders, async (view) => {
    const dropped = await dropView(view);
    const uri = await folderOf(view);
    const sessions = uri === undefined ? undefined : await makeView(view, uri, settings);
    return { view, dropped, rebuilt: uri !== undefined, sessions };
  });
  settings.output.result({ views }, () =>
    [
      ...views.map(({ view, rebuilt, sessions }) =>
        rebuilt
          ? `${plain(view)}: ${counted(sessions ?? 0, 'session')}`
          : `${plain(view)}: made when its window opens`,
      ),
      views.length === 0
        ? 'No window has a list of this store.'
        : `${counted(views.length, "window's list", "windows' lists")}.`,
    ].join('\n'),
  );
}

/** Opens and closes the project as a window does; answers with the number of sessions. */
async function makeView(view: string, uri: string, { store }: Settings): Promise<number> {
  const engine = ownEngine(() => undefined);
  const folders = [{ name: basename(uri), uri }];
  const about = { store, view, folders, workspace: uri, trusted: false, chatStores: [] };
  await engine.open({ ...about, settings: engineSettings });
  const sessions = await engine.listSessions();
  await engine.close();
  return sessions.length;
}

/** `vault repair`. */
export async function repair(to: string, { store, output }: Settings): Promise<void> {
  const report = await repairStore(store, resolve(to));
  output.problems(report.problems);
  output.result(report, () =>
    report.projects === 0
      ? noProjects(store)
      : [
          `${counted(report.frames, 'record')} (${size(report.bytes)}) of ${counted(report.projects, 'project')} ${report.frames === 1 ? 'is' : 'are'} in ${plain(resolve(to))}.`,
          report.problems.length === 0
            ? 'Everything could be read.'
            : `${counted(report.problems.length, 'place')} could not be read. ${plain(store)} is as it was.`,
        ].join('\n'),
  );
  if (report.problems.length > 0) process.exitCode = exitCode.damage;
}

/** `vault backup`. */
export async function backup(dir: string, { store, output }: Settings): Promise<void> {
  const options = { store, to: resolve(dir), now: Date.now(), rotate: false };
  const report = await interruptible(output, 'Earlier backups are as they were.', ({ signal }) =>
    backUp({ ...options, ...patience, signal }),
  );
  output.problems(report.problems);
  if (report.problems.length > 0) process.exitCode = exitCode.damage;
  output.result(report, () =>
    report.projects === 0
      ? `${noProjects(store)} There is nothing to back up.`
      : `Backed up ${counted(report.projects, 'project')}: ${counted(report.files, 'file')}, ${size(report.bytes)}, of which ${size(report.copied)} are new.`,
  );
}

/** `vault restore`. */
export async function restore(
  dir: string,
  to: string,
  name: string | undefined,
  { output }: Settings,
): Promise<void> {
  const report = await restoreBackup(resolve(dir), resolve(to), name);
  output.problems(
    report.passedOver.map((where) => ({ where, message: 'This newer backup is damaged.' })),
  );
  output.result(
    report,
    () =>
      `The backup of ${when(report.at)} is in ${plain(resolve(to))}: ${counted(report.projects, 'project')}, ${counted(report.files, 'file')}, ${size(report.bytes)}.`,
  );
  if (report.passedOver.length > 0) process.exitCode = exitCode.damage;
}

/** `vault gc`. */
export async function gc(
  dryRun: boolean,
  offerAfterDays: number | undefined,
  { store, output }: Settings,
): Promise<void> {
  const now = Date.now();
  const words = dryRun ? nothingChanged : 'What was begun is completed the next time.';
  const projects = await interruptible(output, words, async ({ signal }) => {
    const waiting = { ...patience, signal };
    return inTurn(await readProjects(store), async ({ key }) => {
      const folder = dirname(projectFile(store, key));
      const sealed = dryRun ? undefined : await sealProject(folder, now, waiting);
      const options = { folder, wasm: wasmPath(), now, dryRun, offerAfterDays };
      return { key, ...(await collectProject(options, waiting)), sealed };
    });
  });
  output.problems(projects.flatMap(({ sealed }) => sealed?.problems ?? []));
  output.result({ dryRun, projects }, () =>
    projects.length === 0
      ? noProjects(store)
      : projects
          .flatMap(({ key, sealed, offered, ...report }) => [
            `${plain(key)}: ${counted(report.deadSessions, 'deleted session')} and ${counted(report.deadSnapshots, 'snapshot')} are not needed; ` +
              `${size(report.goingBytes)} ${dryRun ? 'would go' : 'went'} of ${size(report.liveBytes + report.deadBytes)} to which nothing is added any more.`,
            ...(sealed && sealed.packs > 0
              ? [
                  `  ${counted(sealed.packs, 'pack')} sealed: ${size(sealed.before)} became ${size(sealed.after)}.`,
                ]
              : []),
            ...offered.map(
              (session) =>
                `  Finished, last changed ${when(session.updatedAt)}: ${shortId(session.id)} ${plain(session.title, 60)}`,
            ),
          ])
          .join('\n'),
  );
}

/** `vault forget`. */
export async function forgetEverywhere(call: ForgetCall, settings: Settings): Promise<void> {
  const { store, output } = settings;
  const what = await whatToForget(call, settings);
  if (call.dryRun === true) {
    const counts = await interruptible(output, nothingChanged, (control) =>
      previewForgetInStore(what, { store, wasm: wasmPath(), ...control }),
    );
    output.result(
      { dryRun: true, ...counts },
      () =>
        `${counted(counts.removed, 'record')} would go, ${counts.masked} would be changed, in ${counted(counts.projects, 'project')}; ${counted(counts.backups, "backup's folder", "backups' folders")} would be cleaned.`,
    );
    return;
  }
  const report = await interruptible(output, nothingChanged, (control) =>
    forgetInStore(what, {
      ...control,
      store,
      wasm: wasmPath(),
      backups: (call.backups ?? []).map((dir) => resolve(dir)),
      views: (call.view ?? []).map((dir) => resolve(dir)),
    }),
  );
  const { removed, masked } = countsOf(report);
  output.result(report, () =>
    [
      `Removed ${counted(removed, 'record')}, changed ${masked}.`,
      `Cleaned ${counted(report.backups.length, "backup's folder", "backups' folders")} and ${counted(report.views, 'list')}.`,
      "What agents keep in their own files, and other copies of the store, are not Keepthread's to change.",
    ].join('\n'),
  );
}

async function whatToForget(call: ForgetCall, { store }: Settings): Promise<Forgotten> {
  const { session, thread, text } = call;
  if ([session, thread, text].filter((one) => one !== undefined).length !== 1) {
    throw new CommanderError(
      2,
      'keepthread.forget',
      'One of --session, --thread and --text is needed.',
    );
  }
  if (text !== undefined) {
    return { text: text === '-' ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : text };
  }
  const all = await openEveryProject(store);
  try {
    if (thread !== undefined) {
      const ids = all.kept.list().map(({ id }) => id);
      return { thread: chooseKept(thread, ids) };
    }
    const sessions = [...all.sessions(), ...all.deletedSessions()];
    return { session: findById(sessions, session ?? '').id };
  } finally {
    await all.close();
  }
}

/** `vault forgotten`. */
export async function forgotten(
  takenBack: string | undefined,
  { store, output }: Settings,
): Promise<void> {
  const all = await openEveryProject(store);
  const threads = all.store?.index.forgotten() ?? [];
  await all.close();
  output.problems(all.problems);
  const ids = new Set(threads.map(({ id }) => id));
  const tops = threads.filter(({ parent }) => parent === undefined || !ids.has(parent));
  if (takenBack === undefined) {
    const rows = tops.map(({ id, at }) => ({ id, at }));
    output.result({ forgotten: rows }, () =>
      rows.length === 0
        ? 'No conversation was forgotten.'
        : table(rows, [
            { title: 'ID', of: ({ id }) => plain(id) },
            { title: 'FORGOTTEN', of: ({ at }) => when(at) },
          ]),
    );
    return;
  }
  const id = chooseKept(
    takenBack,
    [...ids],
    'There is no conversation {0} among the forgotten ones.',
    'Run "keepthread vault forgotten" to see them.',
  );
  const projects = await readProjects(store);
  const folders = projects.map(({ key }) => dirname(projectFile(store, key)));
  await takeBackForgetting(id, { folders, wasm: wasmPath() });
  output.result(
    { takenBack: id },
    () => `${plain(id)} is taken in again, from what its agent still has of it.`,
  );
}

/** One after the other: each may take the memory and the disk of a whole vault. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
