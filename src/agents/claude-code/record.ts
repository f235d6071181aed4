import { isFields, textOf, type Fields } from '../json.js';
import type { Link } from '../branch.js';

export function linkOf(record: Fields): Link | undefined {
  const uuid = textOf(record['uuid']);
  return uuid === undefined
    ? undefined
    : {
        uuid,
        parent: textOf(record['parentUuid']),
        logicalParent: textOf(record['logicalParentUuid']),
      };
}

/** A record of the conversation itself, as opposed to hooks, progress and bookkeeping. */
export const isMessage = (record: Fields): boolean =>
  record['type'] === 'user' || record['type'] === 'assistant';

/** The blocks of a message; a plain string is one text block. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

/** A call of a tool; `server_tool_use` and `mcp_tool_use` ran at the vendor's. */
export const isToolCall = (block: Fields): boolean =>
  block['type'] === 'tool_use' ||
  block['type'] === 'server_tool_use' ||
  block['type'] === 'mcp_tool_use';

export const isToolResult = (block: Fields): boolean =>
  block['type'] === 'tool_result' || textOf(block['type'])?.endsWith('_tool_result') === true;

/** The text blocks joined as the person would read them. */
export const plainText = (blocks: readonly Fields[]): string =>
  blocks
    .filter((block) => block['type'] === 'text')
    .map((block) => textOf(block['text']) ?? '')
    .join('\n');
