import type { Todo } from '../../core/model/thread.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { ThreadTally } from '../threadTally.js';
import { usageApart } from '../tokens.js';
import { queuedPrompt } from './attachment.js';
import { readUserText } from './prompt.js';
import { blocksOf, isToolCall, isToolResult, plainText } from './record.js';
import { TodoList } from './todos.js';

/**
 * What a file's records add up to; either those of the conversation itself or those of subagents that
 * older versions wrote into the same file. Holds ids, never text, except for the first and last prompt.
 */
export class Tally {
  private readonly tally = new ThreadTally();
  private readonly todoList = new TodoList();
  /** Whether the records end in the middle of a turn. */
  working = false;

  get todos(): readonly Todo[] {
    return this.todoList.todos;
  }

  counts(): ReturnType<ThreadTally['counts']> {
    return this.tally.counts();
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
    this.tally.prompts.add(text);
    this.working = true;
  }

  private addResult(block: Fields): void {
    const id = textOf(block['tool_use_id']);
    if (id !== undefined) this.tally.results.add(id);
    this.working = true;
  }

  private addAssistant(record: Fields): void {
    const message = fieldsOf(record['message']);
    const id = textOf(message?.['id']) ?? textOf(record['uuid']);
    if (id !== undefined) this.tally.answers.add(id);
    this.tally.tokens.add(usageApart(message?.['usage']), id);
    const model = textOf(message?.['model']);
    if (model !== undefined && model !== '<synthetic>') this.tally.models.add(model);
    const blocks = blocksOf(message?.['content']);
    for (const block of blocks) this.addAnswerBlock(block);
    this.working = record['isApiErrorMessage'] !== true && goesOn(message, blocks);
  }

  private addAnswerBlock(block: Fields): void {
    const { type } = block;
    if (type === 'thinking' || type === 'redacted_thinking') this.tally.thinkingBlocks += 1;
    else if (isToolResult(block)) this.addResult(block);
    else if (isToolCall(block)) {
      const id = textOf(block['id']);
      if (id !== undefined) this.tally.calls.add(id);
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
