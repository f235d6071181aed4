/** A run of bytes: from, up to but without to. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts the JSON of a whole conversation into records: each item of the member `list`, as its own
 * bytes, then one object of all other members. What lies behind a place that cannot be understood, such as the end
 * of a cut file, becomes a record as it is. Only line ends between values are changed, into spaces,
 * so that a record is one line. With `mayBeList` the file may also be the list itself, with nothing
 * around it.
 */
export function splitState(bytes: Buffer, list: string, mayBeList = false): readonly Uint8Array[] {
  const scan = new Scan(bytes);
  const isList = mayBeList && scan.isList();
  const { items, members, rest, isWhole } = isList ? scan.list() : scan.object(list);
  const slice = (span: Span) => bytes.subarray(span.from, span.to);
  const records = items.map((span) => oneLine(slice(span)));
  if (rest) records.push(oneLine(slice(rest)));
  if (isList) return records;
  const hasMembers = isWhole || members.length > 0 || items.length > 0;
  return hasMembers ? [...records, oneLine(joined(members.map(slice)))] : records;
}

function joined(members: readonly Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const inner = members.flatMap((member, index) => (index === 0 ? [member] : [comma, member]));
  return Buffer.concat([Buffer.from('{'), ...inner, Buffer.from('}')]);
}

function oneLine(bytes: Buffer): Uint8Array {
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes;
  const line = Buffer.from(bytes);
  for (const end of [lineFeed, carriageReturn]) {
    for (let at = line.indexOf(end); at >= 0; at = line.indexOf(end, at + 1)) line[at] = space;
  }
  return line;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const isSpace = (byte: number | undefined): boolean =>
  byte === space || byte === lineFeed || byte === carriageReturn || byte === 0x09;

interface Parts {
  readonly items: readonly Span[];
  readonly members: readonly Span[];
  /** What could not be walked over, or follows the end. */
  readonly rest: Span | undefined;
  /** Whether there is an end. */
  readonly isWhole: boolean;
}

/** Walks over JSON without building it; -1 stands for "the bytes end before this value does". */
class Scan {
  constructor(private readonly bytes: Buffer) {}

  isList(): boolean {
    return this.bytes[this.start()] === openBracket;
  }

  /** The items of the outermost list. */
  list(): Parts {
    const { items, next, stopped } = this.items(this.start());
    const after = next < 0 ? stopped : this.skipSpace(next);
    const rest = next < 0 || after < this.bytes.length ? this.restFrom(after) : undefined;
    return { items, members: [], rest, isWhole: next >= 0 };
  }

  /** The members of the outermost object, the one called `list` taken apart. */
  object(list: string): Parts {
    const { bytes } = this;
    const items: Span[] = [];
    const members: Span[] = [];
    const broken = (from: number) => {
      return { items, members, rest: this.restFrom(from), isWhole: false };
    };
    const start = this.start();
    if (bytes[start] !== openBrace) return broken(start);
    let at = this.skipSpace(start + 1);
    while (bytes[at] !== closeBrace) {
      const member = at;
      const key = bytes[at] === quote ? this.skipString(at) : -1;
      const value = key < 0 ? -1 : this.skipColon(key);
      if (value < 0) return broken(member);
      const isList = bytes.toString('latin1', member, key) === `"${list}"`;
      if (isList && bytes[value] === openBracket) {
        const { items: found, next, stopped } = this.items(value);
        items.push(...found);
        if (next < 0) return broken(stopped);
        at = next;
      } else {
        at = this.skipValue(value);
        if (at < 0) return broken(member);
        members.push({ from: member, to: at });
      }
      at = this.skipSpace(at);
      if (bytes[at] === comma) at = this.skipSpace(at + 1);
      else if (bytes[at] !== closeBrace) return broken(at);
    }
    const after = this.skipSpace(at + 1);
    const rest = after < bytes.length ? { from: after, to: bytes.length } : undefined;
    return { items, members, rest, isWhole: true };
  }

  /** Where the JSON begins, behind a byte order mark. */
  private start(): number {
    const { bytes } = this;
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return this.skipSpace(hasMark ? 3 : 0);
  }

  /** From a place to the end; when nothing is there, the last byte, as a sign that more should be. */
  private restFrom(from: number): Span | undefined {
    const to = this.bytes.length;
    if (from < to) return { from, to };
    let last = to - 1;
    while (isSpace(this.bytes[last])) last--;
    return last < 0 ? undefined : { from: last, to };
  }

  private items(open: number): { items: readonly Span[]; next: number; stopped: number } {
    const items: Span[] = [];
    let at = this.skipSpace(open + 1);
    while (this.bytes[at] !== closeBracket) {
      const to = at < this.bytes.length ? this.skipValue(at) : -1;
      if (to <= at) return { items, next: -1, stopped: at };
      items.push({ from: at, to });
      const after = this.skipSpace(to);
      if (this.bytes[after] === comma) at = this.skipSpace(after + 1);
      else if (this.bytes[after] === closeBracket) at = after;
      else return { items, next: -1, stopped: after };
    }
    return { items, next: at + 1, stopped: at };
  }

  private skipSpace(at: number): number {
    let here = at;
    while (isSpace(this.bytes[here])) here++;
    return here;
  }

  private skipColon(at: number): number {
    const here = this.skipSpace(at);
    return this.bytes[here] === colon ? this.skipSpace(here + 1) : -1;
  }

  /** The end of the string that begins at `at`. */
  private skipString(at: number): number {
    for (let end = this.bytes.indexOf(quote, at + 1); end >= 0;) {
      let slashes = 0;
      while (this.bytes[end - 1 - slashes] === backslash) slashes++;
      if (slashes % 2 === 0) return end + 1;
      end = this.bytes.indexOf(quote, end + 1);
    }
    return -1;
  }

  private skipValue(at: number): number {
    let depth = 0;
    let here = at;
    while (here >= 0 && here < this.bytes.length) {
      const byte = this.bytes[here];
      if (byte === quote) {
        here = this.skipString(here);
        if (depth === 0) return here;
        continue;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return here;
        depth--;
        if (depth === 0) return here + 1;
      }
      if (depth === 0 && (byte === comma || isSpace(byte))) return here;
      here++;
    }
    return -1;
  }
}
