import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Capture, Engine } from '../../src/core/engine.js';
import { ExpectedError } from '../../src/core/errors.js';
import { Sessions } from '../../src/extension/sessions.js';
import type { Node } from '../../src/extension/views/nodes.js';
import { SessionList } from '../../src/extension/views/sessionList.js';
import { SessionsTree } from '../../src/extension/views/sessionsTree.js';
import { createEngine } from '../../src/library/engine.js';
import { readCatalog } from '../../src/vault/catalog.js';
import { hostRun } from './hostRun.js';

const capture: Capture = {
  drafts: [],
  environment: { keepthread: '0', os: '', arch: '', node: '', folders: [], agents: {} },
};

/** A tree over a real engine of its own, in a folder that nobody else uses. */
class Desk {
  private readonly folder = mkdtempSync(path.join(hostRun.scratch, 'tree-'));
  private readonly view = path.join(this.folder, 'view');
  private readonly log = vscode.window.createOutputChannel('Tree tests', { log: true });
  private readonly engine = createEngine({
    wasm: vscode.Uri.joinPath(extensionUri(), 'dist', 'sql-wasm.wasm').fsPath,
    events: {
      changed: () => this.sessions.noteChange(),
      turnEnded: () => undefined,
      activity: () => undefined,
      problem: () => undefined,
    },
  });
  private opened: Promise<Engine> | undefined;
  readonly sessions: Sessions = new Sessions({
    engine: () => (this.opened ??= this.open()),
    capture: () => Promise.resolve(capture),
  });
  readonly list = new SessionList(this.sessions, () => this.catalog(), this.log);
  readonly tree = new SessionsTree(this.list, this.sessions);

  /** Whether anything has started the engine. */
  get isOpen(): boolean {
    return this.opened !== undefined;
  }

  /** Another window on the same data, in which nothing has started yet. */
  reopen(change: { readonly engine?: () => Promise<Engine> } = {}): {
    readonly list: SessionList;
    readonly tree: SessionsTree;
  } {
    const sessions = new Sessions({
      engine: change.engine ?? (() => Promise.reject(new Error('the engine was asked'))),
      capture: () => Promise.resolve(capture),
    });
    const list = new SessionList(sessions, () => this.catalog(), this.log);
    return { list, tree: new SessionsTree(list, sessions) };
  }

  async close(): Promise<void> {
    await this.engine.close();
    this.list.dispose();
    this.tree.dispose();
    this.log.dispose();
  }

  private async open(): Promise<Engine> {
    await this.engine.open({
      store: path.join(this.folder, 'store'),
      view: this.view,
      folders: [],
      trusted: true,
      chatStores: [],
      settings: { maxFileBytes: 0, maxFiles: 0, redact: true, agentHomes: {}, pollMs: 0 },
    });
    return this.engine;
  }

  private async catalog() {
    return (await readCatalog(path.join(this.view, 'catalog.json'))).catalog;
  }
}

function extensionUri(): vscode.Uri {
  const extension = vscode.extensions.getExtension('keepthread.keepthread');
  assert.ok(extension);
  return extension.extensionUri;
}

/** All nodes below a node that can be had without opening a session. */
async function withGroups(tree: SessionsTree): Promise<readonly Node[]> {
  const roots = await tree.getChildren();
  const below = await Promise.all(
    roots.filter(({ kind }) => kind === 'group').map((group) => tree.getChildren(group)),
  );
  return [...roots, ...below.flat()];
}

const sessionIds = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap((node) => (node.kind === 'session' ? [node.sessionId] : []));

const itemIds = (tree: SessionsTree, nodes: readonly Node[]): readonly (string | undefined)[] =>
  nodes.map((node) => tree.getTreeItem(node).id);

async function snapshotsOf(tree: SessionsTree, sessionId: string): Promise<readonly Node[]> {
  const nodes = await withGroups(tree);
  const session = nodes.find((node) => node.kind === 'session' && node.sessionId === sessionId);
  assert.ok(session);
  const sections = await tree.getChildren(session);
  const section = sections.find((node) => node.kind === 'section' && node.section === 'snapshots');
  return section ? tree.getChildren(section) : [];
}

suite('sessions tree', () => {
  let desk: Desk;
  setup(() => (desk = new Desk()));
  teardown(() => desk.close());

  test('a thousand sessions are each listed once, the active one first', async () => {
    const engine = await desk.sessions.engine();
    for (let number = 1; number < 1000; number++) {
      await engine.createSession({ title: `Session ${number}`, status: 'paused' });
    }
    const active = await desk.sessions.create({ title: 'Active' });
    await desk.list.refresh();

    const nodes = await withGroups(desk.tree);
    assert.equal(nodes[0]?.kind === 'session' && nodes[0].sessionId, active.id);
    const ids = sessionIds(nodes);
    assert.deepEqual([ids.length, new Set(ids).size], [1000, 1000]);
  });

  test('what is expanded and selected stays so: items keep their ids', async () => {
    await desk.sessions.create({ title: 'Paused' });
    const { id } = await desk.sessions.create({ title: 'Finished' });
    await desk.sessions.update(id, { status: 'finished' });
    await desk.list.refresh();
    const first = itemIds(desk.tree, await withGroups(desk.tree));
    await desk.list.refresh();
    assert.deepEqual(itemIds(desk.tree, await withGroups(desk.tree)), first);
    assert.equal(new Set(first).size, first.length);
  });

  test('many snapshots come a page at a time, newest first', async () => {
    const { id } = await desk.sessions.create({ title: 'Busy' });
    for (let number = 1; number <= 60; number++) {
      await desk.sessions.save({ reason: 'manual', label: `Snapshot ${number}` });
    }
    await desk.list.refresh();
    const page = await snapshotsOf(desk.tree, id);
    assert.equal(page.length, 51);
    assert.ok(page[0]?.kind === 'snapshot' && page[0].snapshot.label === 'Snapshot 60');
    assert.deepEqual(page.at(-1), { kind: 'older', sessionId: id, hidden: 10 });

    desk.tree.showOlder(id);
    const all = await snapshotsOf(desk.tree, id);
    assert.ok(all.length === 60 && all.every(({ kind }) => kind === 'snapshot'));
  });

  test('a title from elsewhere stays text, in the label and in the tooltip', async () => {
    const title = '[click](command:evil) <img src=x>\u202e $(trash)\nsecond';
    await desk.sessions.create({ title });
    await desk.list.refresh();
    const [node] = await desk.tree.getChildren();
    assert.ok(node);
    const item = desk.tree.getTreeItem(node);
    assert.equal(item.label, '[click](command:evil) <img src=x> $(trash) second');
    const { tooltip } = desk.tree.resolveTreeItem(item, node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.deepEqual([tooltip.isTrusted, tooltip.supportHtml], [false, false]);
    assert.ok(tooltip.value.includes('\\[click\\]\\(command\\:evil\\) \\<img'));
  });

  test('the list of the last time is there before the engine starts', async () => {
    const { id } = await desk.sessions.create({ title: 'From last time' });
    await desk.sessions.save({ reason: 'manual' });
    await desk.close();

    const { tree } = desk.reopen();
    const [node] = await tree.getChildren();
    assert.ok(node?.kind === 'session' && node.current);
    assert.equal(node.sessionId, id);
    desk = new Desk();
  });

  test('nothing starts the engine until somebody looks', () => {
    assert.equal(desk.isOpen, false);
  });

  test('an engine that cannot start leaves an empty list and its reason', async () => {
    const failure = new ExpectedError('notWritable', 'No permission.');
    const { list, tree } = desk.reopen({ engine: () => Promise.reject(failure) });
    assert.deepEqual(await tree.getChildren(), []);
    assert.equal(list.failure, failure);
  });
});
