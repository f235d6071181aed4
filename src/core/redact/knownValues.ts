import type { Finding } from './finding.js';
import { createKeyedHash } from './keyedHash.js';

/** Shorter values turn up by chance. */
export const MIN_KNOWN = 8;
const MAX_KNOWN = 8192;
const WINDOW = MIN_KNOWN;
const FILTER_BITS = 1 << 16;

interface Known {
  readonly length: number;
  readonly hash: string;
}

/**
 * Values that are known to be secret, from files and variables; they are found wherever they stand, as
 * they are, in base64 and URL-encoded. Only keyed hashes of them are kept.
 *
 * A rolling hash of eight characters (Rabin-Karp, its factor drawn at random) tells in one pass where
 * one may begin; the keyed hash of the whole decides.
 */
export class KnownValues {
  private readonly hash = createKeyedHash();
  private readonly factor: number;
  private readonly outgoing: number;
  private readonly filter = new Uint8Array(FILTER_BITS);
  private readonly byWindow = new Map<number, Known[]>();
  private readonly forms = new Set<string>();

  constructor(values: Iterable<string> = []) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    this.factor = random | 1;
    let power = 1;
    for (let count = 1; count < WINDOW; count += 1) power = Math.imul(power, this.factor);
    this.outgoing = power;
    for (const value of values) this.add(value);
  }

  get isEmpty(): boolean {
    return this.byWindow.size === 0;
  }

  add(value: string): void {
    if (value.length < MIN_KNOWN || value.length > MAX_KNOWN || new Set(value).size < 4) return;
    for (const form of formsOf(value)) this.addForm(form);
  }

  find(text: string): readonly Finding[] {
    if (this.isEmpty || text.length < WINDOW) return [];
    const found: Finding[] = [];
    let rolling = this.windowHash(text);
    for (let at = 0; at + WINDOW <= text.length; at += 1) {
      if (at > 0) rolling = this.roll(rolling, text, at);
      if (this.filter[rolling >>> 16] !== 1) continue;
      const length = this.lengthAt(text, at, rolling);
      if (length !== undefined) found.push({ kind: 'known-value', start: at, end: at + length });
    }
    return found;
  }

  private addForm(form: string): void {
    const hash = this.hash(form);
    if (form.length < WINDOW || this.forms.has(hash)) return;
    this.forms.add(hash);
    const window = this.windowHash(form);
    this.filter[window >>> 16] = 1;
    const known = this.byWindow.get(window) ?? [];
    known.push({ length: form.length, hash });
    known.sort((a, b) => b.length - a.length);
    this.byWindow.set(window, known);
  }

  /** The longest known value that begins there. */
  private lengthAt(text: string, at: number, window: number): number | undefined {
    return this.byWindow
      .get(window)
      ?.find(
        ({ length, hash }) =>
          at + length <= text.length && this.hash(text, at, at + length) === hash,
      )?.length;
  }

  private windowHash(text: string): number {
    let rolling = 0;
    for (let at = 0; at < WINDOW; at += 1) {
      rolling = (Math.imul(rolling, this.factor) + mix(text.charCodeAt(at))) | 0;
    }
    return rolling;
  }

  private roll(before: number, text: string, at: number): number {
    const without = before - Math.imul(mix(text.charCodeAt(at - 1)), this.outgoing);
    return (Math.imul(without, this.factor) + mix(text.charCodeAt(at + WINDOW - 1))) | 0;
  }
}

/** A lone surrogate has no bytes of UTF-8. */
const loneSurrogate = /\p{Surrogate}/u;

/** Spreads a character over all bits, since only the upper ones choose. */
const mix = (code: number): number => Math.imul(code + 1, 0x9e3779b1);

/** The value as it is, inside JSON, in a URL, and in base64 wherever in a longer text it begins. */
function* formsOf(value: string): Iterable<string> {
  yield value;
  yield JSON.stringify(value).slice(1, -1);
  if (!loneSurrogate.test(value)) {
    yield encodeURIComponent(value);
    yield encodeURIComponent(value).replaceAll('%20', '+');
    for (const form of base64Forms(value)) {
      yield form;
      yield form.replaceAll('+', '-').replaceAll('/', '_');
    }
  }
}

/** The characters that stay the same, for each of the three places that a value can have in a group of bytes. */
function* base64Forms(value: string): Iterable<string> {
  const bytes = String.fromCharCode(...new TextEncoder().encode(value));
  for (const offset of [0, 1, 2]) {
    const whole = btoa('\0'.repeat(offset) + bytes).replace(/=+$/, '');
    const first = offset === 0 ? 0 : offset + 1;
    const cutsLast = (offset + bytes.length) % 3 !== 0;
    yield whole.slice(first, cutsLast ? -1 : undefined);
  }
}
