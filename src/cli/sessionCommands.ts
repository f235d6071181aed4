import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { ExpectedError } from '../core/errors.js';
import type { OriginMark } from '../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { Settings } from './settings.js';
import { fileUri } from '../changes/fileUri.js';
import { folderPath } from './folderPath.js';
import { counted } from './counted.js';
import { existingFolder } from './existingFolder.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import type { Column } from './table.js';
import { facts, shortId, table, when } from './table.js';

/** `session`, with `list` and `show`; answers with the group, for those that others add. */
export function addSessionCommands(program: Command, settings: () => Settings): Command {
  const session = program.command('session').description('sessions, of every project');
  session
    .command('list')
    .description('list all sessions, newest activity first')
    .option('--folder <dir>', "of this folder's project only", nonEmpty)
    .option('--only', 'with --folder: not those that came along from other folders of the project')
    .option('--archived', 'archived ones too')
    .addHelpText(
      'after',
      '\nJSON: {sessions: [{id, title, goal, status, …}], projects, problems}. Times are milliseconds since 1970.',
    )
    .action(async (call: ListCall) => listSessions(call, settings()));
  session
    .command('show')
    .argument('<id>', "a session's id, or as much of its start as no other session has", nonEmpty)
    .description('show one session, its snapshots and its threads')
    .addHelpText('after', '\nJSON: {session, snapshots, threads, problems}.')
    .action(async (id: string) => showSession(id, settings()));
  return session;
}

interface ListCall {
  readonly folder?: string;
  readonly only?: boolean;
  readonly archived?: boolean;
}

async function listSessions(call: ListCall, { store, output }: Settings): Promise<void> {
  if (call.only === true && call.folder === undefined) {
    throw new CommanderError(2, 'keepthread.list', '--only needs --folder.');
  }
  const { openEveryProject } = await import('./everyProject.js');
  const place = call.folder === undefined ? undefined : await placeOf(store, call.folder);
  const all = await openEveryProject(store, place && (({ key }) => key === place.key));
  const { projects, problems } = all;
  const sessions = all
    .sessions()
    .filter(({ archived }) => call.archived === true || archived !== true)
    .filter(({ workspace }) => call.only !== true || place?.here.includes(workspace) === true);
  await all.close();
  output.problems(problems);
  output.result({ sessions, projects, problems }, () =>
    sessions.length === 0
      ? `No sessions in ${plain(store)} (${counted(projects, 'project')} looked at).`
      : table(sessions, sessionColumns),
  );
}

/** The key of a folder's project, and where its own sessions were made; undefined: without a folder. */
async function placeOf(store: string, folder: string) {
  const uri = fileUri(resolve(folder));
  const { projectOf } = await import('./projectOf.js');
  const found = await projectOf(store, uri);
  // One that is gone may have sessions still.
  if (found === undefined) existingFolder(folder);
  return { key: found?.key, here: [uri, undefined, ...(found?.former ?? [])] };
}

async function showSession(id: string, { store, output }: Settings): Promise<void> {
  const { openEveryProject } = await import('./everyProject.js');
  const all = await openEveryProject(store);
  const session = findById(all.sessions(), id);
  const snapshots = all.snapshots(session.id);
  const threads = await all.threads(session.id);
  await all.close();
  output.problems(all.problems);
  output.result({ session, snapshots, threads, problems: all.problems }, () =>
    [
      describe(session),
      section('Snapshots', snapshots, snapshotColumns),
      section('Threads', threads, threadColumns),
    ].join('\n\n'),
  );
}

const section = <T>(title: string, rows: readonly T[], columns: readonly Column<T>[]): string =>
  rows.length === 0 ? `${title}: none` : `${title} (${rows.length})\n${table(rows, columns)}`;

/** @throws ExpectedError `sessionMissing` or `ambiguous`. */
export function findById(sessions: readonly SessionSummary[], id: string): SessionSummary {
  const exact = sessions.find((session) => session.id === id);
  const [first, ...others] = exact ? [exact] : sessions.filter((s) => s.id.startsWith(id));
  const next = 'Run "keepthread session list" to see the ids.';
  if (first === undefined) {
    throw new ExpectedError('sessionMissing', 'There is no session {0}.', [id], { next });
  }
  if (others.length > 0) {
    const count = others.length + 1;
    throw new ExpectedError('ambiguous', '{0} sessions begin with {1}.', [count, id], { next });
  }
  return first;
}

/** Who sent it stands with its title for ever. */
const markedTitle = (session: SessionSummary): string => {
  const { origin } = session;
  const from = origin && ` (from ${plain(origin.from ?? 'somebody', 40)}, ${origin.trust})`;
  return `${titleOf(session)}${from ?? ''}`;
};

const titleOf = ({ title }: { readonly title: string }): string => plain(title, 60) || 'Untitled';

const sessionColumns = [
  { title: 'ID', of: (session: SessionSummary) => shortId(session.id) },
  { title: 'UPDATED', of: (session: SessionSummary) => when(session.updatedAt) },
  { title: 'STATUS', of: (session: SessionSummary) => session.status },
  { title: 'SNAPSHOTS', of: (session: SessionSummary) => session.snapshots },
  { title: 'THREADS', of: (session: SessionSummary) => session.threads },
  { title: 'FOLDER', of: (session: SessionSummary) => plain(folderName(session.workspace), 24) },
  { title: 'TITLE', of: markedTitle },
];

const snapshotColumns = [
  { title: 'ID', of: (snapshot: SnapshotSummary) => shortId(snapshot.id) },
  { title: 'TAKEN', of: (snapshot: SnapshotSummary) => when(snapshot.at) },
  { title: 'REASON', of: (snapshot: SnapshotSummary) => snapshot.reason },
  { title: 'TABS', of: (snapshot: SnapshotSummary) => snapshot.tabs },
  { title: 'CHANGES', of: (snapshot: SnapshotSummary) => snapshot.changes },
  { title: 'THREADS', of: (snapshot: SnapshotSummary) => snapshot.threads },
  { title: 'BRANCH', of: (snapshot: SnapshotSummary) => plain(snapshot.branch ?? '', 30) },
  { title: 'LABEL', of: (snapshot: SnapshotSummary) => plain(snapshot.label ?? '', 60) },
];

const threadColumns = [
  { title: 'AGENT', of: (thread: ThreadSummary) => plain(thread.agent, 20) },
  { title: 'LAST', of: (thread: ThreadSummary) => when(thread.lastAt) },
  { title: 'TURNS', of: (thread: ThreadSummary) => thread.turns },
  { title: 'NATIVE ID', of: (thread: ThreadSummary) => plain(thread.nativeId, 40) },
  { title: 'TITLE', of: titleOf },
];

function describe(session: SessionSummary): string {
  return [
    titleOf(session),
    facts([
      ['Id', session.id],
      ['From', session.origin ? fromWords(session.origin) : ''],
      ['Goal', plain(session.goal, 500)],
      ['Status', session.archived ? `${session.status}, archived` : session.status],
      ['Tags', plain(session.tags.join(', '))],
      ['Folder', plain(folderPath(session.workspace))],
      ['Branch', plain(session.branch ?? '')],
      ['Created', when(session.createdAt)],
      ['Updated', when(session.updatedAt)],
    ]),
  ].join('\n');
}

const folderName = (uri: string | undefined): string => basename(folderPath(uri));

const fromWords = ({ from, trust, key, importedAt }: OriginMark): string =>
  [
    `${plain(from ?? 'somebody', 60)}, ${trust}`,
    key === undefined ? 'not signed' : `signed with ${plain(key)}`,
    `taken in ${when(importedAt)}`,
  ].join(', ');
