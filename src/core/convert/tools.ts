import { actOf, type Act } from '../tools/act.js';
import { checkedArguments, opFields, type Arguments, type Op } from './toolOps.js';
import { toolTable } from './toolTable.js';
import type { VendorTool } from './vendorTool.js';

export interface MappedCall {
  readonly name: string;
  readonly input: Arguments;
}

/**
 * A call of one vendor's tool as a call of another vendor's tool for the same thing, if all of its
 * arguments have a place there; otherwise undefined, and the call keeps its own name.
 */
export function mapCall(
  from: string,
  to: string,
  call: { readonly name: string; readonly input: unknown },
): MappedCall | undefined {
  for (const { op, args } of meaningsOf(from, call)) {
    const other = toolTable[to]?.find((tool) => tool.op === op && tool.old !== true);
    const input = other && inputFor(other, args);
    if (other !== undefined && input !== undefined) return { name: other.name, input };
  }
  return undefined;
}

interface Meaning {
  readonly op: Op;
  readonly args: Arguments;
}

/** Each reading of a call that loses none of its arguments. */
function meaningsOf(
  agent: string,
  call: { readonly name: string; readonly input: unknown },
): readonly Meaning[] {
  const tools = toolTable[agent];
  if (tools === undefined) return usualMeaning(call);
  return tools.flatMap((tool) => {
    const args = tool.name === call.name ? argumentsOf(tool, call.input) : undefined;
    return args === undefined ? [] : [{ op: tool.op, args }];
  });
}

/** Of agents without a table of their own: by the usual names, where each argument was understood. */
function usualMeaning(call: {
  readonly name: string;
  readonly input: unknown;
}): readonly Meaning[] {
  const act = actOf(call);
  const meaning = act && meaningOf(act);
  if (meaning === undefined) return [];
  const given = Object.values(call.input ?? {}).filter(
    (value) => value !== undefined && value !== null && value !== false,
  );
  const args = checkedArguments(meaning.op, meaning.args);
  return args !== undefined && Object.keys(args).length >= given.length
    ? [{ op: meaning.op, args }]
    : [];
}

function meaningOf(act: Act): Meaning | undefined {
  switch (act.kind) {
    case 'shell':
      return { op: 'shell', args: { command: act.command, folder: act.cwd } };
    case 'read':
      return { op: 'read', args: { path: act.path, from: act.line, lines: act.lines } };
    case 'write':
      return { op: 'write', args: { path: act.path, content: act.text } };
    case 'edit': {
      const [edit, ...others] = act.edits;
      return edit === undefined || others.length > 0
        ? undefined
        : { op: 'edit', args: { path: act.path, ...edit } };
    }
    case 'grep':
      return { op: 'grep', args: { pattern: act.pattern, path: act.path, files: act.glob } };
    case 'glob':
      return { op: 'glob', args: { pattern: act.pattern, path: act.path } };
    case 'list':
      return { op: 'list', args: { path: act.path } };
    case 'fetch':
      return { op: 'fetch', args: { url: act.url, question: act.prompt } };
    default:
      return undefined;
  }
}

function argumentsOf(tool: VendorTool, input: unknown): Arguments | undefined {
  const args = tool.read ? tool.read(input) : byFields(tool, input);
  return args && checkedArguments(tool.op, args);
}

function byFields({ fields = {}, ignored = [] }: VendorTool, input: unknown) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const args: Record<string, unknown> = {};
  const own = Object.entries(fields);
  for (const [name, value] of Object.entries(input)) {
    if (ignored.includes(name) || value === undefined || value === null) continue;
    const place = own.find(
      ([, field]) => (typeof field === 'string' ? field : field.name) === name,
    );
    if (place === undefined) return undefined;
    const [field, there] = place;
    args[field] = typeof there === 'string' ? (value as unknown) : there.read(value);
  }
  return args;
}

function inputFor(tool: VendorTool, args: Arguments): Arguments | undefined {
  if (tool.make) return tool.make(args);
  const input: Record<string, unknown> = { ...tool.always };
  for (const [name, value] of Object.entries(args)) {
    const field = tool.fields?.[name];
    if (field === undefined) {
      if (opFields[tool.op][name]?.cosmetic === true) continue;
      return undefined;
    }
    if (typeof field === 'string') input[field] = value;
    else input[field.name] = field.make(value);
  }
  return input;
}
