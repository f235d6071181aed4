import type { Clock } from './detect.js';
import { findAll, type Rules } from './find.js';
import type { Finding } from './finding.js';
import { createKeyedHash } from './keyedHash.js';
import { secretName } from './names.js';
import { OutOfTime } from './scan.js';
import { isSecretValue } from './values.js';
import { mapStrings, pathOf, type Path, type Place } from './walk.js';

export interface RedactorOptions extends Rules {
  /** Values that stay as they are, exactly so. */
  readonly allow?: readonly string[];
  /** A clock in milliseconds, for the limit on the time that a text may take. */
  readonly now?: () => number;
  /** What stands for a secret; numbered through the run when not given. */
  readonly label?: (kind: string) => string;
}

interface Outcome {
  /** Whether something could not be looked at and is left out whole; nothing may be shared then. */
  readonly withheld: boolean;
}

export interface RedactedText extends Outcome {
  readonly text: string;
  /** Where the secrets were, as offsets in the text that was given. */
  readonly findings: readonly Finding[];
}

export interface FindingAt extends Finding {
  /** The string that the offsets are in; the path of its owner for a key. */
  readonly path: Path;
}

export interface RedactedValue extends Outcome {
  readonly value: unknown;
  readonly findings: readonly FindingAt[];
}

export interface RedactedRecord extends Outcome {
  readonly record: Uint8Array;
  readonly findings: readonly FindingAt[];
}

export const WITHHELD = '[WITHHELD: this text could not be scanned for secrets]';

const MB = 1024 * 1024;
const MS_PER_MB = 2000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Masks secrets, all through one run: the same value has the same number, so that a story stays
 * readable. Best effort: it finds what looks like a secret or is known to be one. Whatever holds none
 * comes back as it was; what cannot be looked at is left out whole.
 */
export class Redactor {
  private readonly hash = createKeyedHash();
  private readonly numbers = new Map<string, number>();
  private readonly allowed: ReadonlySet<string>;

  constructor(private readonly options: RedactorOptions) {
    this.allowed = new Set(options.allow);
  }

  text(text: string): RedactedText {
    const findings = this.find(text);
    if (!findings) return { text: WITHHELD, findings: [], withheld: true };
    return { text: this.mask(text, findings), findings, withheld: false };
  }

  /** A JSON value: strings are looked at with the names that they stand under, and keys too. */
  value(value: unknown): RedactedValue {
    const all: FindingAt[] = [];
    let anyWithheld = false;
    const replace = (text: string, place?: Place): string => {
      const { text: masked, findings, withheld } = this.named(text, place?.name);
      anyWithheld ||= withheld;
      all.push(...findings.map((finding) => ({ ...finding, path: pathOf(place) })));
      return masked;
    };
    const masked = mapStrings(value, replace);
    return { value: masked, findings: all, withheld: anyWithheld };
  }

  /** One record of a transcript: JSON, or looked at as text when it is none. */
  record(record: Uint8Array): RedactedRecord {
    const text = decoder.decode(record);
    const parsed = parse(text);
    if (parsed === undefined) {
      const { text: masked, findings, withheld } = this.text(text);
      return {
        record: masked === text ? record : encoder.encode(masked),
        findings: findings.map((finding) => ({ ...finding, path: [] })),
        withheld,
      };
    }
    const { value, findings, withheld } = this.value(parsed.value);
    return {
      record: value === parsed.value ? record : encoder.encode(JSON.stringify(value)),
      findings,
      withheld,
    };
  }

  private named(text: string, name: string | undefined): RedactedText {
    const { lane } = this.options;
    const meaning = name === undefined ? undefined : secretName(name);
    if (!meaning || this.allowed.has(text) || !isSecretValue(text, meaning.sort, 'quoted', lane)) {
      return this.text(text);
    }
    const findings = [{ kind: meaning.kind, start: 0, end: text.length }];
    const inner = this.find(text);
    const [only] = inner ?? [];
    // The name of a vendor says more than that of a variable.
    const best = only?.start === 0 && only.end === text.length ? [only] : findings;
    return { text: this.mask(text, best), findings: best, withheld: false };
  }

  private find(text: string): readonly Finding[] | undefined {
    try {
      return findAll(text, this.options, this.clockFor(text)).filter(
        ({ start, end }) => !this.allowed.has(text.slice(start, end)),
      );
    } catch {
      // Out of time or a fault of ours: either way nobody knows what the text holds.
      return undefined;
    }
  }

  private clockFor(text: string): Clock {
    const { now = () => performance.now() } = this.options;
    const end = now() + Math.max(1, text.length / MB) * MS_PER_MB;
    return {
      check: () => {
        if (now() > end) throw new OutOfTime();
      },
    };
  }

  private mask(text: string, findings: readonly Finding[]): string {
    let masked = '';
    let from = 0;
    for (const { kind, start, end } of findings) {
      masked += text.slice(from, start) + this.labelOf(kind, text.slice(start, end));
      from = end;
    }
    return from === 0 ? text : masked + text.slice(from);
  }

  private labelOf(kind: string, value: string): string {
    const { label } = this.options;
    if (label) return label(kind);
    const hash = this.hash(value);
    const number = this.numbers.get(hash) ?? this.numbers.size + 1;
    this.numbers.set(hash, number);
    return `[REDACTED:${kind}#${number}]`;
  }
}

/** Wrapped, since `null` and `undefined` are told apart; undefined when it is not JSON. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
