import * as vscode from 'vscode';
import type { ThreadPart } from '../../core/engine.js';
import { ExpectedError } from '../../core/errors.js';
import { plain } from '../views/plainText.js';
import type { Sessions } from '../sessions.js';
import { addressOf, partUri } from './partUri.js';

export const changeScheme = 'keepthread-change';

/** The two sides of what a tool call did to a file, as documents. */
export class ThreadChanges implements vscode.TextDocumentContentProvider {
  constructor(private readonly sessions: Sessions) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri);
    const change = (await this.read(address))[address.file ?? 0];
    return change?.[address.side ?? 'after'] ?? '';
  }

  /**
   * Opens what the call did in the editor for comparisons; more than one file in one for several.
   *
   * @throws ExpectedError `changesMissing`
   */
  async open(part: ThreadPart): Promise<void> {
    const changes = await this.read(part);
    const sides = changes.map(({ path, isWhole }, file) => {
      const name = path.split(/[\\/]/).at(-1) ?? path;
      const side = (which: 'before' | 'after'): vscode.Uri =>
        partUri(changeScheme, { ...part, file, side: which }, name);
      return { name, path, isWhole, before: side('before'), after: side('after') };
    });
    const [first] = sides;
    if (first === undefined) {
      throw new ExpectedError('changesMissing', 'This tool call changed no files.', []);
    }
    if (sides.length === 1) {
      const name = plain(first.name, 80);
      const title = first.isWhole
        ? vscode.l10n.t('{0} (changes in the conversation)', name)
        : vscode.l10n.t('{0} (changed parts)', name);
      await vscode.commands.executeCommand('vscode.diff', first.before, first.after, title);
      return;
    }
    await vscode.commands.executeCommand(
      'vscode.changes',
      vscode.l10n.t('Changes in the conversation'),
      sides.map(({ before, after }) => [after, before, after]),
    );
  }

  private async read({ threadId, leaf, place }: ThreadPart) {
    return (await this.sessions.engine()).threadChanges({ threadId, leaf, place });
  }
}
