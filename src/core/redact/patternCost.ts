/** What a pattern repeats at most; more makes one look at a text long. */
const MAX_REPEAT = 1024;
/** Of repeats in repeats, all together. */
const MAX_NESTED = 4096;

interface Group {
  readonly start: number;
  /** The most that anything in it is repeated, those within each other multiplied. */
  inner: number;
  hasAlternatives: boolean;
}

const quantifier = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y;

/**
 * The part of a regular expression that could make it slow, undefined when there is none: a repetition
 * within a repetition, a very long one, a reference back to a group. What passes takes at most the
 * square of a text's length, and a limit on time holds that.
 */
export function whySlow(source: string): string | undefined {
  const groups: Group[] = [{ start: 0, inner: 1, hasAlternatives: false }];
  let atom = 0;
  let atomCost = 1;
  let atomIsGroup = false;
  for (let at = 0; at < source.length;) {
    const char = source[at] ?? '';
    quantifier.lastIndex = at;
    const repeat = quantifier.exec(source);
    if (repeat) {
      const end = at + repeat[0].length;
      const most = repeatsOf(repeat);
      const part = source.slice(atom, end);
      const isUnbounded = most === Infinity;
      // Where any number can be taken in two ways, trying all ways has no end.
      if (isUnbounded && atomIsGroup && atomCost > 1) return part;
      if (!isUnbounded && most > MAX_REPEAT) return part;
      const cost = atomCost * Math.min(most, MAX_REPEAT);
      if (most > 1 && cost > MAX_NESTED && atomIsGroup) return part;
      const group = groups.at(-1);
      if (group) group.inner = Math.max(group.inner, cost);
      at = source[end] === '?' || source[end] === '+' ? end + 1 : end;
      continue;
    }
    atom = at;
    atomCost = 1;
    atomIsGroup = false;
    if (char === '\\') {
      if (/[1-9]/.test(source[at + 1] ?? '') || source.startsWith('k<', at + 1)) {
        return source.slice(at, at + 2);
      }
      at = endOfEscape(source, at);
    } else if (char === '[') at = endOfClass(source, at);
    else if (char === '(') {
      groups.push({ start: at, inner: 1, hasAlternatives: false });
      at = endOfOpening(source, at);
    } else if (char === ')') {
      const closed = groups.length > 1 ? groups.pop() : undefined;
      atom = closed?.start ?? at;
      // Alternatives can mean the same (`a|a`), so a repeat of them counts as one of a repeat.
      atomCost = (closed?.inner ?? 1) * (closed?.hasAlternatives === true ? 2 : 1);
      atomIsGroup = true;
      const outer = groups.at(-1);
      if (outer && closed) outer.inner = Math.max(outer.inner, closed.inner);
      at += 1;
    } else {
      const group = groups.at(-1);
      if (char === '|' && group) group.hasAlternatives = true;
      at += 1;
    }
  }
  return undefined;
}

function repeatsOf([whole, least, comma, most]: RegExpExecArray): number {
  if (whole === '?') return 1;
  if (whole === '*' || whole === '+') return Infinity;
  if (comma === undefined) return Number(least);
  return most === '' || most === undefined ? Infinity : Number(most);
}

function endOfEscape(source: string, at: number): number {
  const long = /\\(?:[pP]\{[^}]{0,60}\}|u\{[^}]{0,8}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})/y;
  long.lastIndex = at;
  return at + (long.exec(source)?.[0].length ?? 2);
}

function endOfClass(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** Behind `(`, `(?:`, `(?=`, `(?<name>` and the like, whose `?` repeats nothing. */
function endOfOpening(source: string, at: number): number {
  const opening = /\((?:\?(?:<[A-Za-z_$][\w$]*>|<?[=!]|:|[ims-]{1,6}:))?/y;
  opening.lastIndex = at;
  return at + (opening.exec(source)?.[0].length ?? 1);
}
