import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ReviewDecisions, ReviewFinding } from '../../src/core/redact/review.js';
import { Command } from '../../src/extension/ids.js';
import { until } from './windowState.js';

const findings: readonly ReviewFinding[] = [
  {
    kind: 'password',
    value: 'Xk9!mmQ2',
    before: 'the staging password is ',
    after: ', do not tell',
    where: { thread: 'Fix the login', turn: 3 },
  },
  {
    kind: 'password',
    value: 'blue-Whale-42',
    before: 'DB_PASS=',
    after: '',
    where: { file: 'api/.env' },
  },
  {
    kind: 'github-token',
    value: ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join(''),
    before: 'git clone https://',
    after: '@github.com/acme/app',
    where: { thread: 'Fix the login', turn: 9 },
  },
];

const scheme = 'keepthread-review';

suite('a person sees what looks secret before a byte is shared', () => {
  /** Ends as the command does: with what was decided, or undefined. */
  const begin = (): Thenable<ReviewDecisions | undefined> =>
    vscode.commands.executeCommand(Command.review, { findings });

  const reviews = (): readonly vscode.TextDocument[] =>
    vscode.window.visibleTextEditors
      .map(({ document }) => document)
      .filter(({ uri }) => uri.scheme === scheme);

  /** The document of the review, or of the next one where another was there before. */
  const shown = async (before?: vscode.TextDocument): Promise<vscode.TextDocument> => {
    const found = (): vscode.TextDocument | undefined =>
      reviews().find(({ uri }) => uri.toString() !== before?.uri.toString());
    await until('the review is open', () => found() !== undefined);
    return found() ?? assert.fail();
  };
  const holds = (document: vscode.TextDocument, text: string): Promise<void> =>
    until(`it says “${text}”`, () => document.getText().includes(text));
  const run = (command: string, options: object): Thenable<unknown> =>
    vscode.commands.executeCommand(command, options);
  const hasTab = (): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === scheme),
    );

  test('in place, and what is decided is what comes back', async () => {
    const decided = begin();
    const document = await shown();
    const text = document.getText();
    assert.match(text, /3 values look secret; all are hidden/);
    assert.match(text, /best effort/);
    assert.match(
      text,
      /Conversation “Fix the login”, turn 3\n +the staging password is Xk9!mmQ2, do not tell/,
    );
    assert.match(text, /File api\/\.env\n +DB_PASS=blue-Whale-42/);
    await run(Command.reviewKeep, { value: 'blue-Whale-42' });
    await holds(document, '1 of them stays readable');
    await run(Command.reviewAccept, {});
    assert.deepEqual(await decided, { keep: ['blue-Whale-42'] });
    await until('its tab is closed', () => !hasTab());
  });

  test('all of a kind at once, one of it hidden again', async () => {
    const decided = begin();
    await shown();
    await run(Command.reviewKeepKind, { kind: 'password' });
    await run(Command.reviewHide, { value: 'Xk9!mmQ2' });
    await run(Command.reviewAccept, {});
    assert.deepEqual(await decided, { keep: ['blue-Whale-42'] });
  });

  test('by buttons above each value, which say what happens to it', async () => {
    const decided = begin();
    const document = await shown();
    const titles = async (): Promise<readonly string[]> => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      return lenses.map(({ command }) => (command?.title ?? '').replace(/^\$\([\w-]+\) /, ''));
    };
    const each = ['Hidden', 'Keep'];
    const kind = ['Hide all of this kind', 'Keep all of this kind'];
    assert.deepEqual(
      [...(await titles())].sort(),
      [
        'Cancel',
        'Go on with these choices',
        ...[...each, ...each, ...each, ...kind, ...kind].sort(),
      ].sort(),
    );
    await run(Command.reviewKeep, { value: 'Xk9!mmQ2' });
    assert.ok((await titles()).includes('Stays readable'));
    await run(Command.reviewAccept, {});
    assert.deepEqual(await decided, { keep: ['Xk9!mmQ2'] });
  });

  test('at the cursor', async () => {
    const decided = begin();
    const document = await shown();
    const editor = await vscode.window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf('Xk9!'));
    editor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand(Command.reviewKeep);
    await run(Command.reviewAccept, {});
    assert.deepEqual(await decided, { keep: ['Xk9!mmQ2'] });
  });

  test('cancelled, closed or displaced by another, nothing was decided', async () => {
    const cancelled = begin();
    await shown();
    await run(Command.reviewCancel, {});
    assert.equal(await cancelled, undefined);

    const closed = begin();
    await vscode.window.showTextDocument(await shown());
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal(await closed, undefined);

    const displaced = begin();
    const first = await shown();
    const other = begin();
    assert.equal(await displaced, undefined);
    await shown(first);
    await run(Command.reviewAccept, {});
    assert.deepEqual(await other, { keep: [] });
    await until('its tab is closed', () => !hasTab());
  });

  test('nobody is asked where nothing was found, and no review is open then', async () => {
    const none = await vscode.commands.executeCommand(Command.review, { findings: [] });
    assert.deepEqual(none, { keep: [] });
    await assert.rejects(async () => run(Command.reviewAccept, {}));
  });
});
