import { ExpectedError } from '../core/errors.js';
import type { RedactedRecord, RedactedText, RedactedValue } from '../core/redact/redactor.js';
import { lighten, type LightenOptions, type LightenTally } from './lighten.js';
import type { LeftOut, Redaction } from './schemas.js';

/** What looks for secrets; `Redactor` is one. */
export interface SecretFinder {
  text(text: string): RedactedText;
  value(value: unknown): RedactedValue;
  record(record: Uint8Array): RedactedRecord;
}

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
  private readonly masked = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private readonly tally: LightenTally = { sealed: 0, images: 0, shortened: 0 };
  private readonly left: LeftOut[] = [];

  constructor(
    private readonly finder: SecretFinder,
    private readonly options: SharingOptions,
  ) {}

  /** @throws ExpectedError `notScanned` */
  value(value: unknown): unknown {
    const { value: masked, findings, withheld } = this.finder.value(value);
    if (withheld) throw notScanned();
    this.count(this.masked, findings);
    return masked;
  }

  /** One of an agent's records; the very same bytes when nothing in it had to change. */
  record(record: Uint8Array): Uint8Array {
    const parsed = parse(record);
    if (parsed === undefined) {
      const { record: masked, findings, withheld } = this.finder.record(record);
      if (withheld) throw notScanned();
      this.count(this.masked, findings);
      return masked;
    }
    const lighter = lighten(parsed.value, this.options, this.tally);
    const masked = this.value(lighter);
    return masked === parsed.value ? record : encoder.encode(JSON.stringify(masked));
  }

  /** Whether a file's content may travel; if not, it is noted why. Contents are never edited. */
  allowsFile(what: string, bytes: Uint8Array): boolean {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      return this.options.images || this.leaveOut(what, 'binary');
    }
    if (text.includes('\0') && !this.options.images) return this.leaveOut(what, 'binary');
    return this.allowsText(what, text);
  }

  allowsText(what: string, text: string): boolean {
    const { findings, withheld } = this.finder.text(text);
    if (withheld) return this.leaveOut(what, 'notScanned');
    if (findings.length === 0) return true;
    if (!this.options.filesWithSecrets) return this.leaveOut(what, 'secrets');
    this.count(this.kept, findings);
    return true;
  }

  leaveOut(what: string, reason: LeftOut['reason']): false {
    const { value } = this.finder.value(what);
    this.left.push({ what: String(value), reason });
    return false;
  }

  report(): Redaction {
    return {
      lane: 'share',
      masked: Object.fromEntries(this.masked),
      kept: Object.fromEntries(this.kept),
      ...this.tally,
      leftOut: unique(this.left),
    };
  }

  private count(counts: Map<string, number>, findings: readonly { readonly kind: string }[]): void {
    for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
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
