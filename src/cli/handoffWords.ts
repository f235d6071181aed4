import type {
  ExportResult,
  ExportReview,
  ImportResult,
  Inspection,
  InspectedBase,
  InspectedFile,
  InspectedThread,
  KindCount,
  RedactionSummary,
} from '../core/handoff.js';
import type { ReviewFinding } from '../core/redact/review.js';
import { counted } from './counted.js';
import { plain } from './output.js';
import { facts, shortId, table, when } from './table.js';
import { fileSize as size } from '../core/thread/text.js';

export function describeExport(result: ExportResult): string {
  const { file, bytes, snapshots, threads, records, redaction, fingerprint } = result;
  return [
    `Wrote ${plain(file)} (${size(bytes)}): ${counted(snapshots, 'snapshot')}, ${counted(threads, 'conversation')} with ${counted(records, 'record')}.`,
    ...redactionWords(redaction),
    ...(fingerprint === undefined ? [] : [`Signed with ${fingerprint}.`]),
    'Best effort: look at the file before you send it.',
  ].join('\n');
}

/** What an export would mask and how much would go out. */
export function describeReview({
  findings,
  more,
  bytes,
}: Pick<ExportReview, 'more' | 'bytes'> & {
  readonly findings: readonly Pick<ReviewFinding, 'kind'>[];
}): string {
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const list = [...counts].map(([kind, count]) => ({ kind, count }));
  return [
    `About ${size(bytes)} before compression.`,
    `Would mask: ${kinds(list)}${more > 0 ? `, and ${more} more` : ''}.`,
    'Nothing was written.',
  ].join('\n');
}

export function describeImport({ outcome, sessionId, added, conflicts, inspection }: ImportResult) {
  const { snapshots, threads, records, contents } = added;
  const what = [
    counted(snapshots, 'snapshot'),
    counted(threads, 'conversation'),
    counted(records, 'record'),
    counted(contents, 'content'),
  ].join(', ');
  const id = shortId(sessionId);
  const head = {
    new: `Took in session ${id}: ${what}.`,
    updated: `Session ${id} has more now: ${what}.`,
    unchanged: `Session ${id} is here already; nothing changed.`,
  }[outcome];
  return [
    head,
    `From ${fromWords(inspection)}.`,
    ...(conflicts.length === 0
      ? []
      : [
          `Changed here and by the sender, and left as it is here: ${conflicts.join(', ')} (--take-theirs).`,
        ]),
    ...inspection.bases.flatMap((base) => baseWords(base)),
    'Nothing in it was run. Terminals’ commands and approvals do not come along.',
  ].join('\n');
}

const baseWords = ({ name, head, branch, folder, isHere }: InspectedBase): readonly string[] => {
  if (head === undefined || isHere === true) return [];
  const commit = `${head.slice(0, 12)}${branch === undefined ? '' : ` of ${plain(branch, 60)}`}`;
  return [
    folder === undefined
      ? `No folder here is a clone of ${plain(name, 60)}: its changes lie on commit ${commit}.`
      : `${plain(folder)} does not have commit ${commit}, on which the changes lie: fetch it first.`,
  ];
};

export function describeInspection(inspection: Inspection): string {
  const { session, threads, files, bases, redaction, commands } = inspection;
  return [
    plain(session.title, 60) || 'Untitled',
    facts([
      ['From', fromWords(inspection)],
      ['Made', `${when(inspection.createdAt)} by ${plain(inspection.tool, 60)}`],
      [
        'File',
        `${size(inspection.bytes)}, ${size(inspection.plainBytes)} in it, format ${inspection.version}`,
      ],
      ['Encrypted', inspection.encryption === 'none' ? 'no' : `for ${inspection.encryption}`],
      ['Session', session.id],
      ['Goal', plain(session.goal, 500)],
      ['Status', session.status],
      ['Tags', plain(session.tags.join(', '))],
      ['Snapshots', String(session.snapshots)],
      ['Commands', commands.length === 0 ? '' : `${commands.length}, shown and never run`],
      ['Here', hereWords(inspection)],
      ['Unknown', plain(inspection.unknown.join(', '))],
    ]),
    ...redactionWords(redaction),
    ...findingsWords(inspection),
    ...(threads.length === 0 ? [] : ['', table(threads, threadColumns)]),
    ...(files.length === 0 ? [] : ['', table(files.slice(0, 50), fileColumns)]),
    ...(files.length > 50 ? [`${files.length - 50} more files`] : []),
    ...(bases.length === 0 ? [] : ['', table(bases, baseColumns)]),
  ].join('\n');
}

function fromWords({ author }: Inspection): string {
  const name = plain(author.name ?? '', 60) || 'somebody';
  const key = author.fingerprint ?? '';
  const of = author.isNameOfOther === true ? '; that name is known here with another key' : '';
  switch (author.signature) {
    case 'verified':
      return `${name}, verified: signed with ${key}, known since ${when(author.knownSince)}`;
    case 'unknown':
      return `${name}, unverified: signed with ${key}, which is new here${of}`;
    case 'broken':
      return `${name}, BROKEN: the signature is not of what the file holds`;
    case 'none':
      return `${name}, unverified: not signed`;
  }
}

function findingsWords({ findings }: Inspection): readonly string[] {
  if (findings === undefined) return [];
  const { kinds: found, bytes, isWhole } = findings;
  const part = isWhole ? '' : ` Only ${size(bytes)} were looked through.`;
  return [
    found.length === 0
      ? `Looked through here for secrets: none found.${part}`
      : `Looked through here for secrets: ${kinds(found)}.${part}`,
  ];
}

function hereWords({ here }: Inspection): string {
  const id = here.sessionId === undefined ? '' : shortId(here.sessionId);
  const both = here.differences.map(
    ({ field, here: ours, theirs }) =>
      `${field}: "${plain(ours, 60)}" here, "${plain(theirs, 60)}" in the file`,
  );
  const words = stateWords(here.state, id);
  return both.length === 0
    ? words
    : `${words}; changed here and by the sender (--take-theirs): ${both.join('; ')}`;
}

function stateWords(state: Inspection['here']['state'], id: string): string {
  return {
    new: 'not here yet',
    beside: `goes on from your session ${id}; it comes in beside it`,
    imported: `taken in already, as ${id}`,
    newer: `newer than what was taken in as ${id}`,
    older: `older than what was taken in as ${id}`,
  }[state];
}

function redactionWords(redaction: RedactionSummary): readonly string[] {
  const { masked, kept, sealed, images, shortened, leftOut } = redaction;
  if (redaction.lane === 'none') return ['It was not looked through for secrets.'];
  const counts: readonly (readonly [number, string])[] = [
    [sealed, 'sealed blocks left out'],
    [images, 'images and other binary data left out'],
    [shortened, 'tool outputs shortened'],
  ];
  const said = counts.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : []));
  const left = leftOut.filter(({ reason }) => reason !== 'notAsked');
  return [
    `Masked: ${kinds(masked)}.`,
    ...(kept.length === 0 ? [] : [`In files that were kept as they are: ${kinds(kept)}.`]),
    ...(said.length === 0 ? [] : [`${said.join(', ')}.`]),
    ...left.slice(0, 20).map(({ what, reason }) => `Left out (${reason}): ${plain(what)}`),
    ...(left.length > 20 ? [`${left.length - 20} more were left out.`] : []),
  ];
}

const kinds = (counts: readonly KindCount[]): string =>
  counts.map(({ kind, count }) => `${count} ${plain(kind, 40)}`).join(', ') || 'nothing';

const threadColumns = [
  {
    title: 'AGENT',
    of: ({ agent, isKnownAgent }: InspectedThread) =>
      `${plain(agent, 20)}${isKnownAgent ? '' : ' (unknown here)'}`,
  },
  { title: 'LAST', of: ({ lastAt }: InspectedThread) => when(lastAt) },
  { title: 'TURNS', of: ({ turns }: InspectedThread) => turns },
  { title: 'RECORDS', of: ({ records }: InspectedThread) => records },
  { title: 'TITLE', of: ({ title }: InspectedThread) => plain(title, 60) || 'Untitled' },
];

const fileColumns = [
  { title: 'FILE', of: ({ path }: InspectedFile) => plain(path, 80) },
  { title: 'WHAT', of: ({ what }: InspectedFile) => what },
  { title: 'CONTENT', of: ({ hasContent }: InspectedFile) => (hasContent ? 'yes' : 'left out') },
];

const baseColumns = [
  { title: 'REPOSITORY', of: ({ name }: InspectedBase) => plain(name, 40) },
  { title: 'BRANCH', of: ({ branch }: InspectedBase) => plain(branch ?? '', 30) },
  { title: 'COMMIT', of: ({ head }: InspectedBase) => (head ?? '').slice(0, 12) },
  {
    title: 'HERE',
    of: ({ isHere, folder }: InspectedBase) => (isHere === true ? plain(folder ?? '', 60) : 'no'),
  },
];
