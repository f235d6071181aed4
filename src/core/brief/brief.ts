import type { CountTokens } from '../convert/window.js';
import type { Changes } from '../model/changes.js';
import type { Thread } from '../model/thread.js';
import { agentName } from '../thread/names.js';
import { oneLine, visible } from '../thread/text.js';
import { exchangesOf } from './exchanges.js';
import type { BriefFacts } from './facts.js';
import { factsOf } from './facts.js';
import { fence } from './fence.js';
import type { Section } from './sections.js';
import { fill } from './sections.js';

export interface BriefRequest {
  readonly thread: Thread;
  /** The session that the thread belongs to. */
  readonly session?: { readonly title: string; readonly goal: string } | undefined;
  /** Of the newest snapshot. */
  readonly changes?: Changes | undefined;
  /** The person who hands the work over, where that is not who takes it. */
  readonly author?: string | undefined;
  /** How the whole conversation can be read, such as a command line; one line each. */
  readonly more: readonly string[];
}

export interface Brief {
  /** A prompt for any agent, Markdown. */
  readonly text: string;
  readonly tokens: number;
  /** Things that were left out because they did not fit. */
  readonly left: number;
}

/** Tokens of a brief that nobody asked to be of another size. */
export const BRIEF_TOKENS = 6000;
const SMALLEST = 400;

/**
 * What somebody who cannot take the whole conversation needs to go on with it: goal, state of the changes, todos,
 * what was asked, decided, tried and failed, the files that matter, and the last exchanges as they were. It is
 * made from the records alone, without a model: the same records give the same brief.
 *
 * @param maxTokens what the text may cost, as `count` counts; at least 400.
 */
export function makeBrief(
  request: BriefRequest,
  count: CountTokens,
  maxTokens = BRIEF_TOKENS,
): Brief {
  const { thread, author } = request;
  const source = agentName(thread.agent);
  const head = headOf(request, source);
  const wrap = (inner: string): string =>
    [
      head,
      fence(inner, { source, author }),
      'Go on from where it ends. Look at the files first: they may have changed since.',
    ].join('\n\n');
  const room = Math.max(SMALLEST, maxTokens) - count(wrap('')) - 10;
  const { text, left } = fill(sectionsOf(request, factsOf(thread)), room, count);
  const whole = wrap(text);
  return { text: whole, tokens: count(whole), left };
}

/** Only our own words: names and titles come from the records, and stand within the fence. */
const headOf = ({ more }: BriefRequest, source: string): string =>
  [
    `You take over work that was begun with ${source}.`,
    ...more.map((line) => `Read the whole conversation: ${oneLine(line, 400)}`),
  ].join('\n');

const aboutOf = ({ thread: { title, counts, cwd, branch } }: BriefRequest): readonly string[] =>
  [
    ['Title', title ?? counts.firstPrompt],
    ['Folder', cwd],
    ['Branch', branch],
  ].flatMap(([name = '', value]) =>
    value === undefined ? [] : `- ${name}: ${oneLine(value, 200)}`,
  );

/** In the order of reading; what matters most is filled first. */
function sectionsOf(request: BriefRequest, facts: BriefFacts): readonly Section[] {
  const { thread } = request;
  const { todos } = thread;
  return [
    { title: 'About', items: aboutOf(request), keep: 'first', share: 0.1, rank: 0 },
    { title: 'Goal', items: goalOf(request, facts), keep: 'first', share: 0.15, rank: 1 },
    {
      title: 'State of the changes',
      items: stateOf(request.changes),
      keep: 'first',
      share: 0.12,
      rank: 4,
    },
    {
      title: 'Todos',
      items: todos.map(
        ({ text, state }) =>
          `- [${state === 'done' ? 'x' : ' '}] ${oneLine(text, 200)}${state === 'doing' ? ' (begun)' : ''}`,
      ),
      keep: 'first',
      share: 0.1,
      rank: 2,
    },
    {
      title: 'What was asked',
      items: facts.prompts.map((text, at) => `${at + 1}. ${oneLine(text, 600)}`),
      keep: 'last',
      share: 0.15,
      rank: 5,
    },
    {
      title: 'Decisions',
      items: facts.decisions.map((text) => `- ${text}`),
      keep: 'last',
      share: 0.12,
      rank: 6,
    },
    { title: 'Tried and failed', items: attemptsOf(facts), keep: 'last', share: 0.12, rank: 7 },
    { title: 'Files', items: filesOf(facts), keep: 'first', share: 0.12, rank: 8 },
    {
      title: `Summary that ${agentName(thread.agent)} made of earlier turns`,
      items: facts.summary === undefined ? [] : [visible(facts.summary)],
      keep: 'first',
      share: 0.25,
      rank: 9,
    },
    // The last exchange has its place in any case; earlier ones take what the others leave.
    {
      title: 'Last exchanges',
      items: exchangesOf(thread),
      keep: 'last',
      share: 1,
      rank: 10,
      least: 0.25,
    },
  ];
}

function goalOf({ session, thread }: BriefRequest, { prompts }: BriefFacts): readonly string[] {
  const goal = session?.goal.trim() ?? '';
  const first = prompts[0] ?? thread.counts.firstPrompt ?? '';
  return [
    ...(goal === '' ? [] : [visible(goal)]),
    ...(first === '' ? [] : [`It began with: ${visible(first)}`]),
  ];
}

const letters: Readonly<Record<string, string>> = {
  M: 'changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  U: 'in conflict',
  T: 'changed in type',
};

function stateOf(changes: Changes | undefined): readonly string[] {
  return (changes?.repositories ?? []).flatMap(({ branch, head, files, untracked }) => {
    const at = [branch && `branch ${branch}`, head && `commit ${head.slice(0, 10)}`].filter(
      Boolean,
    );
    const rows = files.map(({ path, from, status }) => {
      const word = letters[status.trim().charAt(0)] ?? 'changed';
      const isStaged = !status.startsWith(' ');
      return `- ${from === undefined ? path : `${from} → ${path}`}: ${word}${isStaged ? ', staged' : ''}`;
    });
    const others = untracked.map(({ path }) => `- ${path}: not tracked`);
    const none = rows.length + others.length === 0 ? ['- nothing is uncommitted'] : [];
    return [`Git: ${at.join(', ') || 'no commit yet'}`, ...rows, ...others, ...none].map((line) =>
      oneLine(line, 300),
    );
  });
}

const attemptsOf = ({ attempts }: BriefFacts): readonly string[] =>
  // What still fails is told rather than what was overcome.
  [...attempts.filter(({ works }) => works), ...attempts.filter(({ works }) => !works)].map(
    ({ command, failures, works, error }) => {
      const times = failures === 1 ? 'failed' : `failed ${failures} times`;
      return `- \`${oneLine(command, 200)}\` ${times}${works ? ', then worked' : ''}${error === '' ? '' : `: ${error}`}`;
    },
  );

const filesOf = ({ files }: BriefFacts): readonly string[] =>
  [...files]
    .reverse()
    .sort((a, b) => Math.min(b.edits, 1) - Math.min(a.edits, 1))
    .map(({ path, reads, edits, why }) => {
      const what = [edits > 0 && `changed ${edits}×`, reads > 0 && `read ${reads}×`].filter(
        Boolean,
      );
      return `- ${oneLine(path, 200)} (${what.join(', ')})${why === '' ? '' : `: ${why}`}`;
    });
