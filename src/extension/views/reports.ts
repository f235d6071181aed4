import * as vscode from 'vscode';

const SCHEME = 'keepthread-report';

/** Reports that are kept for their tabs. */
const KEPT = 20;

/** Shows reports as rendered, read-only documents. */
export class Reports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private count = 0;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    SCHEME,
    this,
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? vscode.l10n.t('This report was not kept.');
  }

  /** @param text Markdown, with every text that came from outside escaped. */
  async show(name: string, text: string): Promise<void> {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.count}/${name}.md` });
    this.texts.set(uri.path, text);
    const oldest = this.texts.size > KEPT ? this.texts.keys().next().value : undefined;
    if (oldest !== undefined) this.texts.delete(oldest);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  dispose(): void {
    this.registration.dispose();
  }
}
