import type { Fields } from '../json.js';

/** Of tools that take texts of many lines: all that they are given, so that no line of such a text is taken for one. */
const known: Readonly<Record<string, readonly string[]>> = {
  Write: ['path', 'contents', 'file_text'],
  StrReplace: ['path', 'old_string', 'new_string', 'replace_all'],
  EditNotebook: [
    ...['target_notebook', 'cell_idx', 'is_new_cell', 'cell_language', 'old_string', 'new_string'],
  ],
  ApplyPatch: ['patch', 'input'],
  Shell: [
    ...['command', 'description', 'working_directory', 'timeout', 'block_until_ms'],
    ...['is_background', 'required_permissions', 'explanation'],
  ],
};

/** Never anything but a text, whatever it looks like. */
const texts = new Set([
  ...['contents', 'file_text', 'old_string', 'new_string', 'patch', 'input', 'command'],
  ...['description', 'explanation', 'pattern', 'path', 'query', 'search_term', 'prompt'],
]);

const argument = /^ {2}([A-Za-z_]\w*): ?(.*)$/;

/** What a call was given: a line `  key: value` for each argument, and more lines of a value below it. */
export function argumentsIn(tool: string, lines: readonly string[]): Fields {
  const found = new Map<string, string[]>();
  let value: string[] | undefined;
  for (const line of lines) {
    const [, key = '', first = ''] = argument.exec(line) ?? [];
    const isKey = key !== '' && !found.has(key) && (known[tool]?.includes(key) ?? true);
    if (isKey) found.set(key, (value = [first]));
    else if (value !== undefined) value.push(line);
    else if (line.trim() !== '') found.set('text', (value = [line]));
  }
  return Object.fromEntries(
    [...found].map(([key, written]) => [key, valueOf(key, written.join('\n').trimEnd())]),
  );
}

function valueOf(key: string, text: string): unknown {
  if (texts.has(key) || !/^(?:true|false|-?\d{1,15}|[[{].*[\]}])$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
