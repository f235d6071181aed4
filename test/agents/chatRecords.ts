/** One line of a chat's mutation log. */
export const line = (value: unknown): string => JSON.stringify(value);

export const created = 1_796_000_000_000;

export const request = (index: number, more: Readonly<Record<string, unknown>> = {}) => ({
  requestId: `request_${index}`,
  timestamp: created + index * 60_000,
  message: { text: `prompt ${index}`, parts: [] },
  variableData: { variables: [] },
  response: [{ value: `answer ${index}` }],
  responseId: `response_${index}`,
  modelId: 'copilot/gpt-5',
  modelState: { value: 1, completedAt: created + index * 60_000 + 5000 },
  ...more,
});

export const state = (
  requests: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
) => ({
  version: 3,
  sessionId: 'chat-1',
  creationDate: created,
  responderUsername: 'GitHub Copilot',
  initialLocation: 'panel',
  requests,
  ...more,
});

export const call = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  kind: 'toolInvocationSerialized',
  toolId: 'copilot_readFile',
  toolCallId: id,
  isComplete: true,
  pastTenseMessage: { value: 'Read a.ts' },
  ...more,
});

/** What a finished turn keeps of its tool calls: `[id, name, arguments, result]`. */
export const rounds = (
  ...calls: readonly (readonly [id: string, name: string, input: unknown, result?: string])[]
) => ({
  metadata: {
    toolCallRounds: calls.map(([id, name, input]) => ({
      response: '',
      toolCalls: [{ id, name, arguments: JSON.stringify(input) }],
    })),
    toolCallResults: Object.fromEntries(
      calls.flatMap(([id, , , result]) =>
        result === undefined ? [] : [[id, { content: [{ value: result }] }]],
      ),
    ),
  },
});
