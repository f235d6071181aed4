import { inspect } from 'node:util';

/** What the extension notes for a person who looks for a cause. The only way into the output channel. */
export interface Log {
  info(message: string): void;
  /** @param cause an error, or what else was thrown */
  warn(message: string, cause?: unknown): void;
  error(error: unknown): void;
  show(): void;
}

type Level = 'info' | 'warn' | 'error';

/** Where lines end up: an output channel. */
export interface LogSink extends Readonly<Record<Level, (message: string) => void>> {
  show(): void;
}

type Mask = (text: string) => string;

const UNSCANNED = 'A line is missing here: it could not be scanned for secrets.';

/**
 * A log without secrets: messages of programs and agents quote what they were given, and people send logs
 * along. What masks is loaded with the first line, so that activation does not wait for it; until then
 * lines are held, in order.
 */
export class MaskedLog implements Log {
  private mask: Mask | undefined;
  private loading: Promise<void> | undefined;
  private held: (readonly [Level, string])[] = [];
  private loads = 0;

  constructor(
    private readonly sink: LogSink,
    private readonly load: () => Promise<Mask>,
  ) {}

  info(message: string): void {
    this.write('info', message);
  }

  warn(message: string, cause?: unknown): void {
    this.write('warn', cause === undefined ? message : `${message}\n${wordsOf(cause)}`);
  }

  error(error: unknown): void {
    this.write('error', wordsOf(error));
  }

  show(): void {
    this.sink.show();
  }

  /** What is to be masked has changed: the next line asks anew. */
  forgetMask(): void {
    this.mask = undefined;
    this.loading = undefined;
    this.loads += 1;
  }

  /** Resolves when every line so far is in the channel. */
  async flush(): Promise<void> {
    while (this.held.length > 0) await (this.loading ??= this.loadMask());
  }

  private write(level: Level, text: string): void {
    if (this.mask && this.held.length === 0) {
      this.put(level, text, this.mask);
      return;
    }
    this.held.push([level, text]);
    void this.flush();
  }

  private async loadMask(): Promise<void> {
    const { loads } = this;
    const mask = await this.load().catch((): Mask => () => UNSCANNED);
    if (loads !== this.loads) return;
    this.mask = mask;
    const lines = this.held;
    this.held = [];
    for (const [level, text] of lines) this.put(level, text, mask);
  }

  private put(level: Level, text: string, mask: Mask): void {
    this.sink[level](mask(text.replace(quotedByParser, 'it is not valid JSON')));
  }
}

/** V8 quotes the beginning, or what stands around the place, of a text that is no JSON: people's words. */
const quotedByParser = /(?:\.{3})?"[^]{0,100}?"(?:\.{3})? is not valid JSON/g;

/** With the stack and every cause, as Node.js prints it. */
const wordsOf = (error: unknown): string => (typeof error === 'string' ? error : inspect(error));
