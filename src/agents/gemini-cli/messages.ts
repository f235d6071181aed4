import type { Tokens } from '../../core/model/thread.js';
import { objectsOf, textOf, timeOf, type Fields } from '../json.js';
import type { LeftBranch } from '../leftBranches.js';
import { usageWithin } from '../tokens.js';

/** One message of a session; what it holds is asked for when somebody wants to read it. */
export interface Entry<Facts> {
  readonly facts: Facts;
  readonly fields: () => Fields;
  /** A resumed session is written anew without its times and models: those of before are kept. */
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly tokens: Tokens | undefined;
}

/** With its id. */
export type ShownEntry<Facts> = readonly [string, Entry<Facts>];

/**
 * The messages of a session's log, by the operations that Gemini CLI itself applies (0.61,
 * chatRecordingService.ts): a message with an id that is there replaces it in its place; `$set` with
 * `messages` replaces all; `$rewindTo` drops a message and all after it, or everything if the id is
 * not there. What `$set` dropped and did not bring back was summarized: it is kept apart.
 */
export class Messages<Facts> {
  live = new Map<string, Entry<Facts>>();
  summarized = new Map<string, Entry<Facts>>();
  /** What was there before each rewind. */
  readonly left: (LeftBranch<ShownEntry<Facts>> & { readonly summarized: number })[] = [];

  constructor(
    private readonly factsOf: (message: Fields) => Facts,
    private readonly keepsLeft: boolean,
  ) {}

  /** All that can be read, what was summarized first. */
  entries(): readonly ShownEntry<Facts>[] {
    return [...this.summarized, ...this.live];
  }

  put(message: Fields, fields: () => Fields): void {
    const id = textOf(message['id']);
    if (id !== undefined) this.live.set(id, this.entry(id, message, fields));
  }

  set(messages: unknown): void {
    const next = new Map<string, Entry<Facts>>();
    for (const message of objectsOf(messages)) {
      const id = textOf(message['id']);
      if (id !== undefined) {
        next.set(
          id,
          this.entry(id, message, () => message),
        );
      }
    }
    const gone = [...this.summarized, ...this.live].filter(([id]) => !next.has(id));
    this.summarized = new Map(gone);
    this.live = next;
  }

  rewindTo(id: string): void {
    const kept = [...this.live.keys()];
    const last = kept.at(-1);
    if (this.keepsLeft && last !== undefined) {
      this.left.push({ leaf: last, items: this.entries(), summarized: this.summarized.size });
    }
    const at = kept.indexOf(id);
    if (at < 0) this.summarized = new Map();
    this.live = new Map([...this.live].slice(0, Math.max(0, at)));
  }

  private entry(id: string, message: Fields, fields: () => Fields): Entry<Facts> {
    const before = this.live.get(id) ?? this.summarized.get(id);
    return {
      facts: this.factsOf(message),
      fields,
      at: before?.at ?? timeOf(message['timestamp']),
      model: textOf(message['model']) ?? before?.model,
      tokens: usageWithin(message['tokens']) ?? before?.tokens,
    };
  }
}
