import { STRIDE, type Clock } from './detect.js';
import { scanFile, type FileScan } from './files.js';
import { findAll, type Rules } from './find.js';
import type { Finding, Lane } from './finding.js';
import type { Homes } from './homes.js';
import type { Span } from './homePaths.js';
import { createKeyedHash } from './keyedHash.js';
import { secretName } from './names.js';
import { OutOfTime } from './scan.js';
import { Tally, type RedactionReport } from './tally.js';
import { isSecretNumber, isSecretValue } from './values.js';
import { mapStrings, pathOf, type Path, type Place } from './walk.js';

/**
 * Runs a function and stops it when it takes longer than this many milliseconds, by throwing. It can
 * stop what no check inside can: a pattern that backtracks.
 */
export type Guard = <T>(run: () => T, ms: number) => T;

export interface RedactorOptions extends Rules {
  /** Values that stay as they are, exactly so. */
  readonly allow?: Iterable<string> | undefined;
  /** Whose home folders and names become `~`; of nobody when absent. */
  readonly homes?: Homes | undefined;
  /** Leaves signed and encrypted blobs out instead of passing them on unseen. */
  readonly dropSealed?: boolean | undefined;
  /** A second limit on time, from outside of the scan; without it only the scan's own checks hold. */
  readonly guard?: Guard | undefined;
  /** A clock in milliseconds, for the limit on the time that a text may take. */
  readonly now?: () => number;
  /** Is told what is found where, before it is masked. */
  readonly observe?: ((text: string, findings: readonly Finding[]) => void) | undefined;
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
  /** Where home folders and names of users were, which are no secrets. */
  readonly homes: readonly Span[];
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
/** Many times what any text takes, since other work on the machine counts too. */
const MS_PER_MB = 4000;
/** Characters from which on a text is worth a guard. */
const GUARDED_FROM = MB / 16;

/** Characters of a text that is remembered when nothing is in it, and how many are. */
const MAX_REMEMBERED = 24;
const MAX_HARMLESS = 2000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const withheldText: RedactedText = { text: WITHHELD, findings: [], homes: [], withheld: true };

/**
 * Masks secrets, all through one run: the same value has the same number, so that a story stays
 * readable. Best effort: it finds what looks like a secret or is known to be one. Whatever holds none
 * comes back as it was; what cannot be looked at is left out whole.
 */
export class Redactor {
  private readonly hash = createKeyedHash();
  private readonly numbers = new Map<string, number>();
  private readonly allowed: ReadonlySet<string>;
  private readonly tally = new Tally();
  private readonly rules: Readonly<Record<Lane, Rules>>;
  /** Short texts in which nothing was found: keys and words of records come again and again. */
  private readonly harmless = new Set<string>();

  constructor(private readonly options: RedactorOptions) {
    const { knownValues, custom = [] } = options;
    const own = custom.length > 0 ? custom : undefined;
    this.allowed = new Set(options.allow);
    this.rules = {
      save: { lane: 'save', knownValues, custom: own },
      share: { lane: 'share', knownValues, custom: own },
    };
  }

  /** What was found and done so far, without any of it. */
  get report(): RedactionReport {
    return this.tally.report(this.options.lane, this.numbers.size);
  }

  text(text: string): RedactedText {
    const redacted = this.guarded(
      () => text.length,
      () => this.textOf(text),
    );
    if (!redacted) this.tally.withheld += 1;
    return redacted ?? withheldText;
  }

  /** A JSON value: strings are looked at with the names that they stand under, and keys too. */
  value(value: unknown): RedactedValue {
    const whole = this.guarded(
      () => sizeOf(value),
      () => this.valueOf(value, (text) => this.textOf(text)),
    );
    // Somewhere in it is a text that takes too long: only that one is left out.
    return whole ?? this.valueOf(value, (text) => this.text(text));
  }

  /** One record of a transcript: JSON, or looked at as text when it is none. */
  record(record: Uint8Array): RedactedRecord {
    const text = decoder.decode(record);
    const parsed = parse(text);
    const masked = parsed && this.valueUnlessDeep(parsed.value);
    if (!parsed || !masked) {
      const { text: flat, findings, withheld } = this.text(text);
      return {
        record: flat === text ? record : encoder.encode(flat),
        findings: findings.map((finding) => ({ ...finding, path: [] })),
        withheld,
      };
    }
    const { value, findings, withheld } = masked;
    return {
      record: value === parsed.value ? record : encoder.encode(JSON.stringify(value)),
      findings,
      withheld,
    };
  }

  /**
   * Looks through a file that is kept exactly, so it is only told what it holds: text whole, and of
   * anything else the words in it.
   *
   * @param path decides too: a store of keys is a secret whatever is in it
   */
  file(path: string, bytes: Uint8Array): FileScan {
    const { lane, observe } = this.options;
    const scan = scanFile(path, bytes, (text, sureOnly) => {
      const outcome = this.guarded(
        () => text.length,
        () => this.find(text, sureOnly ? 'save' : lane),
      );
      if (!outcome) this.tally.withheld += 1;
      return outcome;
    });
    const { text } = scan;
    if (text === undefined) return scan;
    const findings = scan.findings.filter(
      ({ start, end }) => !this.allowed.has(text.slice(start, end)),
    );
    if (findings.length > 0) observe?.(text, findings);
    return { ...scan, findings };
  }

  /** Nested JSON can be deeper than a walk can go; as text it is flat. */
  private valueUnlessDeep(value: unknown): RedactedValue | undefined {
    try {
      return this.value(value);
    } catch {
      return undefined;
    }
  }

  private valueOf(value: unknown, look: (text: string) => RedactedText): RedactedValue {
    const all: FindingAt[] = [];
    let withheld = false;
    const masked = mapStrings(value, {
      replace: (text, place) => {
        const redacted = this.named(text, place, look);
        withheld ||= redacted.withheld;
        if (redacted.findings.length > 0) {
          const path = pathOf(place);
          all.push(...redacted.findings.map((finding) => ({ ...finding, path })));
        }
        return redacted.text;
      },
      replaceNumber: (number, place) => {
        const finding = this.numberFinding(number, place);
        if (!finding) return number;
        all.push({ ...finding, path: pathOf(place) });
        return this.mask(String(number), [finding], []);
      },
      ...(this.options.dropSealed === true && { drop: () => (this.tally.dropped += 1) }),
    });
    return { value: masked, findings: all, withheld };
  }

  private named(
    text: string,
    place: Place | undefined,
    look: (text: string) => RedactedText,
  ): RedactedText {
    const { lane } = this.options;
    const meaning = place?.name === undefined ? undefined : secretName(place.name);
    if (!meaning || this.allowed.has(text) || !isSecretValue(text, meaning.sort, 'quoted', lane)) {
      return look(text);
    }
    const [only] = this.find(text, lane) ?? [];
    // The name of a vendor says more than that of a variable.
    const isWhole = only?.start === 0 && only.end === text.length;
    const findings = isWhole ? [only] : [{ kind: meaning.kind, start: 0, end: text.length }];
    return { text: this.mask(text, findings, []), findings, homes: [], withheld: false };
  }

  /** `"password": 48291073`: the whole of it, as it is written. */
  private numberFinding(number: number, { name }: Place): Finding | undefined {
    const text = String(number);
    const meaning = name === undefined ? undefined : secretName(name);
    if (name === undefined || !meaning || this.allowed.has(text)) return undefined;
    const isSecret = isSecretNumber(text, name, meaning.sort, this.options.lane);
    return isSecret ? { kind: meaning.kind, start: 0, end: text.length } : undefined;
  }

  private textOf(text: string): RedactedText {
    const findings = this.find(text, this.options.lane);
    if (!findings) {
      this.tally.withheld += 1;
      return withheldText;
    }
    const allHomes = this.options.homes?.find(text) ?? [];
    if (findings.length === 0 && allHomes.length === 0) {
      return { text, findings: [], homes: [], withheld: false };
    }
    const homes = allHomes.filter(
      (home) => !findings.some(({ start, end }) => home.start < end && start < home.end),
    );
    return { text: this.mask(text, findings, homes), findings, homes, withheld: false };
  }

  private find(text: string, lane: Lane): readonly Finding[] | undefined {
    const isOrdinary = text.length <= MAX_REMEMBERED && lane === this.options.lane;
    if (isOrdinary && this.harmless.has(text)) return [];
    try {
      const found = findAll(text, this.rules[lane], this.clockFor(text));
      if (found.length === 0) {
        if (isOrdinary) this.remember(text);
        return found;
      }
      return found.filter(({ start, end }) => !this.allowed.has(text.slice(start, end)));
    } catch {
      // Out of time or a fault of ours: either way nobody knows what the text holds.
      return undefined;
    }
  }

  private remember(text: string): void {
    // Of many texts that come once only, few are kept.
    if (this.harmless.size >= MAX_HARMLESS) this.harmless.clear();
    this.harmless.add(text);
  }

  /** Undefined when it was stopped. */
  private guarded<T>(lengthOf: () => number, run: () => T): T | undefined {
    const { guard, custom = [] } = this.options;
    if (!guard) return run();
    // Our own rules check their time as they go, and starting a guard for each of many texts is not free.
    const length = lengthOf();
    if (custom.length === 0 && length < GUARDED_FROM) return run();
    try {
      return guard(run, limitFor(length));
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
  }

  private clockFor(text: string): Clock {
    // Shorter texts are through before the first look at the clock.
    if (text.length < STRIDE) return unlimited;
    const { now = () => performance.now() } = this.options;
    const end = now() + limitFor(text.length);
    return {
      check: () => {
        if (now() > end) throw new OutOfTime();
      },
    };
  }

  private mask(text: string, findings: readonly Finding[], homes: readonly Span[]): string {
    if (findings.length > 0) this.options.observe?.(text, findings);
    let masked = '';
    let from = 0;
    // A text can hold the same value thousands of times.
    const labels = new Map<string, string>();
    const homesLeft = [...homes];
    const passHomesBefore = (limit: number): void => {
      for (let home = homesLeft[0]; home && home.start < limit; home = homesLeft[0]) {
        masked += `${text.slice(from, home.start)}~`;
        from = home.end;
        homesLeft.shift();
      }
    };
    for (const { kind, start, end } of findings) {
      passHomesBefore(start);
      const value = text.slice(start, end);
      const quote = /^\d+$/.test(value) ? quoteOfNumber(text, start) : '';
      const label = labels.get(`${kind} ${value}`) ?? this.labelOf(kind, value);
      labels.set(`${kind} ${value}`, label);
      masked += text.slice(from, start) + quote + label + quote;
      from = end;
      this.tally.count(kind);
    }
    passHomesBefore(text.length);
    this.tally.homes += homes.length;
    return from === 0 ? text : masked + text.slice(from);
  }

  private labelOf(kind: string, value: string): string {
    const { label } = this.options;
    const hash = this.hash(value);
    const number = this.numbers.get(hash) ?? this.numbers.size + 1;
    this.numbers.set(hash, number);
    return label ? label(kind) : `[REDACTED:${kind}#${number}]`;
  }
}

/** What a label needs around it where a number stood in JSON, so that it stays JSON. */
const quoteOfNumber = (text: string, start: number): string =>
  /((?:\\{1,8})?["'])\s{0,4}:\s{0,8}$/.exec(text.slice(Math.max(0, start - 24), start))?.[1] ?? '';

const unlimited: Clock = { check: () => undefined };

const limitFor = (length: number): number => Math.max(1, length / MB) * MS_PER_MB;

/** Characters of all strings in a value, about. */
function sizeOf(value: unknown): number {
  let size = 0;
  const left = [value];
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item === 'string') size += item.length;
    else if (typeof item === 'object' && item !== null) {
      for (const member of Object.values(item)) left.push(member);
    }
  }
  return size;
}

/** Wrapped, since `null` and `undefined` are told apart; undefined when it is not JSON. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
