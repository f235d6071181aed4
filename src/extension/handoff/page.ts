import type {
  Inspection,
  InspectedBase,
  InspectedFile,
  InspectedThread,
  RedactionSummary,
} from '../../core/handoff.js';
import { fileSize, visible } from '../../core/thread/text.js';
import { fieldName } from './fieldNames.js';

/** Puts words into the person's language; as `vscode.l10n`. */
export interface Words {
  t(text: string, ...values: (string | number)[]): string;
}

export interface PageSurroundings {
  readonly l10n: Words;
  readonly agentName: (agent: string) => string;
  /** A time as the person writes it. */
  readonly moment: (at: number) => string;
  /** Addresses of the commands that the page may call; `undefined`: not offered. */
  readonly importLink?: string | undefined;
  readonly takeTheirsLink?: string | undefined;
  readonly goOnLink?: string | undefined;
  /** Lets the page's one style sheet be used, and nothing else. */
  readonly nonce: string;
}

const MAX_ROWS = 200;

/**
 * "What is in this session": one page without a script, a picture or a request. Every text of the file is shown as
 * text, with what the eye cannot see spelled out.
 */
export function importPage(inspection: Inspection, around: PageSurroundings): string {
  const { l10n } = around;
  const { session, threads, files, bases, commands, redaction, unknown } = inspection;
  const part = (title: string, rows: readonly string[], body: string): string =>
    rows.length === 0 ? '' : `<h2>${text(title)} <span>${rows.length}</span></h2>${body}`;
  const list = (title: string, rows: readonly string[]): string =>
    part(title, rows, `<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`);
  return page(text(session.title || l10n.t('Untitled session')), around, [
    session.goal === '' ? '' : `<p class="goal">${text(session.goal)}</p>`,
    `<dl>${facts(inspection, around)
      .map(([name, value]) => `<dt>${text(name)}</dt><dd>${value}</dd>`)
      .join('')}</dl>`,
    actions(inspection, around),
    list(
      l10n.t('Conversations'),
      capped(
        threads.map((thread) => threadRow(thread, around)),
        l10n,
      ),
    ),
    list(
      l10n.t('Files'),
      capped(
        files.map((file) => fileRow(file, l10n)),
        l10n,
      ),
    ),
    list(
      l10n.t('Based on'),
      bases.map((base) => baseRow(base, l10n)),
    ),
    list(
      l10n.t('Commands of terminals, shown and never run'),
      capped(
        commands.map((command) => code(command)),
        l10n,
      ),
    ),
    list(l10n.t('Left out by the sender'), capped(leftRows(redaction), l10n)),
    list(
      l10n.t('Not understood by this version, kept as data'),
      capped(
        unknown.map((name) => code(name)),
        l10n,
      ),
    ),
  ]);
}

/** The page of a file that is being opened, locked, refused or damaged, under the file's name. */
export function refusalPage(
  name: string,
  message: string,
  link: { readonly href: string; readonly label: string } | undefined,
  around: Pick<PageSurroundings, 'nonce'>,
): string {
  const action =
    link === undefined
      ? ''
      : `<p><a class="button" href="${attribute(link.href)}">${text(link.label)}</a></p>`;
  return page(text(name), around, [`<p>${text(message)}</p>`, action]);
}

function page(
  title: string,
  { nonce }: Pick<PageSurroundings, 'nonce'>,
  body: readonly string[],
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>${title}</title><style nonce="${nonce}">${style}</style></head><body><h1>${title}</h1>${body.join('')}</body></html>`;
}

const style = `
body { font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); max-width: 52em; padding: 8px 24px 32px; line-height: 1.5; }
h1 { font-size: 1.6em; font-weight: 600; margin: 16px 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.1em; font-weight: 600; margin: 24px 0 4px; }
h2 span { color: var(--vscode-descriptionForeground); font-weight: normal; }
.goal { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--vscode-descriptionForeground); margin-top: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 16px 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { padding: 0; margin: 0; list-style: none; }
li { padding: 3px 0; border-bottom: 1px solid var(--vscode-widget-border, transparent); overflow-wrap: anywhere; }
li span, .note { color: var(--vscode-descriptionForeground); }
li span { margin-left: 8px; }
code { font-family: var(--vscode-editor-font-family); }
.good { color: var(--vscode-charts-green, var(--vscode-foreground)); }
.bad { color: var(--vscode-errorForeground); }
.button { display: inline-block; padding: 4px 14px; margin: 0 8px 0 0; border-radius: 2px; text-decoration: none; border: 1px solid var(--vscode-button-border, transparent); color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.button:hover { background: var(--vscode-button-hoverBackground); }
.second { border-color: var(--vscode-button-border, var(--vscode-widget-border, var(--vscode-descriptionForeground))); color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
`;

function facts(
  inspection: Inspection,
  { l10n, moment }: PageSurroundings,
): readonly [string, string][] {
  const { session, createdAt, tool, bytes, plainBytes, encryption, isNewer, version } = inspection;
  const size = l10n.t('{0}, {1} in it', fileSize(bytes), fileSize(plainBytes));
  const locked: Readonly<Record<Inspection['encryption'], string>> = {
    none: l10n.t('not encrypted'),
    passphrase: l10n.t('encrypted with a passphrase'),
    recipients: l10n.t('encrypted for recipients'),
  };
  const newer = isNewer ? ` ${l10n.t('(newer than this version knows)')}` : '';
  return [
    [l10n.t('From'), from(inspection, l10n, moment)],
    [l10n.t('Made'), text(l10n.t('{0} by {1}', moment(createdAt), tool))],
    [
      l10n.t('File'),
      text(`${size}, ${locked[encryption]}, ${l10n.t('format')} ${version}${newer}`),
    ],
    [l10n.t('Snapshots'), String(session.snapshots)],
    ...(session.tags.length === 0
      ? []
      : [
          [l10n.t('Tags'), text(session.tags.map((tag) => `#${tag}`).join(' '))] as [
            string,
            string,
          ],
        ]),
    [
      l10n.t('Secrets'),
      [text(hidden(inspection.redaction, l10n)), found(inspection, l10n)]
        .filter((words) => words !== '')
        .join('<br>'),
    ],
  ];
}

function from({ author }: Inspection, l10n: Words, moment: (at: number) => string): string {
  const name = `<b>${text(author.name ?? l10n.t('somebody'))}</b>`;
  const key = author.fingerprint === undefined ? '' : ` <code>${text(author.fingerprint)}</code>`;
  const other =
    author.isNameOfOther === true
      ? ` <span class="bad">${text(l10n.t('This name is known here with another key.'))}</span>`
      : '';
  switch (author.signature) {
    case 'verified': {
      const since = author.knownSince === undefined ? '' : moment(author.knownSince);
      return `${name} <span class="good">${text(l10n.t('verified, known since {0}', since))}</span>${key}`;
    }
    case 'unknown':
      return `${name} <span class="note">${text(l10n.t('unverified: this key is new here'))}</span>${key}${other}`;
    case 'broken':
      return `${name} <span class="bad">${text(l10n.t('broken: the signature is not of what the file holds'))}</span>${key}`;
    case 'none':
      return `${name} <span class="note">${text(l10n.t('unverified: not signed'))}</span>`;
  }
}

function hidden({ lane, masked }: RedactionSummary, l10n: Words): string {
  if (lane === 'none') return l10n.t('The file was not looked through for secrets.');
  const kinds = masked.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  return kinds === ''
    ? l10n.t('none were found by the sender')
    : l10n.t('hidden by the sender: {0}', kinds);
}

function actions(inspection: Inspection, around: PageSurroundings): string {
  const { here, author } = inspection;
  const { l10n, importLink, takeTheirsLink, goOnLink } = around;
  const note: Readonly<Record<Inspection['here']['state'], string>> = {
    new: l10n.t('Nothing of it is here yet. Importing runs nothing.'),
    beside: l10n.t(
      'It goes on from a session of yours and comes in beside it. Importing runs nothing.',
    ),
    imported: l10n.t('It is here already. Importing it again changes nothing.'),
    newer: l10n.t('It is newer than what you imported before, and adds to it.'),
    older: l10n.t('It is older than what you imported before, which stays as it is.'),
  };
  const isConflict = here.conflicts.length > 0;
  const label =
    here.state !== 'newer'
      ? l10n.t('Import')
      : isConflict
        ? l10n.t('Update, and keep what I changed')
        : l10n.t('Update the session');
  const link = (href: string | undefined, words: string, kind: string): string =>
    href === undefined ? '' : `<a class="${kind}" href="${attribute(href)}">${text(words)}</a>`;
  // What is here already is gone on with; importing it again would change nothing.
  const isNews = here.state !== 'imported' && here.state !== 'older';
  const buttons =
    author.signature === 'broken'
      ? ''
      : [
          isNews ? '' : link(goOnLink, l10n.t('Go on here…'), 'button'),
          here.state === 'imported' && goOnLink !== undefined
            ? ''
            : link(importLink, label, isNews ? 'button' : 'button second'),
          isConflict
            ? link(takeTheirsLink, l10n.t('Update, and take theirs…'), 'button second')
            : '',
          isNews ? link(goOnLink, l10n.t('Go on here…'), 'button second') : '',
        ].join('');
  return `<p class="note">${text(note[here.state])}</p>${differences(inspection, l10n)}${buttons === '' ? '' : `<p>${buttons}</p>`}`;
}

/** What was changed here and by the sender, side by side. */
function differences({ here }: Inspection, l10n: Words): string {
  const rows = here.differences.map(
    (one) =>
      `<dt>${text(fieldName(one.field, l10n))}</dt><dd>${text(l10n.t('here'))}: <b>${text(one.here)}</b><br>${text(l10n.t('in the file'))}: <b>${text(one.theirs)}</b></dd>`,
  );
  if (rows.length === 0) return '';
  return `<p>${text(l10n.t('You and the sender have both changed:'))}</p><dl>${rows.join('')}</dl>`;
}

/** What our own rules find, which a sender's word cannot stand for. */
function found({ findings }: Inspection, l10n: Words): string {
  if (findings === undefined) return '';
  const { kinds, bytes, isWhole } = findings;
  const list = kinds.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  const part = isWhole ? '' : ` ${l10n.t('(only {0} were looked through)', fileSize(bytes))}`;
  return kinds.length === 0
    ? `<span class="good">${text(l10n.t('none found here') + part)}</span>`
    : `<span class="bad">${text(l10n.t('found here: {0}', list) + part)}</span>`;
}

const threadRow = (
  thread: InspectedThread,
  { agentName, moment, l10n }: PageSurroundings,
): string => {
  const { title, agent, isKnownAgent, turns, lastAt, bytes } = thread;
  const about = [
    isKnownAgent ? agentName(agent) : l10n.t('{0} (not known here)', agent),
    turns === 1 ? l10n.t('1 prompt') : l10n.t('{0} prompts', turns),
    ...(lastAt === undefined ? [] : [moment(lastAt)]),
    fileSize(bytes),
  ];
  return `${text(title)} <span>${text(about.join(' · '))}</span>`;
};

function fileRow({ path, what, hasContent, bytes }: InspectedFile, l10n: Words): string {
  const kinds: Readonly<Record<InspectedFile['what'], string>> = {
    changed: l10n.t('changed'),
    new: l10n.t('new'),
    moved: l10n.t('moved'),
    deleted: l10n.t('deleted'),
    untracked: l10n.t('not tracked by git'),
    draft: l10n.t('unsaved text'),
  };
  const content = hasContent
    ? bytes === undefined
      ? ''
      : fileSize(bytes)
    : l10n.t('content left out');
  return `${code(path)} <span>${text([kinds[what], content].filter(Boolean).join(' · '))}</span>`;
}

function baseRow({ name, branch, head, folder, isHere }: InspectedBase, l10n: Words): string {
  const commit = [branch, head?.slice(0, 12)].filter((one) => one !== undefined).join(' ');
  const state =
    folder === undefined
      ? l10n.t('no folder of this window is a clone of it')
      : isHere === false
        ? l10n.t('the commit is not here: fetch it first')
        : l10n.t('here');
  return `${text(name)} ${code(commit)} <span>${text(state)}</span>`;
}

const leftRows = ({ leftOut }: RedactionSummary): readonly string[] =>
  leftOut
    .filter(({ reason }) => reason !== 'notAsked')
    .map(({ what, reason }) => `${code(what)} <span>${text(reason)}</span>`);

const capped = (rows: readonly string[], l10n: Words): readonly string[] =>
  rows.length <= MAX_ROWS
    ? rows
    : [...rows.slice(0, MAX_ROWS), text(l10n.t('{0} more', rows.length - MAX_ROWS))];

const code = (value: string): string => `<code>${text(value)}</code>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of a file as text of a page; long ones are cut. */
const text = (value: string): string =>
  visible(value.slice(0, 4000)).replace(/[&<>"']/g, (character) => entities[character] ?? '');

const attribute = text;
