import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { SessionSummary } from '../../src/core/model/session.js';
import { treeItem } from '../../src/extension/views/items.js';
import { ListFilter, type Shown } from '../../src/extension/views/listFilter.js';
import { tooltip } from '../../src/extension/views/tooltips.js';
import type { SessionNode } from '../../src/extension/views/nodes.js';

const here = 'file:///home/me/app';
const session = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  title: id,
  goal: '',
  status: 'paused',
  tags: [],
  workspace: here,
  createdAt: 0,
  updatedAt: 0,
  agents: [],
  snapshots: 0,
  threads: 0,
  ...more,
});
const all = [
  session('own'),
  session('worktree', { workspace: 'file:///home/me/app-fix' }),
  session('put away', { archived: true }),
];

suite('which sessions are listed', () => {
  const shows = (
    title: string,
    shown: Partial<Shown>,
    expected: string,
    activeId?: string,
  ): void => {
    test(title, async () => {
      const filter = new ListFilter();
      filter.setPlaces([here]);
      await filter.set(shown);
      const ids = all.filter((one) => filter.shows(one, activeId)).map(({ id }) => id);
      assert.equal(ids.join(', '), expected);
      filter.dispose();
    });
  };
  shows('all of the project that are not archived', {}, 'own, worktree');
  shows('those of this folder', { onlyHere: true }, 'own');
  shows('archived ones too', { archived: true }, 'own, worktree, put away');
  shows('archived ones of this folder', { archived: true, onlyHere: true }, 'own, put away');
  shows('the window’s own, wherever it is from', { onlyHere: true }, 'own, worktree', 'worktree');

  test('is kept for the workspace', async () => {
    const kept = new Map<string, unknown>();
    const state: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: <T>(key: string, otherwise?: T) => (kept.get(key) as T | undefined) ?? otherwise,
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    };
    await new ListFilter(state).set({ onlyHere: true });
    assert.deepEqual(new ListFilter(state).shown, { onlyHere: true, archived: false });
  });

  test('one from another folder is marked with it, in the list and in its tooltip', () => {
    const filter = new ListFilter();
    filter.setPlaces([here]);
    const node = (one: SessionSummary): SessionNode => ({
      kind: 'session',
      sessionId: one.id,
      session: one,
      current: false,
      from: filter.originOf(one),
    });
    const [own, worktree] = all.map(node);
    assert.ok(own && worktree);
    const described = (one: SessionNode): string => String(treeItem(one, 0).description);
    assert.match(described(worktree), /from app-fix/);
    assert.doesNotMatch(described(own), /from/);
    assert.match(tooltip(worktree)?.value ?? '', /Made in another folder: .*app/);
  });
});
