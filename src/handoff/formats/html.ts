import { createHash } from 'node:crypto';
import type { Part, ToolCall, Turn, Thread } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { oneLine, visible } from '../../core/thread/text.js';
import { isoTime, type ReadableFormat } from './readable.js';

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.25; } h2 { border-top: 1px solid var(--line); padding-top: 1.5rem; margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; } dt { opacity: .7; } dd { margin: 0; }
article { margin: 1rem 0; } article > header { font-size: .85rem; opacity: .7; }
.user > div { border-left: 3px solid var(--line); padding-left: .8rem; }
.text, pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
details, pre { background: var(--soft); border-radius: 6px; padding: .4rem .7rem; } details pre { background: none; padding: 0; }
pre, code { font: .85rem/1.45 ui-monospace, monospace; } summary { cursor: pointer; overflow-wrap: anywhere; }
img { max-width: 100%; } table { border-collapse: collapse; } td, th { text-align: left; padding: .1rem .8rem .1rem 0; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing may be fetched and nothing run, whatever slipped through: images are in the page itself. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

/** One page without script, links or anything that is fetched, for light and dark. */
export const html: ReadableFormat = async function* (readable) {
  const { session, snapshots, author, createdAt, tool } = readable;
  const title = escape(oneLine(session.title, 200)) || 'Session';
  yield [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">',
    `<title>${title}</title><style>${style}</style></head><body>`,
    `<h1>${title}</h1>`,
    facts([
      ['Goal', session.goal],
      ['Status', session.status],
      ['Tags', session.tags.join(', ')],
      ['Time', `${isoTime(session.createdAt)} to ${isoTime(session.updatedAt)}`],
      ['Exported', `${isoTime(createdAt)}, ${tool.name} ${tool.version}`],
      ['By', author ?? ''],
    ]),
    ...(snapshots.length === 0 ? [] : ['<details><summary>Snapshots</summary><table>']),
    ...snapshots.map(
      ({ at, reason, label = '', branch = '' }) =>
        `<tr><td>${isoTime(at)}</td><td>${escape(reason)}</td><td>${escape(branch)}</td><td>${escape(label)}</td></tr>`,
    ),
    ...(snapshots.length === 0 ? [] : ['</table></details>']),
    '',
  ].join('\n');
  for await (const thread of readable.threads) {
    yield threadHead(thread);
    for (const turn of thread.turns) yield turnOf(turn, thread);
  }
  yield '</body></html>\n';
};

function threadHead(thread: Thread): string {
  const { agent, title, counts, cwd, branch } = thread;
  const heading = title ?? counts.firstPrompt ?? agentName(agent);
  return `<h2>${escape(oneLine(heading, 200))}</h2>\n${facts([
    ['Agent', agentName(agent)],
    ['Models', counts.models.join(', ')],
    ['Folder', cwd ?? ''],
    ['Branch', branch ?? ''],
  ])}\n`;
}

const facts = (pairs: readonly (readonly [string, string])[]): string =>
  `<dl>${pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`)
    .join('')}</dl>`;

function turnOf(turn: Turn, { agent }: Thread): string {
  const who = { user: 'You', assistant: agentName(agent), system: 'System' }[turn.role];
  const head = [who, turn.model ?? '', turn.at === undefined ? '' : isoTime(turn.at)];
  const said = head.filter(Boolean).map(escape).join(' · ');
  const parts = turn.parts.map(partOf).join('\n');
  return `<article class="${turn.role}"><header>${said}</header><div>\n${parts}\n</div></article>\n`;
}

function partOf(part: Part): string {
  switch (part.kind) {
    case 'text':
      return `<div class="text">${escape(part.text)}</div>`;
    case 'thinking':
      return `<details><summary>Thinking</summary><div class="text">${escape(part.text)}</div></details>`;
    case 'toolCall':
      return toolCall(part);
    case 'image':
      return image(part);
    case 'attachment':
      return `<div class="text">Attached ${escape(part.name)}</div>`;
    case 'notice':
      return `<details><summary>${escape(part.notice)}</summary><div class="text">${escape(part.text)}</div></details>`;
  }
}

function toolCall({ name, input, result }: ToolCall): string {
  const state = result === undefined ? ' · no result' : result.isError ? ' · failed' : '';
  const given = typeof input === 'string' ? input : JSON.stringify(input ?? {}, undefined, 2);
  const came = result === undefined ? '' : `<pre>${escape(result.text)}</pre>`;
  return `<details><summary><code>${escape(oneLine(name, 100))}</code>${state}</summary><pre>${escape(given)}</pre>${came}</details>`;
}

/** Formats that no browser runs anything in; SVG is not among them. */
const shown = /^image\/(?:png|jpeg|gif|webp)$/;

function image({ mediaType, data, name }: Extract<Part, { kind: 'image' }>): string {
  const label = escape(oneLine(name ?? 'Image', 200));
  const isShown = data !== undefined && shown.test(mediaType) && /^[A-Za-z0-9+/=]+$/.test(data);
  return isShown
    ? `<img alt="${label}" src="data:${mediaType};base64,${data}">`
    : `<div class="text">${label} (${escape(oneLine(mediaType, 100))})</div>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Text as text, wherever in the page it stands; what the eye cannot see is spelled out. */
const escape = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
