import { sayingsParser } from '../sayingsParser.js';
import type { Said, Saying } from '../sayings.js';
import { header, kindOf, timeOf } from './history.js';

export const agent = 'aider';

/** A parser of a session, or of a whole history. Its records are Markdown. */
export const aiderParser = sayingsParser({
  agent,
  fieldsOf: (record) => ({ markdown: Buffer.from(record).toString('utf8') }),
  reader: () => (record) => readBlock(String(record['markdown']).replaceAll('\r\n', '\n')),
});

const withoutCalls: Saying = { kind: 'about', hasCallIds: false };

function readBlock(markdown: string): Said {
  const lines = markdown.trimEnd().split('\n');
  const [first = ''] = lines;
  switch (kindOf(first)) {
    case 'header': {
      const started = header.exec(first);
      return { times: started === null ? [] : [timeOf(started)], says: [withoutCalls] };
    }
    case 'user':
      return { says: [withoutCalls, ...promptSayings(lines)] };
    case 'tool':
      return { says: [withoutCalls, ...toolSayings(lines)] };
    case 'plain':
      return { says: [withoutCalls, { kind: 'answer' }, ...answerSayings(markdown.trim())] };
  }
}

/** Lines end in two spaces, which is a line break in Markdown. */
const unmarked = (lines: readonly string[], mark: RegExp): string =>
  lines
    .map((line) => line.replace(mark, '').replace(/ {2}$/, ''))
    .join('\n')
    .trim();

function promptSayings(lines: readonly string[]): readonly Saying[] {
  const text = unmarked(lines, /^#### ?/);
  const isCommand = /^[/!]\S/.test(text);
  return [{ kind: 'prompt', text }, ...(isCommand ? [atRest] : [])];
}

const atRest: Saying = { kind: 'working', is: false };

/** What aider itself says: which model it works with, what it edited and committed, errors. */
function toolSayings(lines: readonly string[]): readonly Saying[] {
  const text = unmarked(lines, /^> ?/);
  const model = /^(?:Main model|Model): (\S+)/m.exec(text)?.[1];
  return [
    { kind: 'about', model },
    { kind: 'notice', notice: 'info', text },
  ];
}

/** Some models' thoughts stand before their answers, between tags or under a heading. */
const thoughts =
  /<(thinking-content-\w+|think)>([\s\S]*?)(?:<\/\1>|$)|(?:^-+\n)?^\*{0,2}► \*{0,2}THINKING\*{0,2}\n([\s\S]*?)(?:(?:^-+\n)?^\*{0,2}► \*{0,2}ANSWER\*{0,2}|$(?![\s\S]))/gm;

function answerSayings(text: string): readonly Saying[] {
  const says: Saying[] = [];
  let from = 0;
  const say = (words: string): void => {
    if (words !== '') says.push({ kind: 'text', text: words });
  };
  for (const match of text.matchAll(thoughts)) {
    say(text.slice(from, match.index).trim());
    says.push({ kind: 'thinking', text: (match[2] ?? match[3] ?? '').trim() });
    from = match.index + match[0].length;
  }
  say(text.slice(from).trim());
  return says;
}
