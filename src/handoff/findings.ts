import type { HandoffFindings } from '../core/handoff.js';
import type { Redactor, RedactorOptions } from '../core/redact/redactor.js';
import type { RawEntry } from './decode.js';
import type { SessionSink, Unknown } from './readSession.js';
import type {
  PartEntry,
  RecordsEntry,
  SessionEntry,
  SnapshotEntry,
  ThreadEntry,
} from './schemas.js';

/** More of a file is not looked through: about a second's work. */
const MOST = 16 * 1024 * 1024;

/** What a sender's redaction left in the place of a secret is none. */
const mark = '[REDACTED:';

/** Looks through what a session file holds for secrets, by our own rules: a sender's report says what they did. */
export class FindingsSink implements SessionSink {
  private bytes = 0;
  private isWhole = true;
  private readonly kinds = new Map<string, number>();
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });

  private constructor(private readonly redactor: Redactor) {}

  static async create(
    redactorWith: (observe: NonNullable<RedactorOptions['observe']>) => Promise<Redactor>,
  ): Promise<FindingsSink> {
    const sink = new FindingsSink(
      await redactorWith((text, findings) => {
        for (const { kind, start, end } of findings) {
          if (!text.slice(start, end).includes(mark)) sink.count(kind);
        }
      }),
    );
    return sink;
  }

  /** @returns counts by kind, most first; a value that stands several times is counted as often */
  get findings(): HandoffFindings {
    const kinds = [...this.kinds].map(([kind, count]) => ({ kind, count }));
    return {
      kinds: kinds.toSorted((a, b) => b.count - a.count || a.kind.localeCompare(b.kind)),
      bytes: this.bytes,
      isWhole: this.isWhole,
    };
  }

  session(entry: SessionEntry, unknown: Unknown): void {
    this.value({ ...entry, signedBy: undefined, ...unknown });
  }

  thread({ title }: ThreadEntry, unknown: Unknown): void {
    this.value({ title, ...unknown });
  }

  records(_: RecordsEntry, records: readonly Uint8Array[]): void {
    for (const record of records) {
      if (this.isFull(record.length)) continue;
      this.note(this.redactor.record(record));
    }
  }

  blob(_: string, bytes: Uint8Array): void {
    if (this.isFull(bytes.length)) return;
    let text: string;
    try {
      text = this.decoder.decode(bytes);
    } catch {
      return; // binary
    }
    this.note(this.redactor.text(text));
  }

  part(_: PartEntry, raw: unknown): void {
    this.value(raw);
  }

  snapshot(_: SnapshotEntry['snapshot'], raw: unknown): void {
    this.value(raw);
  }

  other({ value }: RawEntry): void {
    this.value(value);
  }

  private value(value: unknown): void {
    if (this.isFull(JSON.stringify(value).length)) return;
    this.note(this.redactor.value(value));
  }

  private isFull(length: number): boolean {
    if (this.bytes + length > MOST) {
      this.isWhole = false;
      return true;
    }
    this.bytes += length;
    return false;
  }

  private note({ withheld }: { readonly withheld: boolean }): void {
    if (withheld) this.isWhole = false;
  }

  private count(kind: string): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }
}
