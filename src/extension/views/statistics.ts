import * as vscode from 'vscode';
import type { Cleanup } from '../../core/forgetting.js';
import type { ProjectStats, StoreStats } from '../../core/statistics.js';
import { escapeMarkdown, plain } from './plainText.js';
import { bytesWords, fullMomentWords } from './words.js';

/** Days and sessions that are listed; the rest is added up. */
const DAYS = 14;
const SESSIONS = 20;

/** A page of what is stored and how it went, as Markdown. The same numbers as `keepthread vault stats`. */
export function statisticsDocument({ projects, lastBackup }: StoreStats, now: number): string {
  const sections = projects.map(projectSection);
  const backup = lastBackup === undefined ? vscode.l10n.t('None yet') : fullMomentWords(lastBackup);
  return [
    `# ${vscode.l10n.t('Statistics')}`,
    escapeMarkdown(
      vscode.l10n.t(
        'Everything of this project that is on this machine, as of {0}.',
        fullMomentWords(now),
      ),
    ),
    ...sections,
    `## ${vscode.l10n.t('Backup')}`,
    `${vscode.l10n.t('Last automatic backup')}: ${escapeMarkdown(backup)}`,
  ].join('\n\n');
}

function projectSection(project: ProjectStats): string {
  const { saves, restores, growth, snapshotsBySession } = project;
  return [
    `## ${vscode.l10n.t('How much there is')}`,
    table(
      ['', vscode.l10n.t('Count')],
      [
        [vscode.l10n.t('Sessions'), number(project.sessions)],
        [vscode.l10n.t('Snapshots'), number(project.snapshots)],
        [vscode.l10n.t('Conversations'), number(project.threads)],
      ],
    ),
    `## ${vscode.l10n.t('How it went')}`,
    table(
      ['', vscode.l10n.t('Went well'), vscode.l10n.t('In part'), vscode.l10n.t('Failed')],
      [
        [vscode.l10n.t('Saves'), number(saves.ok), '', number(saves.failed)],
        [
          vscode.l10n.t('Restores'),
          number(restores.whole),
          number(restores.partial),
          number(restores.failed),
        ],
      ],
    ),
    durationWords(saves),
    `## ${vscode.l10n.t('What it takes on the disk')}`,
    table(
      [vscode.l10n.t('Kind'), vscode.l10n.t('Count'), vscode.l10n.t('Size as it was written')],
      Object.entries(project.frames).map(([kind, { count, bytes }]) => [
        kindWords(kind),
        number(count),
        bytesWords(bytes),
      ]),
    ),
    table(
      [vscode.l10n.t('Files'), vscode.l10n.t('Count'), vscode.l10n.t('Size on the disk')],
      Object.entries(project.files)
        .filter(([, { count }]) => count > 0)
        .map(([kind, { count, bytes }]) => [fileWords(kind), number(count), bytesWords(bytes)]),
    ),
    `## ${vscode.l10n.t('Growth')}`,
    table(
      [vscode.l10n.t('Day'), vscode.l10n.t('Added')],
      growth
        .slice(-DAYS)
        .reverse()
        .map(({ day, bytes }) => [day, bytesWords(bytes)]),
    ),
    `## ${vscode.l10n.t('Snapshots by session')}`,
    table(
      [vscode.l10n.t('Session'), vscode.l10n.t('Snapshots')],
      snapshotsBySession
        .toSorted((a, b) => b.snapshots - a.snapshots)
        .slice(0, SESSIONS)
        .map(({ title, snapshots }) => [
          plain(title, 80) || vscode.l10n.t('Untitled session'),
          number(snapshots),
        ]),
    ),
    ...(project.problems.length === 0
      ? []
      : [vscode.l10n.t('{0} places could not be read.', project.problems.length)]),
  ].join('\n\n');
}

/** What would be removed, as Markdown. */
export function cleanupDocument(cleanup: Cleanup): string {
  const { deadSessions, deadSnapshots, goingBytes } = cleanup;
  const title = `# ${vscode.l10n.t('What would go')}`;
  const advice = vscode.l10n.t(
    'To make room, delete or forget sessions. Archived sessions keep their size.',
  );
  if (deadSessions + deadSnapshots + goingBytes === 0) {
    return [title, vscode.l10n.t('Nothing: everything that is stored is needed.'), advice].join(
      '\n\n',
    );
  }
  return [
    title,
    vscode.l10n.t(
      'Nothing is removed now. A week after it is not needed any more, a window removes it by itself.',
    ),
    table(
      ['', vscode.l10n.t('Count')],
      [
        [vscode.l10n.t('Sessions that you deleted'), number(deadSessions)],
        [
          vscode.l10n.t('Snapshots of these, and automatic ones that are too many'),
          number(deadSnapshots),
        ],
        [vscode.l10n.t('Size of what would go'), bytesWords(goingBytes)],
      ],
    ),
    advice,
  ].join('\n\n');
}

function durationWords({ p50, p99 }: ProjectStats['saves']): string {
  if (p50 === undefined || p99 === undefined) return '';
  return vscode.l10n.t('Half of the saves took {0}, 99% of them {1}.', upTo(p50), upTo(p99));
}

function upTo(ms: number): string {
  if (ms === Infinity) return vscode.l10n.t('more than 10 s');
  return ms < 1000 ? vscode.l10n.t('up to {0} ms', ms) : vscode.l10n.t('up to {0} s', ms / 1000);
}

function kindWords(kind: string): string {
  switch (kind) {
    case 'session':
      return vscode.l10n.t('Sessions: titles, goals, states');
    case 'snapshot':
      return vscode.l10n.t('Snapshots');
    case 'records':
      return vscode.l10n.t('Conversations');
    case 'blob':
      return vscode.l10n.t('Editors, drafts and changes');
    case 'thread':
      return vscode.l10n.t("States of agents' files");
    default:
      return vscode.l10n.t('Of a newer version');
  }
}

function fileWords(kind: string): string {
  switch (kind) {
    case 'open':
      return vscode.l10n.t('Being written');
    case 'closed':
      return vscode.l10n.t('Complete');
    default:
      return vscode.l10n.t('Complete and compressed');
  }
}

const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

/** Numbers stand to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escapeMarkdown(cell)).join(' | ')} |`;
  const rule = `| ${head.map((_, at) => (at === 0 ? ':--' : '--:')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
