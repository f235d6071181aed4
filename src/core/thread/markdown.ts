/** Text in a code span whose marks are longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') || text.trim() === '' ? ' ' : '';
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** Lines in a code block that nothing in them can close. */
export function codeBlock(text: string, language = ''): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, ...text.split('\n'), fence];
}

/** Text that is one line of ours, such as a title, with nothing in it read as Markdown. */
export const escapeMarkdown = (text: string): string =>
  inertLinks(text.replace(/[\\`*<[~|]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, '\\$&'));

/**
 * Where a link leads: after `](`, in a definition, in an autolink, in an attribute. VS Code makes links of these in any
 * document that is Markdown, and a link to `command:` runs that command, or to `vscode:` another program's.
 */
const destination =
  /(\]\(\s*<?|\]:\s*<?|<|(?:href|src)\s*=\s*["']?\s*)(?!(?:https?|mailto):)([a-z][a-z0-9+.-]{0,40}):(?=[^\s:])/gi;

/** A link whose destination stands on the next line. */
const opensLink = /\](?:\(|:)\s*<?$/;

const inertStart = (line: string): string =>
  line.replace(/^(\s*<?)(?!(?:https?|mailto):)([a-z][a-z0-9+.-]{0,40}):/i, '$1$2\\:');

/** Takes the effect from links that do not lead to the web. */
const inertLinks = (text: string): string => text.replace(destination, '$1$2\\:');

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Quote marks and list marks that a line may begin with. */
const containers = String.raw`(?: {0,3}(?:>|[-*+](?= )|\d{1,9}[.)](?= )) ?)*`;
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const headingLine = new RegExp(`^(${containers} {0,3})(#{1,6})(?=\\s|$)`);
const underline = new RegExp(`^${containers} {0,3}(=+|-+)[ \\t]*$`);

/**
 * Somebody's Markdown as part of ours: it stays readable as it was written, but can neither look like
 * one of our own headings, nor leave a code block open, nor bring in HTML or pictures from elsewhere.
 *
 * Only code blocks that begin a line of their own are left as they are: one inside of a list or a
 * quote ends with that, whether it was closed or not.
 */
export function embed(markdown: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  // A run of backticks without its other half may pair with one on a later line of the paragraph.
  let loose = false;
  for (const line of markdown.split('\n')) {
    const [, mark, info = ''] = fenceLine.exec(line) ?? [];
    if (fence !== undefined) {
      lines.push(line);
      if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined;
    } else if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) {
      fence = mark;
      loose = false;
      lines.push(line);
    } else {
      const { spans, unpaired } = codeSpans(line);
      loose = line.trim() !== '' && (loose || unpaired);
      const before = lines.at(-1) ?? '';
      const shown = inertLine(line, before, loose ? [] : spans);
      lines.push(opensLink.test(before) ? inertStart(shown) : shown);
    }
  }
  return fence === undefined ? lines : [...lines, fence];
}

/** How far headings of a turn are pushed down, below the turn's own. */
const headingShift = 2;

function inertLine(line: string, before: string, spans: readonly Span[]): string {
  const [whole, lead = '', marks = ''] = headingLine.exec(line) ?? [];
  if (whole !== undefined) {
    const level = Math.min(6, marks.length + headingShift);
    return `${lead}${'#'.repeat(level)}${inertInline(line, spans, whole.length)}`;
  }
  // Under a line of text, a row of these makes a heading of it.
  const isUnderline = before.trim() !== '' && underline.test(line);
  return isUnderline ? line.replace(/[=-]/, '\\$&') : inertInline(line, spans, 0);
}

/** Takes the effect from HTML and pictures, outside of code spans. */
function inertInline(line: string, spans: readonly Span[], start: number): string {
  let result = '';
  let from = start;
  for (const span of spans) {
    result += inertText(line.slice(from, span.start)) + line.slice(span.start, span.end);
    from = span.end;
  }
  return inertLinks(result + inertText(line.slice(from)));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A code span reaches from one run of backticks to the next of the same length. */
function codeSpans(line: string): { readonly spans: readonly Span[]; readonly unpaired: boolean } {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({
    start: index,
    length: run.length,
  }));
  const spans: Span[] = [];
  // An escaped backtick shortens the run that it is in.
  if (line.includes('\\`')) return { spans, unpaired: true };
  const alone = new Set<number>();
  for (let at = 0; at < runs.length; at++) {
    const opening = runs[at];
    if (opening === undefined || alone.has(opening.length)) continue;
    let other = at + 1;
    while (other < runs.length && runs[other]?.length !== opening.length) other++;
    const closing = runs[other];
    if (closing === undefined) {
      alone.add(opening.length);
      continue;
    }
    spans.push({ start: opening.start, end: closing.start + closing.length });
    at = other;
  }
  return { spans, unpaired: alone.size > 0 };
}

const inertText = (text: string): string =>
  text.replace(/<(?=[a-z/!?])/gi, '\\<').replace(/!(?=\[)/g, '\\!');
