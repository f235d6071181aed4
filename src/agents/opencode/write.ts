import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AnsweredCall,
  AnswerMessage,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { isString } from '../json.js';
import { risingTimes } from '../risingTimes.js';
import type { SourceQuery } from '../source.js';
import type { NewSession, StoreFacts, Target } from '../target.js';
import { openCodeId } from './ids.js';
import { rewriteRows } from './rewrite.js';

/** OpenCode, or a program made from it. */
export interface OpenCodeTarget {
  readonly agent: string;
  readonly name: string;
  /** Its command, and its folders in those for data and settings. */
  readonly word: string;
  readonly getIt: string;
  /** What it calls its usual agent. */
  readonly mode: string;
  /** The version whose form this is, and which was tried with it. */
  readonly version: string;
}

/**
 * A new session of OpenCode, as the file that its own `import` takes: its store is a database that only
 * it writes. The form is that of its `export`, and its schema is checked when it is taken in.
 */
export const createOpenCodeTarget = (program: OpenCodeTarget): Target => ({
  agent: program.agent,
  name: program.name,
  getIt: program.getIt,
  takes: {
    images: true,
    summaries: false,
    todoList: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random, now) => openCodeId('ses', now, 1, random),
  home: ({ env, userHome }) =>
    join(env['XDG_DATA_HOME'] || join(userHome, '.local', 'share'), program.word),
  look: (_home, cwd, query) => lookForModel(program.word, cwd, query),
  write: (conversation, place) => [
    {
      path: `${place.id}.json`,
      bytes: Buffer.from(JSON.stringify(new Writer(conversation, place, program).session())),
    },
  ],
  rewrite: (own, place) => {
    const session = rewriteRows(own, place);
    return session && [{ path: `${place.id}.json`, bytes: Buffer.from(JSON.stringify(session)) }];
  },
  resume: ({ id }) => [program.word, '--session', id],
  importer: ({ id }) => ({
    take: [program.word, 'import'],
    remove: [program.word, 'session', 'delete', id],
  }),
});

export const openCodeTarget = createOpenCodeTarget({
  agent: 'opencode',
  name: 'OpenCode',
  word: 'opencode',
  getIt: 'npm install -g opencode-ai',
  mode: 'build',
  version: '1.18.33',
});

/** Its next answer is by the model of the last prompt, so that must be one that is set up here. */
async function lookForModel(
  word: string,
  cwd: string,
  { env, userHome }: Pick<SourceQuery, 'env' | 'userHome'>,
): Promise<StoreFacts> {
  const settings = join(env['XDG_CONFIG_HOME'] || join(userHome, '.config'), word);
  const state = join(env['XDG_STATE_HOME'] || join(userHome, '.local', 'state'), word);
  const files = [cwd, settings].flatMap((folder) =>
    [`${word}.jsonc`, `${word}.json`, 'config.json'].map((name) => join(folder, name)),
  );
  for (const file of files) {
    // Comments would not be JSON, and only this one value is wanted.
    const text = await readFile(file, 'utf8').catch(() => '');
    const [, provider, model] =
      /^\s*"model"\s*:\s*"([^"/]+)\/([^"]+)"|[{,]\s*"model"\s*:\s*"([^"/]+)\/([^"]+)"/m
        .exec(text)
        ?.filter(isString) ?? [];
    if (provider !== undefined && model !== undefined) return { provider, model };
  }
  const recent = await readFile(join(state, 'model.json'), 'utf8').catch(() => '');
  const [, used] = /"recent"\s*:\s*\[\s*(\{[^}]*\})/.exec(recent) ?? [];
  const provider = /"providerID"\s*:\s*"([^"]+)"/.exec(used ?? '')?.[1];
  const model = /"modelID"\s*:\s*"([^"]+)"/.exec(used ?? '')?.[1];
  return provider !== undefined && model !== undefined ? { provider, model } : {};
}

type Model = Readonly<Record<'providerID' | 'modelID', string>>;

class Writer {
  private readonly model: Model;
  private at = 0;
  /**
   * Ids hold 48 bits of time, which run over every 795 days: an old conversation's could stand after those
   * of today. So they are made as of now, in order.
   */
  private idAt = 0;
  private count = 0;
  private lastPrompt = '';

  constructor(
    private readonly conversation: Conversation,
    private readonly place: NewSession,
    private readonly program: OpenCodeTarget,
  ) {
    const { facts } = place;
    this.model = {
      providerID: facts['provider'] ?? 'unknown',
      modelID: facts['model'] ?? 'unknown',
    };
  }

  session(): object {
    const { title, messages } = this.conversation;
    const { id, cwd, now } = this.place;
    const times = risingTimes(
      messages.map(({ at }) => at),
      now,
    );
    const made = messages.flatMap((message, index) =>
      this.message(message, times[index] ?? now, now - messages.length + index),
    );
    return {
      info: {
        id,
        slug: id.slice(-12).toLowerCase(),
        projectID: 'global',
        directory: cwd,
        title: title || 'Continued conversation',
        version: this.program.version,
        time: { created: times[0] ?? now, updated: now },
      },
      messages: made,
    };
  }

  private message(message: Message, at: number, idAt: number): readonly object[] {
    if (message.role === 'summary') return [];
    this.at = at;
    this.idAt = idAt;
    this.count = 0;
    const id = this.id('msg');
    if (message.role === 'assistant') return [this.answer(id, message)];
    this.lastPrompt = id;
    const info = {
      role: 'user',
      time: { created: this.at },
      agent: this.program.mode,
      model: this.model,
    };
    return [this.whole(id, info, message.content.map(promptPart))];
  }

  private answer(id: string, { content, calls, model }: AnswerMessage): object {
    const finish = calls.length > 0 ? 'tool-calls' : 'stop';
    const time = { start: this.at, end: this.at };
    const info = {
      role: 'assistant',
      parentID: this.lastPrompt,
      mode: this.program.mode,
      agent: this.program.mode,
      path: { cwd: this.place.cwd, root: this.place.cwd },
      cost: 0,
      tokens: noTokens,
      // Who really said it; the provider is not known.
      modelID: model ?? 'unknown',
      providerID: 'unknown',
      time: { created: this.at, completed: this.at },
      finish,
    };
    return this.whole(id, info, [
      { type: 'step-start' },
      ...content.map((part) =>
        part.kind === 'text' ? { ...promptPart(part), time } : promptPart(part),
      ),
      ...calls.map((call) => this.toolPart(call, time, id)),
      { type: 'step-finish', reason: finish, cost: 0, tokens: noTokens },
    ]);
  }

  /** Pictures that a tool answered with are parts of their own within the call. */
  private toolPart(call: AnsweredCall, time: object, messageID: string): object {
    const sessionID = this.place.id;
    const attachments = call.result.images.map((image) => ({
      ...promptPart(image),
      id: this.id('prt'),
      sessionID,
      messageID,
    }));
    return toolPart(call, time, attachments);
  }

  private whole(id: string, info: object, parts: readonly object[]): object {
    const sessionID = this.place.id;
    return {
      info: { ...info, id, sessionID },
      parts: parts.map((part) => ({ ...part, id: this.id('prt'), sessionID, messageID: id })),
    };
  }

  private id(word: 'msg' | 'prt'): string {
    this.count += 1;
    return openCodeId(word, this.idAt, this.count, this.place.uuid());
  }
}

/** What another agent's model used is not this one's. */
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

const promptPart = (part: Content): object =>
  part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'file', mime: part.mediaType, filename: 'image', url: urlOf(part) };

const urlOf = ({ mediaType, data }: Extract<Content, { kind: 'image' }>): string =>
  `data:${mediaType};base64,${data}`;

function toolPart(
  { id, name, input, result }: AnsweredCall,
  time: object,
  attachments: readonly object[],
): object {
  const { text, isError } = result;
  const state = isError
    ? { status: 'error', input, error: text, time }
    : {
        status: 'completed',
        input,
        output: text,
        title: name,
        metadata: {},
        time,
        ...(attachments.length > 0 && { attachments }),
      };
  return { type: 'tool', callID: id, tool: name, state };
}
