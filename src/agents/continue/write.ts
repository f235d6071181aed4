import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { withMember } from '../jsonLines.js';
import { joinState } from '../joinState.js';
import { textOf } from '../json.js';
import type { NewSession, OwnRecords, Target } from '../target.js';
import { sessionFolders } from './find.js';

/**
 * A new session of Continue, for its extensions and `cn`. The list beside the sessions belongs to the
 * program; `cn --fork` finds a session without it (tried on 1.5.47) and goes on in a copy of its own.
 */
export const continueTarget: Target = {
  agent: 'continue',
  name: 'Continue',
  getIt: 'npm install -g @continuedev/cli',
  takes: {
    images: true,
    resultImages: false,
    summaries: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => sessionFolders({ ...query, folders: [], homes: [] })[0] ?? '',
  write: (conversation, place) => [
    {
      path: `${place.id}.json`,
      bytes: Buffer.from(JSON.stringify(sessionOf(conversation, place), undefined, 2)),
    },
  ],
  rewrite: (own, place) => {
    const bytes = rewriteRecords(own, place);
    return bytes && [{ path: `${place.id}.json`, bytes }];
  },
  resume: ({ id }) => ['cn', '--fork', id],
};

/**
 * Its own history byte for byte, in a session of another id and folder. Undefined for a cut, for which its items are
 * written anew: the program keeps no thinking that would be lost.
 */
function rewriteRecords(
  { records, nativeId, turns }: OwnRecords,
  { id, cwd }: NewSession,
): Uint8Array | undefined {
  const rest = records.at(-1);
  if (turns !== undefined || rest === undefined) return undefined;
  const folder = textOf(joinState([rest], 'history')?.members['workspaceDirectory']);
  const named = withMember(rest, 'sessionId', nativeId, id);
  const moved = folder === undefined ? named : withMember(named, 'workspaceDirectory', folder, cwd);
  const joined = joinState([...records.slice(0, -1), moved], 'history');
  return joined?.members['sessionId'] === id ? joined.bytes : undefined;
}

const sessionOf = ({ title, messages }: Conversation, { id, cwd }: NewSession): object => ({
  sessionId: id,
  title: title || 'Untitled Session',
  workspaceDirectory: cwd,
  history: messages.flatMap(itemOf),
});

function itemOf(message: Message): readonly object[] {
  if (message.role === 'summary') return [];
  const content = contentOf(message.content);
  if (message.role === 'user') {
    return [{ message: { role: 'user', content }, contextItems: [] }];
  }
  const { calls } = message;
  if (calls.length === 0) {
    return [{ message: { role: 'assistant', content }, contextItems: [] }];
  }
  return [
    {
      message: { role: 'assistant', content, toolCalls: calls.map(callOf) },
      contextItems: [],
      toolCallStates: calls.map(stateOf),
    },
  ];
}

/** One text is a plain string, as the program writes it. */
function contentOf(content: readonly Content[]): unknown {
  if (content.every(({ kind }) => kind === 'text')) {
    return content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  }
  return content.map((part) =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'imageUrl', imageUrl: { url: `data:${part.mediaType};base64,${part.data}` } },
  );
}

const callOf = ({ id, name, input }: AnsweredCall) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

const stateOf = (call: AnsweredCall): object => ({
  toolCallId: call.id,
  toolCall: callOf(call),
  status: call.result.isError ? 'errored' : 'done',
  parsedArgs: call.input,
  output: [
    { content: call.result.text, name: 'Tool Result', description: 'Tool execution result' },
  ],
});
