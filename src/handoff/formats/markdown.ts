import { escapeMarkdown } from '../../core/thread/markdown.js';
import { renderThread } from '../../core/thread/render.js';
import { oneLine } from '../../core/thread/text.js';
import { isoTime, type ReadableFormat } from './readable.js';

/** Markdown to be read: everything that was said and done, no text cut. Nothing in it is a link or HTML. */
export const markdown: ReadableFormat = async function* (readable) {
  const { session, snapshots, author, createdAt, tool } = readable;
  const facts = [
    ...(session.goal === '' ? [] : [`- Goal: ${words(session.goal)}`]),
    `- Status: ${session.status}`,
    ...(session.tags.length === 0 ? [] : [`- Tags: ${words(session.tags.join(', '))}`]),
    `- Time: ${isoTime(session.createdAt)} to ${isoTime(session.updatedAt)}`,
    `- Exported: ${isoTime(createdAt)}${author === undefined ? '' : ` by ${words(author)}`}, ${tool.name} ${tool.version}`,
  ];
  yield `# ${words(session.title) || 'Session'}\n\n${facts.join('\n')}\n`;
  if (snapshots.length > 0) {
    const rows = snapshots.map(({ at, reason, label = '', branch = '' }) => {
      const cells = [isoTime(at), reason, words(branch), words(label)];
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    });
    yield `\n## Snapshots\n\n| taken | reason | branch | label |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  }
  for await (const thread of readable.threads) {
    const { text } = renderThread(thread, { isCopy: true, timeZone: 'UTC' });
    yield `\n---\n\n${withoutLinks(text)}`;
  }
};

/**
 * A thread is rendered for an editor, which shows Markdown as text. Here a viewer may follow links, and fetches
 * images by itself: a conversation could send what it holds to whoever it likes. So links are text.
 */
function withoutLinks(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence) === true) fence = undefined;
        return line;
      }
      fence = mark;
      return mark === undefined ? line.split(codeSpans).map(plainIfText).join('') : line;
    })
    .join('\n');
}

const codeSpans = /(`+[^`]+`+)/;

const plainIfText = (piece: string, at: number): string =>
  at % 2 === 1
    ? piece
    : piece.replace(/\]([([])/g, ']\\$1').replace(/^(\s*(?:>\s*)*)\[([^\]]+)\]:/, '$1\\[$2]:');

const words = (text: string): string => withoutLinks(escapeMarkdown(oneLine(text, 500)));
