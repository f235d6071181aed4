import type { Part, Turn } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, timeOf, type Fields } from '../json.js';
import type { LeftBranch } from '../leftBranches.js';
import { callParts, imagePart, textParts, type ToolResult } from '../parts.js';
import { sumOf } from '../tokens.js';
import { TurnList, type OpenTurn } from '../turnList.js';
import { contentText, kindOf, type Line } from './line.js';
import { promptOf, type PromptSource } from './prompt.js';
import { callOf, resultOf } from './tools.js';
import { CodexUsage } from './usage.js';

/**
 * Makes turns of a rollout's lines, and those of every time that some were rolled back; `prompts` is the
 * kind of record that its prompts are taken from.
 */
export function buildTurns(
  lines: readonly Line[],
  prompts: PromptSource,
): { readonly turns: readonly Turn[]; readonly left: readonly LeftBranch<Turn>[] } {
  const builder = new TurnBuilder(resultsIn(lines), prompts);
  for (const line of lines) builder.add(line);
  return { turns: builder.list.turns, left: builder.left };
}

class TurnBuilder {
  readonly list = new TurnList();
  /** The answer that is being given: what the model said at once, up to the first tool's result. */
  private answer: OpenTurn | undefined;
  private model: string | undefined;
  readonly left: LeftBranch<Turn>[] = [];
  private readonly seen = new Set<string>();
  private readonly usage = new CodexUsage();

  constructor(
    private readonly results: ReadonlyMap<string, ToolResult>,
    private readonly prompts: PromptSource,
  ) {}

  add(line: Line): void {
    const prompt = promptOf(line);
    if (prompt !== undefined) {
      if (prompt.from !== this.prompts) return;
      this.answer = undefined;
      const parts = [...textParts(prompt.text), ...prompt.images];
      this.list.open('user', this.originOf(line), parts);
    } else if (line.type === 'turn_context') {
      this.model = textOf(line.payload['model']) ?? this.model;
    } else if (line.type === 'response_item') this.addItem(line);
    else if (line.type === 'event_msg') this.addEvent(line);
    else if (line.type === 'compacted') {
      this.compaction(textOf(line.payload['message']) ?? '', line);
    }
  }

  private addItem(line: Line): void {
    const item = line.payload;
    const kind = kindOf(line);
    if (kind === 'message') this.addMessage(line);
    else if (kind === 'reasoning') this.say(line, [{ kind: 'thinking', text: thinkingOf(item) }]);
    else if (kind === 'web_search_call') this.say(line, [webSearch(item)]);
    else if (kind === 'image_generation_call') {
      this.say(line, [imagePart('image/png', item['result'])]);
    } else if (kind === 'compaction' || kind === 'context_compaction') this.compaction('', line);
    else if (kind === 'agent_message') this.notice('info', contentText(item['content']), line);
    else if (resultOf(item) !== undefined) this.answer = undefined;
    else this.addCall(line);
  }

  private addMessage(line: Line): void {
    const { role, content } = line.payload;
    if (role === 'assistant') this.say(line, textParts(contentText(content)));
    else if (role === 'user') this.addInjected(contentText(content).trim(), line);
  }

  /** Of what the program puts in the person's name, shell lines are the person's after all. */
  private addInjected(text: string, line: Line): void {
    const [, command] =
      /^<user_shell_command>[\s\S]*?<command>([\s\S]*?)<\/command>/.exec(text) ?? [];
    if (command !== undefined) this.notice('shell', command.trim(), line);
  }

  private addCall(line: Line): void {
    const call = callOf(line.payload);
    if (call === undefined || this.seen.has(call.id)) return;
    this.seen.add(call.id);
    this.say(line, callParts(call, this.results.get(call.id)));
  }

  private addEvent(line: Line): void {
    const event = line.payload;
    const kind = kindOf(line);
    this.count(line);
    if (kind === 'turn_aborted') this.notice('interrupted', '', line);
    else if (kind === 'error') this.notice('error', textOf(event['message']) ?? '', line);
    else if (kind === 'context_compacted') this.compaction('', line);
    else if (kind === 'entered_review_mode') this.notice('info', 'Review started', line);
    else if (kind === 'thread_rolled_back') {
      this.left.push({ leaf: `rollback-${this.left.length + 1}`, items: [...this.list.turns] });
      this.list.dropPrompts(Number(event['num_turns']) || 0);
      this.answer = undefined;
    }
  }

  /** What an answer cost is told when it is over, which may be after its calls were answered. */
  private count(line: Line): void {
    const tokens = this.usage.newIn(line);
    const turn = this.list.turns.findLast(({ role }) => role === 'assistant');
    if (turn !== undefined && tokens !== undefined) turn.tokens = sumOf(turn.tokens, tokens);
  }

  private say(line: Line, parts: readonly Part[]): void {
    this.answer ??= this.list.open('assistant', { ...this.originOf(line), model: this.model });
    this.answer.parts.push(...parts);
  }

  private notice(
    notice: 'info' | 'error' | 'interrupted' | 'shell',
    text: string,
    line: Line,
  ): void {
    this.answer = undefined;
    this.list.notice(notice, text, this.originOf(line));
  }

  private compaction(text: string, line: Line): void {
    this.answer = undefined;
    this.list.compaction(text, this.originOf(line));
  }

  private originOf({ payload, timestamp }: Line) {
    const id = textOf(payload['id']) ?? textOf(fieldsOf(payload['item'])?.['id']);
    return { id, at: timeOf(timestamp) };
  }
}

function resultsIn(lines: readonly Line[]): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { type, payload } of lines) {
    const result = type === 'response_item' ? resultOf(payload) : undefined;
    if (result !== undefined) results.set(result.id, result);
  }
  return results;
}

/** The summary is what people saw; a raw chain of thought is there with open models only. */
const thinkingOf = ({ summary, content }: Fields): string =>
  [summary, content]
    .flatMap(objectsOf)
    .map((part) => textOf(part['text']) ?? textOf(part['summary_text']) ?? '')
    .join('\n\n')
    .trim();

function webSearch({ action }: Fields): Part {
  const fields = fieldsOf(action);
  const what = [fields?.['query'], fields?.['url']].find(isString) ?? '';
  return { kind: 'notice', notice: 'info', text: `Searched the web: ${what}` };
}
