import type { Part, Thread, ToolCall, Turn } from '../model/thread.js';
import { actOf, pathsOf } from '../tools/act.js';
import { firstText } from '../tools/fields.js';
import { cut } from '../thread/text.js';
import type { HitKind } from './types.js';

/** What is found as one: a prompt, an answer, some thinking, a tool call's input or its result. */
export interface SearchRow {
  readonly turn: number;
  readonly turnId: string;
  readonly part: number;
  readonly kind: Exclude<HitKind, 'session' | 'title'>;
  readonly role: Turn['role'];
  readonly at?: number | undefined;
  /** Name of the tool, of a call's input and result. */
  readonly tool?: string | undefined;
  /** Files that the call names or the person attached. */
  readonly files?: readonly string[] | undefined;
  readonly text: string;
}

/** A longer text becomes several rows that overlap, in UTF-16 units. */
const LARGEST_ROW = 64 * 1024;
const OVERLAP = 512;

/** The rows of a thread, in order. */
export function* rowsOf({ turns }: Pick<Thread, 'turns'>): Generator<SearchRow> {
  for (const [number, turn] of turns.entries()) {
    for (const [part, content] of turn.parts.entries()) {
      const place = { turn: number, turnId: turn.id, part, role: turn.role, at: turn.at };
      for (const row of rowsOfPart(content, turn.role)) {
        for (const text of piecesOf(row.text)) yield { ...place, ...row, text };
      }
    }
  }
}

type Content = Pick<SearchRow, 'kind' | 'tool' | 'files' | 'text'>;

const kindOfText = { user: 'prompt', assistant: 'answer', system: 'notice' } as const;

function rowsOfPart(part: Part, role: Turn['role']): readonly Content[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ kind: kindOfText[role], text: part.text }];
    case 'thinking':
      return part.text === '' ? [] : [{ kind: 'thinking', text: part.text }];
    case 'notice':
      return part.text === '' ? [] : [{ kind: 'notice', text: part.text }];
    case 'attachment': {
      const uri = part.uri ?? '';
      const files = [part.name, ...(uri === '' ? [] : [uri])];
      return [{ kind: kindOfText[role], files, text: files.join('\n') }];
    }
    case 'image':
      return part.name === undefined ? [] : [{ kind: kindOfText[role], text: part.name }];
    case 'toolCall':
      return rowsOfCall(part);
  }
}

/** Of tools that are not known by name. */
const pathNames = ['file_path', 'filePath', 'path', 'filename', 'file', 'uri'];

function rowsOfCall(call: ToolCall): readonly Content[] {
  const act = actOf(call);
  const named = firstText(call.input, pathNames);
  const paths = act ? pathsOf(act) : named === undefined ? [] : [named];
  const files = paths.length > 0 ? { files: paths } : {};
  const input: Content = {
    kind: 'toolInput',
    tool: call.name,
    ...files,
    text: `${call.name}\n${inputText(call.input)}`,
  };
  const said = call.result?.text ?? '';
  if (said === '') return [input];
  return [input, { kind: 'toolResult', tool: call.name, ...files, text: said }];
}

/** Arguments as text: strings as they are, without the escapes of JSON. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  if (typeof input !== 'object' || input === null) return '';
  const entries = Array.isArray(input) ? input.map(inputText) : Object.entries(input).map(pairText);
  return entries.join('\n');
}

const pairText = ([key, value]: readonly [string, unknown]): string =>
  `${key}: ${inputText(value)}`;

function* piecesOf(text: string): Generator<string> {
  let rest = text;
  while (rest.length > LARGEST_ROW) {
    yield cut(rest, LARGEST_ROW).kept;
    rest = rest.slice(cut(rest, LARGEST_ROW - OVERLAP).kept.length);
  }
  yield rest;
}
