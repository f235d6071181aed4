/**
 * VS Code writes an edit into the answer's text as a code block whose content is kept apart: the
 * block stands before the edit, or around it. Takes an empty block, or the beginning of one, from the
 * text's end; `isOpen` says that the text behind the edit begins with the block's end.
 */
export function withoutEditFence(text: string): {
  readonly text: string;
  readonly isOpen: boolean;
} {
  let open: { readonly start: number; readonly marks: string } | undefined;
  let isEmpty = true;
  let at = 0;
  let emptyBlock: number | undefined;
  for (const line of text.split('\n')) {
    const [, marks, info = ''] = /^[ \t]*(`{3,})([^`]*)$/.exec(line) ?? [];
    if (open === undefined && marks !== undefined) {
      open = { start: at, marks };
      isEmpty = true;
      emptyBlock = undefined;
    } else if (open !== undefined && marks?.startsWith(open.marks) && info.trim() === '') {
      emptyBlock = isEmpty ? open.start : undefined;
      open = undefined;
    } else if (line.trim() !== '') {
      isEmpty = false;
      emptyBlock = undefined;
    }
    at += line.length + 1;
  }
  if (open !== undefined && isEmpty) return { text: text.slice(0, open.start), isOpen: true };
  return { text: text.slice(0, emptyBlock), isOpen: false };
}

/** The text behind an edit whose code block began before it. */
export const afterEditFence = (text: string): string => text.replace(/^\s*`{3,}[ \t]*\n?/, '');
