import * as vscode from 'vscode';
import { chatStoresBeside } from '../../agents/vscode-chat/stores.js';
import type { Engine, EngineEvents, OpenRequest, OpenResult } from '../../core/engine.js';
import { readEngineSettings } from '../settings.js';
import { startEngine, type EngineClient } from './client.js';

export interface EngineHostOptions {
  readonly context: vscode.ExtensionContext;
  readonly events: EngineEvents;
  readonly onOpen: (result: OpenResult) => void;
  /** The engine's thread died; the next call starts another one. */
  readonly onDeath: (error: Error) => void;
}

/** Where `sessions.db` and `catalog.json` of this window lie. */
export function viewFolder(context: vscode.ExtensionContext): string {
  const { storageUri, globalStorageUri } = context;
  return (storageUri ?? vscode.Uri.joinPath(globalStorageUri, 'no-folder')).fsPath;
}

/**
 * The engine of this window: started at the first call, and again when what it was opened with has
 * changed (folders, trust, settings) or its thread has died.
 */
export class EngineHost {
  private running: Promise<EngineClient> | undefined;
  private stopping: Promise<void> = Promise.resolve();

  constructor(private readonly options: EngineHostOptions) {}

  async engine(): Promise<Engine> {
    this.running ??= this.start().catch((error: unknown) => {
      this.running = undefined;
      throw error;
    });
    return (await this.running).engine;
  }

  /** Lets the next call open the engine anew. */
  restart(): void {
    if (this.running) this.stopping = this.stop();
  }

  /** Writes what is pending, then ends the thread. */
  async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    const client = await running?.catch(() => undefined);
    if (!client) return;
    await client.engine.close().catch(() => undefined);
    await client.stop();
  }

  private async start(): Promise<EngineClient> {
    await this.stopping;
    const { context, events, onOpen, onDeath } = this.options;
    const dist = (name: string): string =>
      vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
    const input = { wasm: dist('sql-wasm.wasm') };
    const client = startEngine(dist('worker.js'), input, events, (error) => {
      this.running = undefined;
      onDeath(error);
    });
    try {
      onOpen(await client.engine.open(await openRequest(context)));
      return client;
    } catch (error) {
      await client.stop();
      throw error;
    }
  }
}

async function openRequest(context: vscode.ExtensionContext): Promise<OpenRequest> {
  const { workspaceFolders = [], workspaceFile, isTrusted } = vscode.workspace;
  const { storageUri, globalStorageUri } = context;
  return {
    store: globalStorageUri.fsPath,
    view: viewFolder(context),
    folders: workspaceFolders.map(({ name, uri }) => ({ name, uri: uri.toString() })),
    workspace: (workspaceFile ?? workspaceFolders[0]?.uri)?.toString(),
    trusted: isTrusted,
    chatStores: await chatStoresBeside(storageUri?.fsPath, globalStorageUri.fsPath),
    settings: readEngineSettings(),
  };
}
