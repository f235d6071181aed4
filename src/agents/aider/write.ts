import { join } from 'node:path';
import type { Content, Conversation, Message } from '../../core/convert/conversation.js';
import type { NewSession, Target } from '../target.js';
import { heldText, ownFileOf } from './history.js';
import { restoreArgv } from './launch.js';

/**
 * A history of one conversation in the project's folder, beside the person's own, which is never touched. Aider reads
 * it back by its lines alone (`split_chat_history_markdown` in `utils.py` of 0.86): what a tool said is left out there,
 * so calls are told in the answers. It writes what comes next into the same file.
 */
export const aiderTarget: Target = {
  agent: 'aider',
  name: 'Aider',
  getIt: 'python -m pip install aider-install && aider-install',
  takes: {
    images: false,
    summaries: false,
    calls: false,
    held: heldText,
    callId: /^/,
    toolName: { allowed: /$^/g, longest: 64 },
  },
  newId: (random) => random,
  home: ({ userHome }) => userHome,
  write: (conversation, place) => [
    { path: pathOf(place), bytes: Buffer.from(historyOf(conversation, place)) },
  ],
  // Its records are stretches of the history: behind each other they are the session again.
  rewrite: ({ records, turns }, place) =>
    turns === undefined ? [{ path: pathOf(place), bytes: Buffer.concat(records) }] : undefined,
  resume: ({ id }) => restoreArgv(id),
};

const pathOf = ({ id, cwd }: NewSession): string => join(cwd, ownFileOf(id));

function historyOf({ messages }: Conversation, { now }: NewSession): string {
  const began = `# aider chat started at ${localTime(messages[0]?.at || now)}\n`;
  return [began, ...messages.map(stretchOf)].join('\n');
}

/** Blank lines part the stretches. */
function stretchOf(message: Message): string {
  if (message.role === 'summary') return '';
  const text = textOf(message.content);
  if (message.role === 'assistant') return `${text.replace(/^\n+/, '').trimEnd()}\n`;
  // Each line ends in a line break of Markdown, as Aider itself writes it.
  return text
    .split('\n')
    .map((line) => `#### ${line}  \n`)
    .join('');
}

const textOf = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');

/** As Aider writes it: by the clock of the machine, without a zone. */
function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${day.join('-')} ${time.join(':')}`;
}
