import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Capture } from '../../src/core/engine.js';
import { jsonBytes } from '../../src/core/jsonBytes.js';
import type { Tab } from '../../src/core/model/editors.js';
import type { SnapshotContent } from '../../src/core/model/snapshot.js';
import { planRestore } from '../../src/core/restore/plan.js';
import type { RestorePlan, RestoreReport, RestoreScope } from '../../src/core/restore/types.js';
import type { Trackers } from '../../src/extension/capture/capture.js';
import { captureWindow } from '../../src/extension/capture/capture.js';
import { TerminalTracker } from '../../src/extension/capture/terminals.js';
import { ViewTracker } from '../../src/extension/capture/viewTracker.js';
import { applyRestore } from '../../src/extension/restore/apply.js';
import { readNow } from '../../src/extension/restore/now.js';
import { until as untilSo } from '../until.js';
import { hostRun } from './hostRun.js';

const folder = path.join(hostRun.workspace, 'restore-tests');

/** A file of the tests' own in the workspace. */
export function file(name: string, text = `${name}\n`): vscode.Uri {
  mkdirSync(folder, { recursive: true });
  const whole = path.join(folder, name);
  writeFileSync(whole, text);
  return vscode.Uri.file(whole);
}

export const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });

export const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(command, ...args);

/** Opens a file as a tab that stays. */
export const open = (
  name: string,
  viewColumn = vscode.ViewColumn.One,
): Thenable<vscode.TextEditor> =>
  vscode.window.showTextDocument(file(name), { viewColumn, preview: false });

export const columns = [vscode.ViewColumn.One, vscode.ViewColumn.Two, vscode.ViewColumn.Three];

export const row = (groups: number) => ({
  orientation: 0,
  groups: Array.from({ length: groups }, () => ({})),
});

/** One group without tabs, whatever was open. */
export async function clearWindow(): Promise<void> {
  const tabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await run('workbench.action.closeQuickOpen');
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed) continue;
    // Closing unsaved text would wait for a person.
    await vscode.window.showTextDocument(document);
    await run('workbench.action.revertAndCloseActiveEditor');
  }
  for (const terminal of vscode.window.terminals) terminal.dispose();
  await vscode.window.tabGroups.close(tabs().filter((tab) => !isTerminal(tab)));
  await run('vscode.setEditorLayout', row(1));
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
  await until('the window is empty', () => tabs().length === 0);
}

/** The tabs in short, as people see them: `a[pin] b* | c[preview]`. */
export const tabsNow = (): string =>
  vscode.window.tabGroups.all
    .toSorted((a, b) => a.viewColumn - b.viewColumn)
    .map(({ tabs }) => tabs.map(show).join(' '))
    .join(' | ');

const show = (tab: vscode.Tab): string =>
  tab.label +
  (tab.isActive ? '*' : '') +
  (tab.isPinned ? '[pin]' : '') +
  (tab.isPreview ? '[preview]' : '') +
  (tab.isDirty ? '[dirty]' : '');

/** Takes snapshots of the window and restores them, with the texts of drafts kept in memory. */
export class Keeper implements vscode.Disposable {
  readonly trackers: Trackers = {
    views: new ViewTracker(),
    terminals: new TerminalTracker(),
    layout: { isClosing: false },
  };
  private readonly texts = new Map<string, string>();

  capture(): Promise<Capture> {
    return captureWindow(this.trackers, '0');
  }

  async take(): Promise<SnapshotContent> {
    const { editors, drafts, workbench, environment } = await this.capture();
    const kept = await Promise.all(
      drafts.map(async ({ text, ...draft }) => {
        const hash = sha256(jsonBytes(text));
        this.texts.set(hash, text);
        return { ...draft, text: hash, disk: await this.hashOf(draft.place.uri) };
      }),
    );
    return {
      snapshot: {
        schemaVersion: 1,
        id: 'snapshot',
        sessionId: 'session',
        at: 0,
        reason: 'manual',
        parts: {},
        threads: [],
        summary: { tabs: 0, changes: 0, turns: 0 },
      },
      editors: editors === undefined ? undefined : { ...editors, drafts: kept },
      workbench,
      environment,
      missing: [],
    };
  }

  async plan(content: SnapshotContent, scope: RestoreScope = 'all'): Promise<RestorePlan> {
    return planRestore({ content, scope, now: await readNow(await this.capture(), content) });
  }

  /** Takes a snapshot once the window has come to rest: restored at once, there would be nothing to do. */
  async takeAtRest(): Promise<SnapshotContent> {
    let content = await this.take();
    await until('the window is at rest', async () => {
      if (stepsOf(await this.plan(content)) === '') return true;
      content = await this.take();
      return false;
    });
    return content;
  }

  /** Waits until a restore would do nothing more. */
  async nothingLeft(content: SnapshotContent): Promise<void> {
    let steps = '';
    const isNothing = async (): Promise<boolean> =>
      (steps = stepsOf(await this.plan(content))) === '';
    await untilSo('nothing is left to restore', isNothing, () => `${steps}; tabs ${tabsNow()}`);
  }

  async restore(content: SnapshotContent, scope: RestoreScope = 'all'): Promise<RestoreReport> {
    return applyRestore(await this.plan(content, scope), {
      readText: (hash) => {
        const text = this.texts.get(hash);
        return text === undefined ? Promise.reject(new Error('no text')) : Promise.resolve(text);
      },
    });
  }

  dispose(): void {
    this.trackers.views.dispose();
    this.trackers.terminals.dispose();
  }

  private async hashOf(uri: string): Promise<string | undefined> {
    try {
      return sha256(await vscode.workspace.fs.readFile(vscode.Uri.parse(uri)));
    } catch {
      return undefined;
    }
  }
}

/** What did not come back, in short. */
export const troubles = ({ outcomes }: RestoreReport): readonly string[] =>
  outcomes
    .filter(({ outcome }) => outcome === 'skipped' || outcome === 'failed')
    .map(({ kind, label, reason, detail }) =>
      [kind, label, reason, detail].filter((part) => part !== undefined).join(' '),
    );

const stepsOf = ({ steps }: RestorePlan): string =>
  steps.map((step) => `${step.kind} ${'tab' in step ? (step.tab?.label ?? '') : ''}`).join('; ');

/** Waits for something that the window does in its own time. */
export const until = (what: string, isSo: () => boolean | PromiseLike<boolean>): Promise<void> =>
  untilSo(what, isSo, () => `tabs ${tabsNow()}; terminals ${terminalsNow()}`);

const terminalsNow = (): string => vscode.window.terminals.map(({ name }) => name).join(', ');

/** Waits until the tabs are so: they follow what was done, at a small distance. */
export const tabsAre = (wanted: string): Promise<void> =>
  until(`the tabs are ${wanted}`, () => tabsNow() === wanted);

/** Waits until a document of this kind is in front. */
export async function inFront(scheme: string): Promise<vscode.TextEditor> {
  const front = (): vscode.TextEditor | undefined => vscode.window.activeTextEditor;
  await until(`a ${scheme} is in front`, () => front()?.document.uri.scheme === scheme);
  return front() ?? Promise.reject(new Error('nothing is in front'));
}

export const tabsOf = (content: SnapshotContent): readonly Tab[] =>
  (content.editors?.groups ?? []).flatMap(({ tabs }) => tabs);

const isTerminal = (tab: vscode.Tab): boolean => tab.input instanceof vscode.TabInputTerminal;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
