import type { Part } from '../../core/model/thread.js';
import { imagesIn, resultSayings, textsIn } from '../contentBlocks.js';
import type { ToolResult } from '../parts.js';
import type { Saying } from '../sayings.js';
import { withQueries } from './queries.js';

/** A result that is a text under a heading: `[read_file for 'x'] Result:`. */
export interface NamedResult {
  readonly tool: string;
  readonly result: ToolResult;
}

/** What a message in the person's name holds. */
export interface UserContent {
  readonly prompts: readonly string[];
  readonly images: readonly Part[];
  readonly results: readonly Extract<Saying, { kind: 'result' }>[];
  readonly named: readonly NamedResult[];
}

export function readUserContent(content: unknown): UserContent {
  const results = withQueries(content, resultSayings(content));
  const texts = textsIn(content);
  const isFramed = results.length > 0 || texts.some((text) => frame.test(text));
  const own = texts.map((text) => text.replace(surroundings, '').trim()).filter(Boolean);
  const answers = results.map(({ result }) => result.text);
  return {
    prompts: isFramed ? [...own, ...answers].flatMap((text) => typedIn(text) ?? []) : own,
    images: imagesIn(content),
    results,
    named: namedResults(own),
  };
}

const surroundings = /<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g;

/** Heads of what the program writes. A text in no frame is a person's, as the newest versions keep it. */
const frame = /<environment_details>|^\s*(?:[[<#]|The user |Note: |Continue )/;

/**
 * A person's words stand in one of these elements, at the head of a text or after a sentence or two
 * of the program's; deeper in a text they are the content of a file.
 */
const typed =
  /^(?:[^\n<]{0,400}\n+){0,3}\s*<(task|feedback|user_message|user_input|answer)(?: [^>\n]*)?>([\s\S]*?)<\/\1>/;

/** Before an interrupted task goes on, the program says much. */
const resumed = /^\s*\[TASK RESUMPTION\][\s\S]*?<(user_message)>([\s\S]*?)<\/user_message>/;

function typedIn(text: string): string | undefined {
  const words = (resumed.exec(text) ?? typed.exec(text.replace(heading, '')))?.[2];
  return words?.trim();
}

const heading = /^\s*\[(\w+)(?: for [\s\S]*?)?\] Result:[ \t]*\n*/;

/** The text of a result follows its heading in the same block or is the next one. */
function namedResults(texts: readonly string[]): readonly NamedResult[] {
  return texts.flatMap((text, at) => {
    const [head, tool] = heading.exec(text) ?? [];
    if (head === undefined || tool === undefined) return [];
    const next = texts[at + 1] ?? '';
    const answer = text.slice(head.length).trim() || (heading.test(next) ? '' : next);
    return [{ tool, result: { text: answer, isError: failed.test(answer) } }];
  });
}

const failed = /^(?:The tool execution failed|Error |<error_details>)/;
