import * as vscode from 'vscode';
import type { Sessions } from '../sessions.js';
import { groupSessions } from './groups.js';
import { treeItem } from './items.js';
import type { GroupNode, Node, SectionNode, SessionNode } from './nodes.js';
import { threadNodes } from './nodes.js';
import type { SessionList } from './sessionList.js';
import { tooltip } from './tooltips.js';

/** Snapshots of a session that are listed at first, and with each "Show older". */
const PAGE = 50;

/** Gives the sessions tree its elements, each level when it is opened. */
export class SessionsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  /** How many snapshots of a session are listed, where more than a page. */
  private readonly shown = new Map<string, number>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly list: SessionList,
    private readonly sessions: Sessions,
  ) {
    this.subscription = list.onDidChange(() => this.changed.fire());
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node, Date.now());
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    const text = tooltip(node);
    if (text) item.tooltip = text;
    return item;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return this.roots();
    switch (node.kind) {
      case 'group':
        return this.groupChildren(node);
      case 'session':
        return sections(node);
      case 'section':
        return node.section === 'threads' ? this.threads(node.sessionId) : this.snapshots(node);
      case 'thread':
        return [...node.children];
      default:
        return [];
    }
  }

  showOlder(sessionId: string): void {
    this.shown.set(sessionId, (this.shown.get(sessionId) ?? PAGE) + PAGE);
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async roots(): Promise<Node[]> {
    if (!this.list.ready) {
      const painted = await this.list.paintFromCatalog();
      const reading = this.list.refresh();
      if (!painted) await reading;
    }
    const { active, groups } = groupSessions(this.list.shown, this.list.activeId, Date.now());
    return [
      ...(active ? [this.sessionNode(active)] : []),
      ...groups.map((group): GroupNode => ({ kind: 'group', group })),
      ...(this.list.others.length > 0
        ? [{ kind: 'group', group: { kind: 'others', count: this.list.others.length } } as const]
        : []),
    ];
  }

  private groupChildren({ group }: GroupNode): Node[] {
    return group.kind === 'others'
      ? threadNodes(this.list.others, 'others')
      : group.sessions.map((session) => this.sessionNode(session));
  }

  private sessionNode(session: SessionNode['session']): SessionNode {
    const current = session.id === this.list.activeId;
    const from = this.list.filter.originOf(session);
    return { kind: 'session', sessionId: session.id, session, current, from };
  }

  private async threads(sessionId: string): Promise<Node[]> {
    const engine = await this.sessions.engine();
    return threadNodes(await engine.listThreads(sessionId), sessionId);
  }

  private async snapshots({ sessionId }: SectionNode): Promise<Node[]> {
    const engine = await this.sessions.engine();
    const all = await engine.listSnapshots(sessionId);
    const page = all.slice(0, this.shown.get(sessionId) ?? PAGE);
    const hidden = all.length - page.length;
    return [
      ...page.map((snapshot): Node => ({
        kind: 'snapshot',
        sessionId,
        snapshotId: snapshot.id,
        snapshot,
      })),
      ...(hidden > 0 ? [{ kind: 'older', sessionId, hidden } as const] : []),
    ];
  }
}

function sections({ session, current }: SessionNode): SectionNode[] {
  const section = (name: SectionNode['section'], count: number): SectionNode => ({
    kind: 'section',
    section: name,
    sessionId: session.id,
    count,
    current,
  });
  return [section('threads', session.threads), section('snapshots', session.snapshots)].filter(
    ({ count }) => count > 0,
  );
}
