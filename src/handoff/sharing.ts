import { ExpectedError } from '../core/errors.js';
import type { Redactor } from '../core/redact/redactor.js';
import type { ReviewPlace } from '../core/redact/review.js';
import { lighten, type LightenOptions, type LightenTally } from './lighten.js';
import type { LeftOut, Redaction } from './schemas.js';

export interface SharingOptions extends LightenOptions {
  /** Let files with secrets travel as they are. */
  readonly filesWithSecrets: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/**
 * The one gate of an export: whatever leaves goes through here and is counted. What cannot be looked
 * through in time ends the export, since nobody knows what it holds.
 */
export class Sharing {
  private readonly kept = new Map<string, number>();
  private readonly tally: LightenTally = { images: 0, shortened: 0 };
  private readonly left: LeftOut[] = [];

  constructor(
    private readonly redactor: Redactor,
    private readonly options: SharingOptions,
    /** Is told what comes next: for a person who looks at what is found. */
    readonly at: (place: ReviewPlace) => void = () => undefined,
  ) {}

  /** @throws ExpectedError `notScanned` */
  value(value: unknown): unknown {
    const { value: masked, withheld } = this.redactor.value(value);
    if (withheld) throw notScanned();
    return masked;
  }

  /** One of an agent's records; the very same bytes when nothing in it had to change. */
  record(record: Uint8Array): Uint8Array {
    const parsed = parse(record);
    if (parsed === undefined) {
      const { record: masked, withheld } = this.redactor.record(record);
      if (withheld) throw notScanned();
      return masked;
    }
    const lighter = lighten(parsed.value, this.options, this.tally);
    const masked = this.value(lighter);
    return masked === parsed.value ? record : encoder.encode(JSON.stringify(masked));
  }

  /** Whether a file's content may travel; if not, it is noted why. Contents are never edited. */
  allowsFile(path: string, bytes: Uint8Array): boolean {
    this.at({ file: path });
    const { findings, text, withheld } = this.redactor.file(path, bytes);
    if (withheld) return this.leaveOut(path, 'notScanned');
    if (text === undefined && !this.options.images) return this.leaveOut(path, 'binary');
    if (findings.length === 0) return true;
    if (!this.options.filesWithSecrets) return this.leaveOut(path, 'secrets');
    for (const { kind } of findings) this.kept.set(kind, (this.kept.get(kind) ?? 0) + 1);
    return true;
  }

  leaveOut(what: string, reason: LeftOut['reason']): false {
    const { value } = this.redactor.value(what);
    this.left.push({ what: String(value), reason });
    return false;
  }

  report(): Redaction {
    const { kinds, homes, dropped } = this.redactor.report;
    return {
      lane: 'share',
      masked: kinds,
      kept: [...this.kept].map(([kind, count]) => ({ kind, count })),
      homes,
      sealed: dropped,
      ...this.tally,
      leftOut: unique(this.left),
    };
  }
}

/** A file of many snapshots is left out of each. */
function unique(left: readonly LeftOut[]): LeftOut[] {
  const seen = new Map(left.map((item) => [`${item.reason} ${item.what}`, item]));
  return [...seen.values()].slice(0, 10_000);
}

function parse(record: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(record)) as unknown };
  } catch {
    return undefined;
  }
}

const notScanned = (): ExpectedError =>
  new ExpectedError(
    'notScanned',
    'A part of the session could not be looked through for secrets in time, so nothing was written.',
    [],
    { next: 'Leave the conversation out that holds it, or choose an earlier snapshot.' },
  );
