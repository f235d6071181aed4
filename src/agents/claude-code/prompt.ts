import { withoutHeadBlocks } from '../headBlocks.js';

/**
 * Who speaks in a record of type `user`: only some of them were typed by a person. `text` is what to
 * show, without the blocks that the editor or the agent put before it.
 */
export interface UserText {
  readonly kind:
    | 'prompt'
    /** `/x`, typed by a person, not part of the conversation. */
    | 'command'
    /** `!x`, likewise. */
    | 'shell'
    /** What such a command or shell line printed. */
    | 'output'
    | 'interrupted'
    | 'notification'
    | 'compaction'
    /** Nothing but reminders and caveats. */
    | 'injected';
  readonly text: string;
}

const marks: readonly (readonly [RegExp, UserText['kind']])[] = [
  [/^\[Request interrupted/, 'interrupted'],
  [/^<(local-command|bash)-(stdout|stderr)>/, 'output'],
  [/^(<local-command-caveat>|Caveat: The messages below)/, 'injected'],
  [/^<(task-notification|teammate-message)\b/, 'notification'],
  [/^<command-(name|message|args|contents)>/, 'command'],
  [/^<bash-input>/, 'shell'],
  // Versions that did not yet flag it as `isCompactSummary`.
  [/^This session is being continued from a previous conversation/, 'compaction'],
];

export function readUserText(text: string): UserText {
  const rest = withoutHeadBlocks(text).trim();
  if (rest === '') return { kind: 'injected', text: rest };
  const kind = marks.find(([start]) => start.test(rest))?.[1] ?? 'prompt';
  return { kind, text: shown(kind, rest) };
}

function shown(kind: UserText['kind'], text: string): string {
  if (kind === 'command') {
    return [element(text, 'command-name'), element(text, 'command-args')].join(' ').trim() || text;
  }
  if (kind === 'shell') return element(text, 'bash-input');
  if (kind === 'output') return withoutTags(text);
  if (kind === 'notification') return element(text, 'summary') || text;
  return text;
}

const withoutTags = (text: string): string =>
  text.replace(/<\/?(?:local-command|bash)-(?:stdout|stderr)>/g, '\n').trim();

const element = (text: string, name: string): string =>
  new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]?.trim() ?? '';
