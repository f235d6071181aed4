import type { Part, ToolCall, Turn } from '../model/thread.js';
import { CallNames } from './calls.js';
import { callWords } from './callWords.js';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Convertible,
  ConvertOptions,
  Message,
  Takes,
} from './conversation.js';
import { ReportBuilder, type What } from './report.js';
import type { ConversionReport } from '../model/conversion.js';

type Image = Extract<Part, { kind: 'image' }>;
type Notice = Extract<Part, { kind: 'notice' }>;

/** What the person typed when the answer was stopped, as far as anybody can tell. */
const interrupted = 'The tool did not answer: it was interrupted.';
const missingStart = '(The beginning of this conversation is not here.)';

/**
 * Turns of any agent's thread as a conversation that the target takes, and an account of it. What the
 * interfaces of all vendors want is built in here, once: prompts and answers in turn, every call
 * answered once and right after it was made, ids and names by the target's pattern, no empty text.
 */
export function prepare(
  thread: Convertible,
  to: string,
  takes: Takes,
  options: ConvertOptions = {},
): { readonly conversation: Conversation; readonly report: ConversionReport } {
  const report = new ReportBuilder();
  const turns = thread.turns.slice(0, options.turns ?? thread.turns.length);
  const messages = new MessageList(thread.agent, to, takes, report, options);
  for (const turn of turns) messages.add(turn);
  report.note('dropped', 'turn', 'afterFork', undefined, thread.turns.length - turns.length);
  const todos = turns.length < thread.turns.length ? [] : thread.todos;
  if (takes.todoList === false) {
    report.note('dropped', 'todo', 'todosInCalls', undefined, todos.length);
  }
  return {
    conversation: {
      title: wellFormed(thread.title ?? ''),
      branch: thread.branch,
      messages: messages.whole(),
      todos,
    },
    report: report.report(thread.agent, to),
  };
}

interface Answer {
  readonly role: 'assistant';
  readonly at: number;
  readonly model: string | undefined;
  readonly content: Content[];
  readonly calls: OpenCall[];
}
type OpenCall = Omit<AnsweredCall, 'result'> & {
  readonly result: {
    text: string;
    readonly isError: boolean;
    readonly images: Extract<Content, { kind: 'image' }>[];
  };
};

class MessageList {
  private readonly messages: (Message | Answer)[] = [];
  private readonly names: CallNames;
  private at = 0;

  constructor(
    from: string,
    to: string,
    private readonly takes: Takes,
    private readonly report: ReportBuilder,
    private readonly options: ConvertOptions,
  ) {
    this.names = new CallNames(from, to, takes, report);
  }

  add(turn: Turn): void {
    this.at = Math.max(this.at, turn.at ?? 0);
    if (turn.role === 'assistant') this.addAnswer(turn);
    else if (turn.role === 'user') this.addPrompt(turn.parts, 'prompt');
    else for (const part of turn.parts) this.addEvent(part);
  }

  /** The messages, beginning with a prompt. */
  whole(): readonly Message[] {
    const [first] = this.messages;
    const { held } = this.takes;
    const messages = held === undefined ? this.messages : this.messages.map(this.heldBy(held));
    if (first?.role !== 'assistant') return messages;
    this.report.note('rewritten', 'prompt', 'missingStart');
    const content = [{ kind: 'text', text: missingStart }] as const;
    return [{ role: 'user', at: first.at, content }, ...messages];
  }

  private heldBy(held: NonNullable<Takes['held']>) {
    return (message: Message): Message => {
      if (message.role === 'summary') return message;
      const { role } = message;
      const content = message.content.map((part): Content =>
        part.kind === 'text' ? { kind: 'text', text: held(part.text, role) } : part,
      );
      if (hasSameTexts(content, message.content)) return message;
      this.report.note('rewritten', role === 'user' ? 'prompt' : 'answer', 'linesHeld');
      return { ...message, content };
    };
  }

  private addPrompt(parts: readonly Part[], what: What): void {
    const content = joinedTexts(parts.flatMap((part) => this.contentOf(part)));
    if (content.length === 0) return;
    this.messages.push({ role: 'user', at: this.at, content });
    this.report.note('kept', what);
  }

  private addAnswer(turn: Turn): void {
    let isNew = true;
    for (const part of turn.parts) {
      if (part.kind === 'toolCall' && this.takes.calls !== false) {
        this.answer(turn, isNew).calls.push(this.answered(part));
      } else if (part.kind === 'image' && this.addToResult(part)) continue;
      else {
        const content = this.contentOf(part);
        if (content.length === 0) continue;
        // What is said after a call was said once the call was answered.
        this.answer(turn, isNew || this.hasCalls()).content.push(...content);
      }
      isNew = false;
    }
    if (!isNew) this.report.note('kept', 'answer');
  }

  /** The answer in the making; one without calls goes on, so that prompts and answers stay in turn. */
  private answer({ model }: Turn, isNew: boolean): Answer {
    const last = this.messages.at(-1);
    if (last?.role === 'assistant' && 'calls' in last && (!isNew || last.calls.length === 0)) {
      return last as Answer;
    }
    const answer: Answer = { role: 'assistant', at: this.at, model, content: [], calls: [] };
    this.messages.push(answer);
    return answer;
  }

  private hasCalls(): boolean {
    const last = this.messages.at(-1);
    return last?.role === 'assistant' && last.calls.length > 0;
  }

  private answered(part: Extract<Part, { kind: 'toolCall' }>): OpenCall {
    const { result } = part;
    if (result === undefined) this.report.note('rewritten', 'result', 'unanswered', part.name);
    else this.report.note('kept', 'result');
    const text = this.resultText(part);
    return {
      ...this.names.call(part),
      result: { text, isError: result?.isError ?? true, images: [] },
    };
  }

  private resultText({ result }: ToolCall): string {
    const text = wellFormed(result?.text ?? interrupted);
    if (text.length > (this.takes.longestResult ?? Infinity)) {
      this.report.note('rewritten', 'result', 'cutByAgent');
    }
    const isSaid = this.takes.failures !== false || result?.isError !== true;
    if (isSaid || saysFailure.test(text.slice(0, 300))) return text;
    this.report.note('rewritten', 'result', 'failureInWords');
    return `The tool failed.\n${text}`;
  }

  /** An image that a tool answered with follows its call. */
  private addToResult(image: Image): boolean {
    const last = this.messages.at(-1);
    const call = last?.role === 'assistant' ? last.calls.at(-1) : undefined;
    if (call === undefined) return false;
    const { result } = call as OpenCall;
    const isTaken = this.takes.images && this.takes.resultImages !== false;
    for (const content of this.image(image, isTaken)) {
      if (content.kind === 'image') result.images.push(content);
      else result.text = [result.text, content.text].filter(Boolean).join('\n');
    }
    return true;
  }

  private contentOf(part: Part): readonly Content[] {
    switch (part.kind) {
      case 'text':
        return textContent(part.text);
      case 'thinking':
        return this.thinking(part.text);
      case 'image':
        return this.image(part);
      case 'attachment':
        this.report.note('rewritten', 'attachment', 'attachmentNamed');
        return textContent(`[Attached: ${part.name}${part.uri ? ` (${part.uri})` : ''}]`);
      case 'notice':
        this.addDropped(part);
        return [];
      case 'toolCall':
        return this.takes.calls === false ? this.callInWords(part) : [];
    }
  }

  private callInWords(call: ToolCall): readonly Content[] {
    const { name, result } = call;
    this.report.note('rewritten', 'toolCall', 'callInWords', name);
    if (result === undefined) this.report.note('rewritten', 'result', 'unanswered', name);
    return textContent(callWords(call, result?.text ?? interrupted, result?.isError ?? true));
  }

  private thinking(text: string): readonly Content[] {
    if (this.options.foldThinking === true && text.trim() !== '') {
      this.report.note('rewritten', 'thinking', 'thinkingQuoted');
      const quoted = text.trim().replace(/^/gm, '> ');
      return textContent(`> (Thought at the time:)\n${quoted}`);
    }
    this.report.note('dropped', 'thinking', 'thinkingIsTheVendors');
    return [];
  }

  private image(part: Image, isTaken = this.takes.images): readonly Content[] {
    const { data } = part;
    if (isTaken && data !== undefined && imageTypes.has(part.mediaType)) {
      this.report.note('kept', 'image');
      return [{ kind: 'image', mediaType: part.mediaType, data }];
    }
    const why = isTaken ? 'imageNotHere' : 'imagesNotTaken';
    this.report.note('rewritten', 'image', why);
    return textContent(`[Image: ${part.name ?? part.mediaType}, ${part.bytes} bytes]`);
  }

  /** What happened between turns: of this only what the model was told goes on. */
  private addEvent(part: Part): void {
    if (part.kind !== 'notice') this.addPrompt([part], 'notice');
    else if (part.notice === 'compaction') this.addSummary(part.text);
    else if (part.notice === 'shell') {
      this.report.note('rewritten', 'notice', 'shellAsPrompt');
      this.push(`I ran this command myself: ${part.text}`);
    } else this.addDropped(part);
  }

  private addDropped({ notice }: Notice): void {
    this.report.note('dropped', 'notice', 'notForTheModel', notice);
  }

  private addSummary(text: string): void {
    if (text.trim() === '') return;
    if (this.takes.summaries) {
      this.report.note('mapped', 'summary', 'summaryOwn');
      this.messages.push({ role: 'summary', at: this.at, text: wellFormed(text) });
      return;
    }
    this.report.note('rewritten', 'summary', 'summaryAsPrompt');
    this.push(`(Summary of the conversation up to here, made by the agent:)\n\n${text}`);
  }

  private push(text: string): void {
    this.messages.push({ role: 'user', at: this.at, content: textContent(text) });
  }
}

const hasSameTexts = (some: readonly Content[], others: readonly Content[]): boolean =>
  some.every((part, at) => {
    const other = others[at];
    return part.kind !== 'text' || (other?.kind === 'text' && other.text === part.text);
  });

const saysFailure = /error|fail|exit code|exited|interrupted|denied|not found/i;

/** Types that every vendor's interface takes. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const textContent = (text: string): readonly Content[] =>
  text.trim() === '' ? [] : [{ kind: 'text', text: wellFormed(text) }];

/** Texts beside each other as one: some vendors would run them together. */
function joinedTexts(content: readonly Content[]): readonly Content[] {
  const joined: Content[] = [];
  for (const part of content) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: `${last.text}\n\n${part.text}` };
    } else joined.push(part);
  }
  return joined;
}

/** Half of a surrogate pair is no text for an interface that speaks UTF-8. */
const wellFormed = (text: string): string =>
  // Most texts have no character of two halves, and looking for one is far cheaper.
  /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;
