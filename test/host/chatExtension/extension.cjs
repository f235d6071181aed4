const vscode = require('vscode');

/** Real chat without a login: VS Code wants a model to be there before it lets a participant answer. */
exports.activate = ({ subscriptions }) => {
  const participant = vscode.chat.createChatParticipant(
    'keepthread-tests.echo',
    (request, _context, stream) => {
      stream.markdown(`You said: ${request.prompt}`);
      return { metadata: { echoed: true } };
    },
  );
  const history = vscode.chat.createChatParticipant(
    'keepthread-tests.history',
    (_request, context, stream) => {
      const told = context.history.map((turn) => {
        if (turn instanceof vscode.ChatRequestTurn) return { prompt: turn.prompt };
        const said = turn.response.map(({ value }) => value?.value ?? '').join('');
        const { toolCallRounds = [], toolCallResults = {} } = turn.result.metadata ?? {};
        return {
          said,
          calls: toolCallRounds.flatMap(({ toolCalls }) => toolCalls),
          toolCallResults,
        };
      });
      stream.markdown(`TOLD ${JSON.stringify(told)} END`);
    },
  );
  const provider = vscode.lm.registerLanguageModelChatProvider('keepthread-tests', {
    provideLanguageModelChatInformation: () => [
      {
        id: 'echo',
        name: 'Echo',
        family: 'echo',
        version: '1',
        maxInputTokens: 10_000,
        maxOutputTokens: 10_000,
        capabilities: {},
        isUserSelectable: true,
        isDefault: true,
      },
    ],
    provideLanguageModelChatResponse: (_model, _messages, _options, progress) => {
      progress.report(new vscode.LanguageModelTextPart('echo'));
      return Promise.resolve();
    },
    provideTokenCount: (_model, text) => Promise.resolve(String(text).length),
  });
  subscriptions.push(participant, history, provider);
};
