import type { Part, Thread, Turn } from '../model/thread.js';
import { oneLine, visible } from '../thread/text.js';
import type { ActKind } from '../tools/act.js';
import { actOf, pathsOf } from '../tools/act.js';

/** A result that is short is worth its words. */
const RESULT = 400;

/** What a file holds is better read than told, and that an edit worked says enough. */
const quiet: ReadonlySet<ActKind> = new Set(['read', 'write', 'edit', 'patch', 'list']);

/** The turns as they were said, one text each; tool calls in a line. Thinking is left out. */
export const exchangesOf = ({ turns }: Thread): readonly string[] =>
  turns.flatMap((turn) => {
    const lines = turn.parts.flatMap(linesOf);
    return lines.length === 0 ? [] : [[`### ${speaker(turn)}`, ...lines].join('\n\n')];
  });

const speaker = ({ role }: Turn): string =>
  role === 'user' ? 'Person' : role === 'assistant' ? 'Agent' : 'Note';

function linesOf(part: Part): readonly string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [visible(part.text.trim())];
    case 'toolCall': {
      const { name, result } = part;
      const act = actOf(part);
      // The list has its own place in a brief.
      if (act?.kind === 'todos') return [];
      const state = result === undefined ? 'not answered' : result.isError ? 'failed' : 'done';
      const isTelling = result?.isError === true || act === undefined || !quiet.has(act.kind);
      const text = isTelling ? oneLine(result?.text ?? '', RESULT) : '';
      return [
        `[${oneLine(name, 60)}] ${aboutOf(part)} (${state})${text === '' ? '' : `: ${text}`}`,
      ];
    }
    case 'image':
      return [`[image${part.name === undefined ? '' : ` ${oneLine(part.name, 100)}`}]`];
    case 'attachment':
      return [`[attached ${oneLine(part.name, 200)}]`];
    case 'notice':
      return part.notice === 'compaction' ? [] : [`[${part.notice}] ${oneLine(part.text, RESULT)}`];
    case 'thinking':
      return [];
  }
}

function aboutOf(call: Extract<Part, { kind: 'toolCall' }>): string {
  const act = actOf(call);
  if (act?.kind === 'shell') return `\`${oneLine(act.command, 200)}\``;
  const paths = act === undefined ? [] : pathsOf(act);
  if (paths.length > 0) return oneLine(paths.join(', '), 200);
  return call.input === undefined ? '' : oneLine(JSON.stringify(call.input), 200);
}
