import { withoutHeadBlocks } from '../headBlocks.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { imageOfUrl, type ImagePart } from '../parts.js';
import { contentText, kindOf, type Line } from './line.js';

/** What a person typed, by the three ways in which versions write it. */
export interface Prompt {
  readonly from: PromptSource;
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/**
 * In the order of trust: a file that has the first kind is read by it alone, and so on. Tried on 0.171:
 * it goes on with a file of an older version in that version's way.
 */
export const promptSources = ['event', 'item', 'message'] as const;
export type PromptSource = (typeof promptSources)[number];

/** Heads of what the program itself puts into the person's name. */
const injected = [
  /^<(environment_context|user_instructions|instructions|skill|turn_aborted|user_action)\b/i,
  /^<(user_shell_command|subagent_notification|codex_internal_context|command_sessions)\b/i,
  /^<(skills_instructions|context_window_guidance|agent_message_board_notification)\b/i,
  /^<(permissions|collaboration_mode|hook_context)\b/i,
  /^# AGENTS\.md instructions/,
  // The summary of a compaction, which goes on as the person's message.
  /^Another language model started to solve this problem and produced a summary/,
];

export const isInjected = (text: string): boolean => {
  const start = text.trimStart();
  return injected.some((head) => head.test(start));
};

/** Codex in an editor puts what is open there before the prompt. */
const ideHead = /^# [\s\S]*?^## My request for Codex:/m;

export const typedText = (text: string): string =>
  withoutHeadBlocks(text).trim().replace(ideHead, '').trim();

/** The prompt that a line holds, or undefined. */
export function promptOf(line: Line): Prompt | undefined {
  const { type, payload } = line;
  const kind = kindOf(line);
  if (type === 'event_msg' && kind === 'user_message') return eventPrompt(payload);
  if (type === 'event_msg' && kind === 'item_completed') return itemPrompt(payload);
  return type === 'response_item' && kind === 'message' && payload['role'] === 'user'
    ? messagePrompt(payload)
    : undefined;
}

/** Until late 2025 injected messages were events too, told apart by their kind. */
function eventPrompt(event: Fields): Prompt | undefined {
  const kind = textOf(event['kind']) ?? 'plain';
  const text = textOf(event['message']) ?? '';
  if (kind !== 'plain' || isInjected(text)) return undefined;
  const images = [event['images'], event['local_images']].flatMap(urlsOf).map(imageOfUrl);
  return prompt('event', text, images);
}

function itemPrompt(event: Fields): Prompt | undefined {
  const item = fieldsOf(event['item']);
  if (item?.['type'] !== 'UserMessage') return undefined;
  const text = contentText(item['content']);
  return isInjected(text) ? undefined : prompt('item', text, imagesOf(item['content']));
}

/** One message may hold injected parts and typed ones; tags around images are the program's. */
function messagePrompt({ content }: Fields): Prompt | undefined {
  if (isString(content)) return isInjected(content) ? undefined : prompt('message', content, []);
  const texts = objectsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .filter((text) => !isInjected(text) && !/^<\/?image\b[^>]*>$/.test(text.trim()));
  return prompt('message', texts.join('\n'), imagesOf(content));
}

const prompt = (
  from: PromptSource,
  text: string,
  images: readonly ImagePart[],
): Prompt | undefined => {
  const typed = typedText(text);
  return typed === '' && images.length === 0 ? undefined : { from, text: typed, images };
};

const urlsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(isString) : [];

export const imagesOf = (content: unknown): readonly ImagePart[] =>
  objectsOf(content).flatMap((part) => {
    const url = textOf(part['image_url']) ?? (isImageFile(part) ? textOf(part['path']) : undefined);
    return url === undefined ? [] : [imageOfUrl(url)];
  });

const isImageFile = (part: Fields): boolean =>
  part['type'] === 'local_image' || part['type'] === 'localImage';
