import * as vscode from 'vscode';

/** The parts of the git extension's API, version 1, that are used here. */
interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD?: { readonly name?: string; readonly commit?: string };
    readonly onDidChange: vscode.Event<void>;
  };
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/**
 * Tells when a repository of the window stands on another commit or branch. Says nothing where the git
 * extension is off or absent, as in restricted mode.
 */
export class GitHeadWatcher implements vscode.Disposable {
  private readonly moved = new vscode.EventEmitter<void>();
  readonly onDidMove = this.moved.event;
  private readonly heads = new Map<string, string>();
  private readonly listeners: vscode.Disposable[] = [];
  private disposed = false;

  async start(): Promise<void> {
    const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    // `getAPI` throws when git is turned off in the settings.
    if (git?.enabled !== true || this.disposed) return;
    const api = git.getAPI(1);
    for (const repository of api.repositories) this.watch(repository);
    this.listeners.push(api.onDidOpenRepository((repository) => this.watch(repository)));
  }

  dispose(): void {
    this.disposed = true;
    vscode.Disposable.from(this.moved, ...this.listeners).dispose();
  }

  private watch({ rootUri, state }: Repository): void {
    const root = rootUri.toString();
    this.listeners.push(
      state.onDidChange(() => {
        const head = `${state.HEAD?.name ?? ''} ${state.HEAD?.commit ?? ''}`;
        const before = this.heads.get(root);
        this.heads.set(root, head);
        // The first state is what was there before, told late.
        if (before !== undefined && before !== head) this.moved.fire();
      }),
    );
  }
}
