import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../src/core/convert/conversation.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../../src/agents/json.js';

/** One thing that an agent sent to its model. */
export type Sent =
  | { readonly kind: 'text'; readonly role: 'user' | 'assistant'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string | undefined;
      readonly name: string;
      readonly input: unknown;
    }
  | { readonly kind: 'result'; readonly id: string | undefined; readonly text: string }
  | { readonly kind: 'thinking' }
  | { readonly kind: 'image'; readonly data: string };

/** What a request holds, in order, in whichever of the four interfaces it is made. */
export const sentIn = (messages: readonly unknown[]): readonly Sent[] =>
  messages.flatMap((message) => sentOf(fieldsOf(message) ?? {}));

function sentOf(message: Fields): readonly Sent[] {
  const { type, role } = message;
  if (type === 'function_call' || type === 'custom_tool_call') return [callOf(message)];
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    return [{ kind: 'result', id: textOf(message['call_id']), text: allText(message['output']) }];
  }
  if (type === 'reasoning') return [{ kind: 'thinking' }];
  if (role === 'tool') {
    const id = textOf(message['tool_call_id']);
    return [{ kind: 'result', id, text: allText(message['content']) }];
  }
  const who = role === 'assistant' || role === 'model' ? 'assistant' : 'user';
  if (role === 'system' || role === 'developer') return [];
  const said = blocksIn(message['content'] ?? message['parts']).flatMap((block) =>
    blockOf(block, who),
  );
  return [...said, ...objectsOf(message['tool_calls']).map(completionsCall)];
}

const blocksIn = (content: unknown): readonly Fields[] =>
  isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);

function blockOf(block: Fields, role: 'user' | 'assistant'): readonly Sent[] {
  const call = fieldsOf(block['functionCall']);
  const response = fieldsOf(block['functionResponse']);
  const { type } = block;
  if (call !== undefined) {
    return [
      { kind: 'call', id: textOf(call['id']), name: String(call['name']), input: call['args'] },
    ];
  }
  if (response !== undefined) {
    return [{ kind: 'result', id: textOf(response['id']), text: allText(response['response']) }];
  }
  if (type === 'tool_use') {
    const { id, name, input } = block;
    return [{ kind: 'call', id: textOf(id), name: String(name), input }];
  }
  if (type === 'tool_result') {
    const id = textOf(block['tool_use_id']);
    return [{ kind: 'result', id, text: allText(block['content']) }];
  }
  if (type === 'thinking' || block['thought'] === true) return [{ kind: 'thinking' }];
  const image = imageIn(block);
  if (image !== undefined) return [{ kind: 'image', data: image }];
  return isString(block['text']) ? [{ kind: 'text', role, text: block['text'] }] : [];
}

function imageIn(block: Fields): string | undefined {
  const url = block['image_url'];
  const inline = fieldsOf(block['inlineData']) ?? fieldsOf(block['source']);
  return (
    textOf(inline?.['data']) ??
    (textOf(url) ?? textOf(fieldsOf(url)?.['url']))?.replace(/^data:[^,]*,/, '')
  );
}

const callOf = (item: Fields): Sent => {
  const given = item['arguments'] ?? item['input'];
  return {
    kind: 'call',
    id: textOf(item['call_id']),
    name: String(item['name']),
    input: isString(given) && item['type'] === 'function_call' ? JSON.parse(given) : given,
  };
};

const completionsCall = (call: Fields): Sent => {
  const of = fieldsOf(call['function']);
  return {
    kind: 'call',
    id: textOf(call['id']),
    name: String(of?.['name']),
    input: JSON.parse(textOf(of?.['arguments']) ?? '{}'),
  };
};

/** Every text below a value, joined. */
function allText(value: unknown): string {
  if (isString(value)) return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(allText).filter(Boolean).join('\n');
}

/** What a conversation must put on the wire, in order. */
export const wanted = (messages: readonly Message[]): readonly Sent[] =>
  messages.flatMap((message): readonly Sent[] => {
    if (message.role === 'summary') return [{ kind: 'text', role: 'user', text: message.text }];
    const { role } = message;
    const said = message.content.map((part): Sent =>
      part.kind === 'text'
        ? { kind: 'text', role, text: part.text }
        : { kind: 'image', data: part.data },
    );
    if (message.role === 'user') return said;
    const { calls } = message;
    return [
      ...said,
      ...calls.map(({ id, name, input }): Sent => ({ kind: 'call', id, name, input })),
      ...calls.map(({ id, result }): Sent => ({ kind: 'result', id, text: result.text })),
    ];
  });

/**
 * Fails unless a request holds all that is wanted, in order, and every call is answered exactly once.
 * What an agent puts around a prompt is passed over. `cut` stands in the middle of results that the agent itself
 * shortens.
 */
export function assertRemembers(
  messages: readonly unknown[],
  expected: readonly Message[],
  cut?: RegExp,
): readonly Sent[] {
  const sent = sentIn(messages);
  let at = 0;
  /** Where the results of the newest answer's calls may begin, and the last of them. */
  let calls = 0;
  let last = 0;
  for (const [index, want] of wanted(expected).entries()) {
    const isResult = want.kind === 'result';
    if (!isResult) at = Math.max(at, last);
    // Calls that are made at once are answered as they end.
    const from = isResult ? calls : at;
    const found = sent.findIndex((one, place) => place >= from && isSame(one, want, cut));
    assert.ok(
      found >= 0,
      `item ${index} was not sent in its place: ${JSON.stringify(want).slice(0, 300)}\nAfter ${JSON.stringify(sent.slice(Math.max(0, at - 1), at + 4)).slice(0, 1500)}`,
    );
    if (isResult) last = Math.max(last, found + 1);
    else {
      if (want.kind === 'call') calls = at;
      // Two texts may have been joined into one.
      at = want.kind === 'text' ? found : found + 1;
    }
  }
  assertPaired(sent);
  return sent;
}

function isSame(sent: Sent, want: Sent, cut?: RegExp): boolean {
  if (want.kind === 'text') {
    return sent.kind === 'text' && sent.role === want.role && sent.text.includes(want.text.trim());
  }
  if (want.kind === 'call') {
    return sent.kind === 'call' && sent.name === want.name && isSameInput(sent.input, want.input);
  }
  if (want.kind === 'result') {
    return sent.kind === 'result' && isSameResult(sent.text, want.text.trim(), cut);
  }
  return want.kind === 'image' && sent.kind === 'image' && sent.data === want.data;
}

function isSameResult(sent: string, want: string, cut: RegExp | undefined): boolean {
  if (sent.includes(want)) return true;
  if (cut === undefined) return false;
  const [head = '', tail] = sent.split(cut);
  // Before the beginning of it stands how long it was.
  const begins = head.slice(head.indexOf(want.slice(0, 20))).trim();
  return tail !== undefined && want.startsWith(begins) && want.endsWith(tail.trim());
}

/** A text of a tool's own form stands in a member of an object elsewhere; programs add what they take for granted. */
const isSameInput = (sent: unknown, want: unknown): boolean => {
  const given = isString(sent) ? { input: sent } : fieldsOf(sent);
  return Object.entries(fieldsOf(want) ?? {}).every(([name, value]) =>
    isDeepStrictEqual(given?.[name], value),
  );
};

function assertPaired(sent: readonly Sent[]): void {
  const calls = sent.flatMap((one) => (one.kind === 'call' ? [one.id] : []));
  const results = sent.flatMap((one) => (one.kind === 'result' ? [one.id] : []));
  assert.equal(results.length, calls.length, 'not every call is answered exactly once');
  if (!calls.includes(undefined)) {
    assert.deepEqual([...results].sort(), [...calls].sort());
    assert.equal(new Set(calls).size, calls.length, 'an id is used twice');
  }
}
