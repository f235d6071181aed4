import type { ThreadCounts, Todo } from '../../core/model/thread.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { queuedPrompt } from './attachment.js';
import { readUserText } from './prompt.js';
import { blocksOf, isToolCall, isToolResult, plainText } from './record.js';
import { TodoList } from './todos.js';

/**
 * What a file's records add up to; either those of the conversation itself or those of subagents that
 * older versions wrote into the same file. Holds ids, never text, except for the first and last prompt.
 */
export class Tally {
  private readonly messages = new Set<string>();
  private readonly calls = new Set<string>();
  private readonly results = new Set<string>();
  private readonly models = new Set<string>();
  private readonly todoList = new TodoList();
  private userTurns = 0;
  private thinkingBlocks = 0;
  private firstPrompt: string | undefined;
  private lastPrompt: string | undefined;
  /** Whether the records end in the middle of a turn. */
  working = false;

  get todos(): readonly Todo[] {
    return this.todoList.todos;
  }

  counts(): Omit<ThreadCounts, 'malformed' | 'firstAt' | 'lastAt'> {
    const matched = [...this.calls].filter((id) => this.results.has(id)).length;
    return {
      userTurns: this.userTurns,
      assistantMessages: this.messages.size,
      toolCalls: this.calls.size,
      toolResultsMatched: matched,
      toolResultsOrphan: [...this.results].filter((id) => !this.calls.has(id)).length,
      thinkingBlocks: this.thinkingBlocks,
      firstPrompt: this.firstPrompt,
      lastPrompt: this.lastPrompt,
      models: [...this.models],
    };
  }

  add(record: Fields): void {
    if (record['type'] === 'user') this.addUser(record);
    else if (record['type'] === 'assistant') this.addAssistant(record);
    else if (record['type'] === 'attachment') this.addAttachment(record);
    else if (record['type'] === 'system') this.addSystem(record);
  }

  private addUser(record: Fields): void {
    const blocks = blocksOf(fieldsOf(record['message'])?.['content']);
    for (const block of blocks) {
      if (isToolResult(block)) this.addResult(block);
    }
    this.todoList.addUser(record);
    if (record['isMeta'] === true || record['isCompactSummary'] === true) return;
    const { kind, text } = readUserText(plainText(blocks));
    if (kind === 'prompt') this.addPrompt(text);
    else if (kind === 'interrupted') this.working = false;
  }

  private addPrompt(text: string): void {
    this.userTurns += 1;
    this.firstPrompt ??= text;
    this.lastPrompt = text;
    this.working = true;
  }

  private addResult(block: Fields): void {
    const id = textOf(block['tool_use_id']);
    if (id !== undefined) this.results.add(id);
    this.working = true;
  }

  private addAssistant(record: Fields): void {
    const message = fieldsOf(record['message']);
    const id = textOf(message?.['id']) ?? textOf(record['uuid']);
    if (id !== undefined) this.messages.add(id);
    const model = textOf(message?.['model']);
    if (model !== undefined && model !== '<synthetic>') this.models.add(model);
    const blocks = blocksOf(message?.['content']);
    for (const block of blocks) this.addAnswerBlock(block);
    this.working = record['isApiErrorMessage'] !== true && goesOn(message, blocks);
  }

  private addAnswerBlock(block: Fields): void {
    const { type } = block;
    if (type === 'thinking' || type === 'redacted_thinking') this.thinkingBlocks += 1;
    else if (isToolResult(block)) this.addResult(block);
    else if (isToolCall(block)) {
      const id = textOf(block['id']);
      if (id !== undefined) this.calls.add(id);
      this.todoList.addCall(block);
    }
  }

  private addAttachment(record: Fields): void {
    const prompt = queuedPrompt(record);
    if (prompt === undefined) return;
    const { kind, text } = readUserText(plainText(prompt));
    if (kind === 'prompt') this.addPrompt(text);
  }

  private addSystem(record: Fields): void {
    const { subtype } = record;
    if (subtype === 'turn_duration' || subtype === 'stop_hook_summary') this.working = false;
  }
}

/** Most versions do not write why an answer stopped; there a text ends the turn, as far as one can tell. */
function goesOn(message: Fields | undefined, blocks: readonly Fields[]): boolean {
  const stop = textOf(message?.['stop_reason']);
  if (stop !== undefined) return stop === 'tool_use' || stop === 'pause_turn';
  return blocks.at(-1)?.['type'] !== 'text';
}
