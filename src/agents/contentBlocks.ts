import type { Part } from '../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from './json.js';
import { imageOfUrl, imagePart, type ToolResult } from './parts.js';
import type { Saying } from './sayings.js';

/**
 * Content in the form of Anthropic's Messages API, which many agents keep: texts, images, `thinking`,
 * `tool_use`, `tool_result`. A plain string is one text.
 */
export const blocksOf = (content: unknown): readonly Fields[] =>
  isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);

export const textsIn = (content: unknown): readonly string[] =>
  blocksOf(content).flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : []));

export const imagesIn = (content: unknown): readonly Part[] =>
  blocksOf(content).flatMap(({ type, source, image_url: url }) => {
    const {
      media_type: mediaType,
      mediaType: otherName,
      data,
      url: address,
    } = fieldsOf(source) ?? {};
    if (type === 'image') {
      const named = textOf(mediaType) ?? textOf(otherName);
      return isString(address) ? [imageOfUrl(address)] : [imagePart(named, data)];
    }
    const given = textOf(fieldsOf(url)?.['url']);
    return type === 'image_url' && given !== undefined ? [imageOfUrl(given)] : [];
  });

/** What an assistant's content says, in its order. */
export const answerSayings = (content: unknown): readonly Saying[] =>
  blocksOf(content).flatMap((block): readonly Saying[] => {
    const { type, id, name, input } = block;
    switch (type) {
      case 'text':
        return [{ kind: 'text', text: textOf(block['text']) ?? '' }];
      case 'thinking':
        return [{ kind: 'thinking', text: textOf(block['thinking']) ?? '' }];
      case 'redacted_thinking':
        return [{ kind: 'thinking', text: '' }];
      case 'reasoning':
        return [{ kind: 'thinking', text: textOf(block['text']) ?? '' }];
      case 'tool_use':
        return [{ kind: 'call', id: textOf(id) ?? '', name: textOf(name) ?? '', input }];
      default:
        return imagesIn([block]).map((part) => ({ kind: 'media', part }));
    }
  });

/** Results in a user's content. */
export const resultSayings = (content: unknown): readonly Extract<Saying, { kind: 'result' }>[] =>
  blocksOf(content).flatMap((block) =>
    block['type'] === 'tool_result'
      ? [{ kind: 'result', id: textOf(block['tool_use_id']) ?? '', result: resultIn(block) }]
      : [],
  );

const resultIn = ({ content, is_error: isError }: Fields): ToolResult => ({
  text: textsIn(content).join('\n'),
  isError: isError === true,
  media: imagesIn(content),
});
