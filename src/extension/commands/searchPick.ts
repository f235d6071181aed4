import * as vscode from 'vscode';
import { completions } from '../../core/search/complete.js';
import type { SearchHit, SearchOptions } from '../../core/search/types.js';
import { openThread } from '../views/threadDocument.js';
import type { CommandContext } from './context.js';
import { askSnapshotAndLoad } from './loadAsking.js';
import type { SearchItem } from './searchItems.js';
import { completionItem, hitItem, remarks } from './searchItems.js';

/** After the last key, in milliseconds. */
const DEBOUNCE_MS = 120;
const LIMIT = 40;

/** Lets a person search, and opens what they choose at its place. */
export async function pickHit(context: CommandContext): Promise<void> {
  const hit = await new SearchPick(context).show();
  if (hit) await openHit(context, hit);
}

async function openHit(context: CommandContext, hit: SearchHit): Promise<void> {
  const { sessions } = context;
  if (hit.threadId !== undefined) {
    await openThread(sessions, hit.threadId, hit.place);
    return;
  }
  const all = await (await sessions.engine()).listSessions();
  const session = all.find(({ id }) => id === hit.sessionIds[0]);
  if (session) await askSnapshotAndLoad(context, session);
}

/** The quick pick that searches as one types. The engine gives up a search when the next one comes. */
class SearchPick {
  private readonly input = vscode.window.createQuickPick<SearchItem>();
  private timer: NodeJS.Timeout | undefined;
  private number = 0;
  private scope: NonNullable<SearchOptions['in']> = 'project';
  private agents: readonly string[] = [];

  constructor(private readonly context: CommandContext) {
    this.input.title = vscode.l10n.t('Search conversations and sessions');
    this.input.placeholder = vscode.l10n.t('Words, "a phrase", or a filter such as agent:codex');
    // Hits stay in the order of time. Without a type yet: https://github.com/microsoft/vscode/issues/73904
    Reflect.set(this.input, 'sortByLabel', false);
    this.showButtons();
  }

  show(): Promise<SearchHit | undefined> {
    const { input } = this;
    return new Promise<SearchHit | undefined>((resolve) => {
      input.onDidChangeValue(() => this.searchSoon());
      input.onDidTriggerButton((button) => this.press(button));
      input.onDidAccept(() => {
        const [item] = input.selectedItems;
        if (item?.query !== undefined) this.type(item.query);
        else if (item?.hit) resolve(item.hit);
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
      this.suggest();
      void this.context.errors.run(() => this.findAgents());
    }).finally(() => {
      clearTimeout(this.timer);
      this.number += 1;
      input.dispose();
    });
  }

  private async findAgents(): Promise<void> {
    const engine = await this.context.sessions.engine();
    const sessions = await engine.listSessions();
    const loose = await engine.listThreads(null);
    const agents = [...sessions.flatMap((one) => one.agents), ...loose.map(({ agent }) => agent)];
    this.agents = [...new Set(agents)].sort();
  }

  private type(query: string): void {
    this.input.value = query;
    this.searchSoon();
  }

  private suggest(): void {
    this.input.items = completions(this.input.value, this.agents).map(completionItem);
  }

  private searchSoon(): void {
    clearTimeout(this.timer);
    this.number += 1;
    if (this.input.value.trim() === '') {
      this.input.busy = false;
      this.suggest();
      return;
    }
    this.input.busy = true;
    this.timer = setTimeout(() => {
      void this.context.errors.run(() => this.search());
    }, DEBOUNCE_MS);
  }

  private async search(): Promise<void> {
    const { number } = this;
    const { value } = this.input;
    const engine = await this.context.sessions.engine();
    try {
      for (const thorough of [false, true]) {
        const options = { asYouType: true, thorough, limit: LIMIT, in: this.scope };
        const result = await engine.search(value, options);
        if (number !== this.number || result.superseded) return;
        const now = Date.now();
        const completed = completions(value, this.agents).map(completionItem);
        this.input.items = [
          ...completed,
          ...result.hits.map((hit) => hitItem(hit, now)),
          ...remarks(result, completed.length > 0),
        ];
        if (result.complete && result.pending.threads === 0) break;
      }
    } finally {
      if (number === this.number) this.input.busy = false;
    }
  }

  private showButtons(): void {
    const scope =
      this.scope === 'project'
        ? {
            icon: 'root-folder',
            tooltip: vscode.l10n.t('The whole project. Search this folder only'),
          }
        : { icon: 'folder', tooltip: vscode.l10n.t('This folder only. Search the whole project') };
    this.input.buttons = [
      { iconPath: new vscode.ThemeIcon('hubot'), tooltip: vscode.l10n.t('Only one agent') },
      { iconPath: new vscode.ThemeIcon(scope.icon), tooltip: scope.tooltip },
    ];
  }

  private press(button: vscode.QuickInputButton): void {
    if (button === this.input.buttons[0]) {
      const { value } = this.input;
      this.type(`${value}${value === '' || value.endsWith(' ') ? '' : ' '}agent:`);
      return;
    }
    this.scope = this.scope === 'project' ? 'folder' : 'project';
    this.showButtons();
    this.searchSoon();
  }
}
