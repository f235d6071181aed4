import { join } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { jsonLines } from '../jsonLines.js';
import type { NewSession, Target } from '../target.js';
import { homesOf } from './find.js';
import { encodeFolder } from './folders.js';
import { rewriteRecords } from './rewrite.js';

/** The version whose records these look like, and which was tried with them. */
const version = '2.1.332';

/**
 * A new session of Claude Code. What its loader wants was tried on 2.1.197 and 2.1.332: a time on each
 * record, the answer's content as a list, and a model, without which it hangs.
 */
export const claudeTarget: Target = {
  agent: 'claude-code',
  name: 'Claude Code',
  getIt: 'npm install -g @anthropic-ai/claude-code',
  takes: {
    images: true,
    summaries: true,
    // Its loader takes `x_1` for a copy of `x`, and then misses the result (seen with 2.1.332).
    callId: /^(?!.*_\d+$)[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => homesOf({ ...query, folders: [], homes: [] })[0] ?? '',
  write: (conversation, place) => [
    { path: pathOf(place), bytes: jsonLines(new Writer(conversation, place).records()) },
  ],
  rewrite: (own, place) => [{ path: pathOf(place), bytes: rewriteRecords(own, place) }],
  resume: ({ id }) => ['claude', '--resume', id],
};

const pathOf = ({ id, cwd }: NewSession): string =>
  join('projects', encodeFolder(cwd), `${id}.jsonl`);

/** What stands before a summary, so that the model knows what it reads; the agent's own words for it. */
const summaryHead =
  'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:';

class Writer {
  private readonly lines: unknown[] = [];
  private last: string | null = null;

  constructor(
    private readonly conversation: Conversation,
    private readonly place: NewSession,
  ) {}

  records(): readonly unknown[] {
    const { title, messages } = this.conversation;
    const { id: sessionId } = this.place;
    for (const message of messages) this.add(message);
    if (title !== '') this.lines.push({ type: 'ai-title', aiTitle: title, sessionId });
    const leaf = { type: 'last-prompt', lastPrompt: lastPrompt(messages), leafUuid: this.last };
    this.lines.push({ ...leaf, sessionId });
    return this.lines;
  }

  private add(message: Message): void {
    if (message.role === 'user') this.user(message.at, { content: contentOf(message.content) });
    else if (message.role === 'summary') this.summary(message.at, message.text);
    else this.answer(message);
  }

  private answer({ at, model, content, calls }: Extract<Message, { role: 'assistant' }>): void {
    const id = `msg_${this.place.uuid().replaceAll('-', '').slice(0, 24)}`;
    const blocks = [...content.map(blockOf), ...calls.map(callBlock)];
    const hasCalls = calls.length > 0;
    const made = blocks.map((block) =>
      this.record('assistant', at, {
        message: {
          id,
          type: 'message',
          role: 'assistant',
          model: model ?? 'unknown',
          content: [block],
          stop_reason: hasCalls ? 'tool_use' : 'end_turn',
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      }),
    );
    for (const [index, call] of calls.entries()) {
      const sourceToolAssistantUUID = made[content.length + index];
      this.user(at, { content: [resultBlock(call)] }, { sourceToolAssistantUUID });
    }
  }

  private summary(at: number, text: string): void {
    const logicalParentUuid = this.last;
    this.last = null;
    this.record('system', at, {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid,
      compactMetadata: { trigger: 'auto', preTokens: 0 },
    });
    const content = text.startsWith(summaryHead.slice(0, 40)) ? text : `${summaryHead}\n\n${text}`;
    this.user(at, { content }, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  private user(at: number, message: object, more: object = {}): void {
    this.record('user', at, { message: { role: 'user', ...message }, ...more });
  }

  private record(type: string, at: number, fields: object): string {
    const { id: sessionId, cwd, now, uuid: next } = this.place;
    const uuid = next();
    this.lines.push({
      parentUuid: this.last,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version,
      gitBranch: this.conversation.branch ?? '',
      type,
      ...fields,
      uuid,
      timestamp: new Date(at || now).toISOString(),
    });
    this.last = uuid;
    return uuid;
  }
}

function contentOf(content: readonly Content[]): unknown {
  const [first, ...others] = content;
  return first?.kind === 'text' && others.length === 0 ? first.text : content.map(blockOf);
}

const blockOf = (content: Content): object =>
  content.kind === 'text'
    ? { type: 'text', text: content.text }
    : {
        type: 'image',
        source: { type: 'base64', media_type: content.mediaType, data: content.data },
      };

const callBlock = ({ id, name, input }: AnsweredCall): object => ({
  type: 'tool_use',
  id,
  name,
  input,
});

function resultBlock({ id, result }: AnsweredCall): object {
  const { text, isError, images } = result;
  const texts = text === '' ? [] : [blockOf({ kind: 'text', text })];
  const content = images.length === 0 ? text : [...texts, ...images.map(blockOf)];
  return { type: 'tool_result', tool_use_id: id, content, is_error: isError };
}

function lastPrompt(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  const first = last?.role === 'user' ? last.content[0] : undefined;
  return first?.kind === 'text' ? first.text : '';
}
