import type { Part } from '../../core/model/thread.js';
import type { Fields } from '../json.js';
import { callParts, textParts } from '../parts.js';
import type { Step } from '../sqlite/steps.js';
import { argumentsIn } from './plainCalls.js';
import { markOf, roleOf } from './plainText.js';
import { typedIn } from './prompt.js';
import type { TranscriptForm } from './transcript.js';

/** Messages of a plain transcript, see `plainText.ts`. */
export const plainForm: TranscriptForm = {
  fieldsOf: (record) => ({ text: Buffer.from(record).toString('utf8') }),
  stepOf: (record, place) => stepOf(String(record['text']), place),
};

/** Whether a record is of such a transcript, not of JSON lines. */
export const isPlainRecord = (record: Uint8Array): boolean => record.includes(lineFeed);

const lineFeed = 0x0a;

function stepOf(text: string, place: number): Step | undefined {
  const id = `message-${place}`;
  const [first = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .replaceAll('\r\n', '\n')
    .split('\n');
  const role = roleOf(first);
  if (role === undefined) return fragment(id, place, text.trim());
  if (role === 'user') return asked(id, place, lines);
  return { id, place, role, parts: answerParts(id, lines) };
}

/** What stands before the first message, as in a file that lost its beginning, is shown as it is. */
const fragment = (id: string, place: number, text: string): Step => ({
  id,
  place,
  role: 'none',
  parts: [],
  notice: { kind: 'info', text },
});

function asked(id: string, place: number, lines: readonly string[]): Step | undefined {
  const begins = lines.findIndex((line) => line.trim() !== '' && line !== image);
  const head = lines.slice(0, begins < 0 ? lines.length : begins);
  const typed = typedIn(lines.slice(head.length).join('\n'));
  const pictures = head.flatMap((line): readonly Part[] =>
    line === image ? [{ kind: 'image', mediaType: 'image', bytes: 0 }] : [],
  );
  const parts = [...textParts(typed), ...pictures];
  return parts.length === 0 ? undefined : { id, place, role: 'user', typed, parts };
}

const image = '[Image]';

interface Section {
  readonly kind: 'text' | 'Thinking' | 'Tool call' | 'Tool result';
  readonly rest: string;
  readonly lines: string[];
}

function sectionsOf(lines: readonly string[]): readonly Section[] {
  const sections: Section[] = [{ kind: 'text', rest: '', lines: [] }];
  for (const line of lines) {
    const found = markOf(line);
    if (found !== undefined) sections.push({ ...found, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** A result is of the first call before it of its name that has none; of another name, of the first such call at all. */
function answersIn(sections: readonly Section[]): ReadonlyMap<Section, Section> {
  const answers = new Map<Section, Section>();
  const pending: Section[] = [];
  for (const section of sections) {
    if (section.kind === 'Tool call') pending.push(section);
    if (section.kind !== 'Tool result') continue;
    const named = pending.findIndex(({ rest }) => rest === section.rest);
    const [call] = pending.splice(Math.max(named, 0), 1);
    if (call !== undefined) answers.set(call, section);
  }
  return answers;
}

function answerParts(id: string, lines: readonly string[]): readonly Part[] {
  const sections = sectionsOf(lines);
  const answers = answersIn(sections);
  return sections.flatMap((section, at): readonly Part[] => {
    const words = section.lines.join('\n').trim();
    switch (section.kind) {
      case 'text':
        return textParts(words);
      case 'Thinking':
        // Nothing tells where a thought ends and the answer's words begin, and those must not be hidden with it.
        return [{ kind: 'thinking', text: section.rest }, ...textParts(words)];
      case 'Tool call': {
        const answer = answers.get(section);
        const call = { id: `${id}-${at}`, name: section.rest, input: inputOf(section) };
        const result = answer && { text: answer.lines.join('\n').trim(), isError: false };
        return callParts(call, result);
      }
      case 'Tool result':
        return [];
    }
  });
}

const inputOf = ({ rest, lines }: Section): Fields => argumentsIn(rest, lines);
