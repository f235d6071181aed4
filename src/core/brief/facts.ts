import type { Part, Thread, ToolCall, Turn } from '../model/thread.js';
import { oneLine } from '../thread/text.js';
import type { Act } from '../tools/act.js';
import { actOf, pathsOf } from '../tools/act.js';
import { decisionsIn } from './decisions.js';

/** What a brief tells of a thread, each list in the order of the conversation. */
export interface BriefFacts {
  /** What the person wrote. */
  readonly prompts: readonly string[];
  readonly decisions: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly files: readonly FileFact[];
  /** The agent's own summary of what it does not see any more: the newest. */
  readonly summary?: string | undefined;
}

/** A command that failed at least once. */
export interface Attempt {
  readonly command: string;
  readonly failures: number;
  /** The last time it was run it did not fail. */
  readonly works: boolean;
  /** Of its last failure. */
  readonly error: string;
}

export interface FileFact {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** What the agent said before it changed the file last, else before it read it. */
  readonly why: string;
}

export const textOf = ({ parts }: Turn): string =>
  parts
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');

/** Reads a thread once and keeps what somebody who goes on with it has to know. */
export function factsOf({ turns }: Thread): BriefFacts {
  const prompts: string[] = [];
  const decisions = new Set<string>();
  const attempts = new Map<string, Attempt>();
  const files = new Map<string, FileFact>();
  let summary: string | undefined;
  let said = '';

  const see = (part: Part, role: Turn['role']): void => {
    if (part.kind === 'notice' && part.notice === 'compaction') summary = part.text;
    if (part.kind === 'text' && role === 'assistant') {
      said = oneLine(part.text, 160);
      for (const decision of decisionsIn(part.text)) decisions.add(decision);
    }
    if (part.kind !== 'toolCall') return;
    const act = actOf(part);
    if (act === undefined) return;
    if (act.kind === 'shell') noteAttempt(attempts, act.command, part);
    if (act.kind === 'ask') for (const answer of answersOf(act, part)) decisions.add(answer);
    for (const path of pathsOf(act)) noteFile(files, path, act, said);
  };

  for (const turn of turns) {
    const text = turn.role === 'user' ? textOf(turn) : '';
    if (text !== '') {
      prompts.push(text);
      said = oneLine(text, 160);
    }
    for (const part of turn.parts) see(part, turn.role);
  }
  return {
    prompts,
    decisions: [...decisions],
    attempts: [...attempts.values()].filter(({ failures }) => failures > 0),
    files: [...files.values()],
    summary,
  };
}

function noteAttempt(
  attempts: Map<string, Attempt>,
  command: string,
  { result }: Pick<ToolCall, 'result'>,
): void {
  if (result === undefined) return;
  const before = attempts.get(command) ?? { command, failures: 0, works: true, error: '' };
  // What was tried last stands last.
  attempts.delete(command);
  attempts.set(
    command,
    result.isError
      ? { ...before, failures: before.failures + 1, works: false, error: lastLine(result.text) }
      : { ...before, works: true },
  );
}

/** Programs say why they failed at the end. */
const lastLine = (text: string): string =>
  oneLine(text.trimEnd().slice(-400).replace(/^.*\n/s, ''), 200);

function noteFile(files: Map<string, FileFact>, path: string, act: Act, why: string): void {
  // A search says little about the folder that it looks through.
  if (act.kind === 'grep' || act.kind === 'glob' || act.kind === 'list') return;
  const before = files.get(path) ?? { path, reads: 0, edits: 0, why: '' };
  files.delete(path);
  const isRead = act.kind === 'read';
  files.set(path, {
    path,
    reads: before.reads + (isRead ? 1 : 0),
    edits: before.edits + (isRead ? 0 : 1),
    why: isRead && before.edits > 0 ? before.why : why,
  });
}

const answersOf = (
  { questions }: Extract<Act, { kind: 'ask' }>,
  { result }: Pick<ToolCall, 'result'>,
): readonly string[] =>
  result === undefined
    ? []
    : [`Asked: ${oneLine(questions.join(' '), 200)} Answered: ${oneLine(result.text, 300)}`];
