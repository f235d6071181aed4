import { checkedArguments, opFields, type Arguments } from './toolOps.js';
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
  for (const tool of toolTable[from] ?? []) {
    const args = tool.name === call.name ? argumentsOf(tool, call.input) : undefined;
    if (args === undefined) continue;
    const other = toolTable[to]?.find(({ op, old }) => op === tool.op && old !== true);
    const input = other && inputFor(other, args);
    if (other !== undefined && input !== undefined) return { name: other.name, input };
  }
  return undefined;
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
