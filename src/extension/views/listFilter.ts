import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/model/session.js';
import { originOf } from './origin.js';

/** What a person wants listed. */
export interface Shown {
  /** Only sessions of this folder, not those that came along from others of the project. */
  readonly onlyHere: boolean;
  /** Archived sessions too. */
  readonly archived: boolean;
}

const KEY = 'keepthread.shown';
const everything: Shown = { onlyHere: false, archived: false };

/** Which sessions lists and pickers show; kept for the workspace. */
export class ListFilter implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private current: Shown;
  private places: readonly string[] | undefined;

  constructor(private readonly state?: vscode.Memento) {
    this.current = { ...everything, ...state?.get<Partial<Shown>>(KEY) };
  }

  get shown(): Shown {
    return this.current;
  }

  async set(change: Partial<Shown>): Promise<void> {
    this.current = { ...this.current, ...change };
    this.changed.fire();
    await this.state?.update(KEY, this.current);
  }

  /** URIs under which sessions are of this folder, as the engine knows them; before, the window's own. */
  setPlaces(here: readonly string[]): void {
    this.places = here;
    this.changed.fire();
  }

  /** The name of the folder that a session came along from. */
  originOf({ workspace }: SessionSummary): string | undefined {
    return originOf(workspace, this.places ?? ownPlaces());
  }

  /** The window's own session is always shown. */
  shows(session: SessionSummary, activeId: string | undefined): boolean {
    if (session.id === activeId) return true;
    if (session.archived === true && !this.current.archived) return false;
    return !this.current.onlyHere || this.originOf(session) === undefined;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function ownPlaces(): readonly string[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const uris = [workspaceFile ?? [], workspaceFolders.map(({ uri }) => uri)].flat();
  return uris.map((uri) => uri.toString());
}
