import type {
  AnsweredCall,
  AnswerMessage,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { objectsOf, textOf as textIn, type Fields } from '../json.js';

/*
 * The form that `Chat: Export Chat…` writes and `workbench.action.chat.import` reads, as VS Code 1.139.1 showed it.
 * A chat keeps each call twice: as a part of the answer, which is shown, and in the rounds of the result's metadata, from
 * which an agent tells its model what was called (see toolCalls.ts).
 */

/** What a value of an extension's API is marked with in JSON: `MarshalledId` of VS Code. */
const TOOL_RESULT = 20;
const TEXT_PART = 21;

/** `modelState.value` of a request that is answered. */
const COMPLETE = 1;

export interface ExportPlace {
  /** Milliseconds since the epoch, for what has no time. */
  readonly now: number;
  /** New random UUIDs (version 4), one a call. */
  readonly uuid: () => string;
}

/** A conversation in that form: a request for each prompt, with all that was answered until the next one. */
export function exportedChat({ messages }: Conversation, place: ExportPlace): object {
  return {
    responderUsername: 'Keepthread',
    initialLocation: 'panel',
    requests: exchangesOf(messages).map((exchange) => requestOf(exchange, place)),
  };
}

interface Exchange {
  readonly at: number;
  readonly prompt: readonly Content[];
  readonly answers: AnswerMessage[];
}

function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      exchanges.push({ at: message.at, prompt: message.content, answers: [] });
    } else if (message.role === 'assistant') exchanges.at(-1)?.answers.push(message);
  }
  return exchanges;
}

function requestOf({ at, prompt, answers }: Exchange, { now, uuid }: ExportPlace): object {
  const text = textOf(prompt);
  const model = answers.find((answer) => answer.model !== undefined)?.model;
  const calls = answers.flatMap((answer) => answer.calls);
  return {
    requestId: `request_${uuid()}`,
    message: { text, parts: [textPart(text)] },
    variableData: { variables: prompt.flatMap((part, place) => imageVariable(part, place)) },
    response: answers.flatMap(shownParts),
    responseId: `response_${uuid()}`,
    result: {
      metadata: {
        toolCallRounds: answers.map((answer) => roundOf(answer, uuid())),
        toolCallResults: Object.fromEntries(
          calls.map(({ id, result }) => [id, toolResult(result)]),
        ),
      },
    },
    followups: [],
    contentReferences: [],
    codeCitations: [],
    timestamp: at || now,
    modelState: { value: COMPLETE, completedAt: answers.at(-1)?.at || at || now },
    ...(model !== undefined && { modelId: model }),
  };
}

const textPart = (text: string): object => ({
  kind: 'text',
  text,
  range: { start: 0, endExclusive: text.length },
  editorRange: { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 },
});

function imageVariable(part: Content, place: number): readonly object[] {
  if (part.kind !== 'image') return [];
  const name = `image ${place + 1}`;
  const { mediaType: mimeType, data } = part;
  return [{ kind: 'image', id: name, name, mimeType, isPasted: true, value: { $base64: data } }];
}

function shownParts({ content, calls }: AnswerMessage): readonly object[] {
  const text = textOf(content);
  return [...(text === '' ? [] : [{ value: `${text}\n\n` }]), ...calls.map(shownCall)];
}

function shownCall({ id, name, input, result }: AnsweredCall): object {
  return {
    kind: 'toolInvocationSerialized',
    toolCallId: id,
    toolId: name,
    invocationMessage: name,
    pastTenseMessage: name,
    // Confirmed by nobody: it was run elsewhere.
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: 'external', label: 'Keepthread' },
    resultDetails: {
      input: JSON.stringify(input, undefined, 2),
      output: [{ type: 'embed', isText: true, value: result.text }],
      isError: result.isError,
    },
  };
}

const roundOf = ({ content, calls }: AnswerMessage, id: string): object => ({
  id,
  response: textOf(content),
  toolCalls: calls.map((call) => ({
    id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.input),
  })),
  toolInputRetry: 0,
});

const toolResult = ({ text, isError }: AnsweredCall['result']): object => ({
  $mid: TOOL_RESULT,
  content: [{ $mid: TEXT_PART, value: text }],
  ...(isError && { hasError: true }),
});

const textOf = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');

/** What names one chat among others; an imported chat gets its own. */
const ownNames = new Set(['sessionId', 'version', 'creationDate', 'lastMessageDate', 'isImported']);

/**
 * A chat of VS Code's own in that form, or undefined when nothing is in it. `chat` is the state of a `ChatParser`.
 */
export function exportedForm(chat: Fields | undefined): Fields | undefined {
  const requests = objectsOf(chat?.['requests']).filter(
    (request) => !request['shouldBeRemovedOnSend'] && request['message'] !== undefined,
  );
  if (chat === undefined || requests.length === 0) return undefined;
  const kept = Object.entries(chat).filter(([key]) => !ownNames.has(key));
  return {
    ...Object.fromEntries(kept),
    // VS Code takes only a file that has these two.
    responderUsername: textIn(chat['responderUsername']) ?? 'Chat',
    initialLocation: textIn(chat['initialLocation']) ?? 'panel',
    requests,
  };
}
