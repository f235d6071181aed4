import { join } from 'node:path';
import type { AnswerMessage, Content, Conversation } from '../../core/convert/conversation.js';
import { jsonLines } from '../jsonLines.js';
import { fieldsOf, textOf as saidIn, type Fields } from '../json.js';
import { rewriteChain } from '../rewriteChain.js';
import type { NewFile, NewSession, Target } from '../target.js';
import { sessionFolders } from './find.js';
import { copilotParser } from './parse.js';

/** The version whose records these look like, and which was tried with them. */
const version = '1.0.102';

/** A new session of Copilot CLI: a chain of events, and beside it what it is about. */
export const copilotTarget: Target = {
  agent: 'copilot-cli',
  name: 'Copilot CLI',
  getIt: 'npm install -g @github/copilot',
  takes: {
    images: true,
    resultImages: false,
    summaries: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => sessionFolders({ ...query, folders: [], homes: [] })[0] ?? '',
  write: (conversation, place) => [
    {
      path: join(place.id, 'events.jsonl'),
      bytes: jsonLines(new Events(conversation, place).all()),
    },
    workspaceFile(conversation.title, conversation.messages[0]?.at, place),
  ],
  rewrite: (own, place) => {
    const bytes = rewriteChain(own, place, {
      session: 'sessionId',
      parser: copilotParser,
      folderIn,
    });
    if (bytes === undefined) return undefined;
    const about = workspaceFile(own.title ?? '', own.startedAt, place);
    return [{ path: join(place.id, 'events.jsonl'), bytes }, about];
  },
  resume: ({ id }) => ['copilot', `--resume=${id}`],
};

const folderIn = ({ data }: Fields): string | undefined =>
  saidIn(fieldsOf(fieldsOf(data)?.['context'])?.['cwd']);

/** JSON strings are YAML too. */
function workspaceFile(title: string, startedAt: number | undefined, place: NewSession): NewFile {
  const { id, cwd, now } = place;
  const created = new Date(startedAt || now).toISOString();
  const lines = [
    `id: ${id}`,
    `cwd: ${JSON.stringify(cwd)}`,
    `name: ${JSON.stringify(title)}`,
    'user_named: false',
    'summary_count: 0',
    `created_at: ${created}`,
    `updated_at: ${new Date(now).toISOString()}`,
  ];
  return { path: join(id, 'workspace.yaml'), bytes: Buffer.from(`${lines.join('\n')}\n`) };
}

class Events {
  private readonly events: object[] = [];
  private parentId: string | null = null;
  private turn = 0;

  constructor(
    private readonly conversation: Conversation,
    private readonly place: NewSession,
  ) {}

  all(): readonly object[] {
    const { messages, branch } = this.conversation;
    const { id: sessionId, cwd, now } = this.place;
    const first = messages[0]?.at || now;
    this.add('session.start', first, {
      sessionId,
      version: 1,
      producer: 'copilot-agent',
      copilotVersion: version,
      startTime: new Date(first).toISOString(),
      context: { cwd, ...(branch !== undefined && { branch }) },
    });
    for (const message of messages) {
      if (message.role === 'assistant') this.answer(message);
      else if (message.role === 'user') {
        this.turn = 0;
        const content = textOf(message.content);
        this.add('user.message', message.at, {
          content,
          transformedContent: content,
          attachments: message.content.flatMap(attachmentOf),
        });
      }
    }
    return this.events;
  }

  private answer({ at, model, content, calls }: AnswerMessage): void {
    const turnId = String(this.turn);
    this.turn += 1;
    this.add('assistant.turn_start', at, { turnId });
    this.add('assistant.message', at, {
      messageId: this.place.uuid(),
      model: model ?? 'unknown',
      content: textOf(content),
      toolRequests: calls.map(({ id, name, input }) => ({
        toolCallId: id,
        name,
        arguments: input,
        type: 'function',
      })),
      turnId,
    });
    for (const { id, name, input } of calls) {
      this.add('tool.execution_start', at, {
        toolCallId: id,
        toolName: name,
        arguments: input,
        turnId,
      });
    }
    for (const { id, result } of calls) {
      const { text, isError } = result;
      this.add('tool.execution_complete', at, {
        toolCallId: id,
        turnId,
        success: !isError,
        ...(isError
          ? { error: { message: text, code: 'failure' } }
          : { result: { content: text } }),
      });
    }
    this.add('assistant.turn_end', at, { turnId });
  }

  private add(type: string, at: number, data: object): void {
    const id = this.place.uuid();
    const timestamp = new Date(at || this.place.now).toISOString();
    this.events.push({ type, data, id, timestamp, parentId: this.parentId });
    this.parentId = id;
  }
}

const attachmentOf = (part: Content): readonly object[] =>
  part.kind === 'image'
    ? [{ type: 'blob', data: part.data, mimeType: part.mediaType, displayName: 'image' }]
    : [];

const textOf = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
