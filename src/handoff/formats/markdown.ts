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
    yield `\n---\n\n${renderThread(thread, { isCopy: true, timeZone: 'UTC' }).text}`;
  }
};

const words = (text: string): string => escapeMarkdown(oneLine(text, 500));
