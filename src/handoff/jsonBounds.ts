import { limits } from './limits.js';

/** What of a line of JSON is beyond the limits; undefined when nothing is. Says nothing of its syntax. */
export type Excess = 'depth' | 'keys' | 'items';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Looks at brackets and commas only, before the line is parsed: `JSON.parse` would build a million
 * nested arrays without a word. Strings are jumped over.
 */
export function excessOf(line: Buffer): Excess | undefined {
  // For each open bracket its limit and how many commas it may still have.
  const left: number[] = [];
  const isObject: boolean[] = [];
  for (let at = 0; at < line.length; at += 1) {
    switch (line[at]) {
      case quote:
        at = endOfString(line, at);
        break;
      case openBrace:
      case openBracket:
        if (left.length === limits.depth) return 'depth';
        isObject.push(line[at] === openBrace);
        left.push((line[at] === openBrace ? limits.keys : limits.items) - 1);
        break;
      case closeBrace:
      case closeBracket:
        left.pop();
        isObject.pop();
        break;
      case comma: {
        const more = (left.at(-1) ?? 0) - 1;
        if (more < 0) return isObject.at(-1) === true ? 'keys' : 'items';
        left[left.length - 1] = more;
        break;
      }
    }
  }
  return undefined;
}

/** Where a string ends that begins at `at`: at its closing quotation mark, or at the end of the line. */
function endOfString(line: Buffer, at: number): number {
  for (let end = at + 1; end < line.length; end += 1) {
    end = line.indexOf(quote, end);
    if (end === -1) return line.length;
    let slashes = 0;
    while (line[end - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return line.length;
}
