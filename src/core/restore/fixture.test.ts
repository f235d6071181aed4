import { strict as assert } from 'node:assert';
import type { Draft, Editors, Layout, LayoutNode, Place, Tab } from '../model/editors.js';
import type { SnapshotContent, Workbench } from '../model/snapshot.js';
import type { Now } from './now.js';
import { planRestore } from './plan.js';
import { placeLabel, uriPath } from './places.js';
import type { Folder } from './places.js';
import { placesOf } from './tabs.js';
import type { RestorePlan, RestoreStep } from './types.js';

export const home: Folder = { name: 'app', uri: 'file:///w/app' };

/** A file below a folder; names with a scheme are URIs of their own. */
export const at = (name: string, folder: Folder = home): Place =>
  name.includes(':')
    ? { uri: name }
    : { uri: `${folder.uri}/${name}`, folder: folder.name, path: name };

/**
 * Tabs in short: `a b[pin] c*[dirty]` are text tabs, `*` marks the visible one; `diff(a,b)`,
 * `nb(a)`, `custom(a)`, `term(zsh)`, `web(x)` and `other(x)` are the other kinds; `|` parts groups.
 */
export function editors(text: string, more: Partial<Editors> = {}, folder = home): Editors {
  const groups = text.split('|').map((group) => ({
    tabs: group
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => tab(word, folder)),
  }));
  return { groups, activeGroup: 0, views: [], drafts: [], layout: row(groups.length), ...more };
}

export const row = (groups: number): Layout => ({
  orientation: 0,
  groups: Array.from({ length: groups }, () => ({ size: Math.round(1000 / groups) / 1000 })),
});

export function saved(
  editors: Editors | undefined,
  more: {
    readonly workbench?: Workbench;
    readonly folders?: readonly Folder[];
    readonly missing?: readonly string[];
  } = {},
): SnapshotContent {
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
    editors,
    workbench: more.workbench,
    environment: {
      keepthread: '0',
      os: 'linux',
      arch: 'x64',
      node: '22',
      folders: [...(more.folders ?? [home])],
      agents: {},
    },
    missing: more.missing ?? [],
  };
}

export const workbench = (more: Partial<Workbench> = {}): Workbench => ({
  terminals: [],
  breakpoints: [],
  running: { tasks: [] },
  ...more,
});

export const draft = (name: string, text: string, disk?: string): Draft => ({
  place: at(name),
  untitled: name.startsWith('untitled:'),
  languageId: 'plaintext',
  text,
  disk,
});

/** A window in which every file exists, except as told. */
export const window = (text: string, more: Partial<Now> = {}): Now => ({
  folders: [home],
  trusted: true,
  editors: editors(text),
  drafts: [],
  terminals: [],
  breakpoints: [],
  exists: () => true,
  folderExists: () => true,
  disk: () => undefined,
  ...more,
});

export const without =
  (...names: readonly string[]) =>
  (uri: string): boolean =>
    !names.some((name) => uri.endsWith(`/${name}`));

/** A plan in short: its steps joined by `; `, group numbers as VS Code counts them. */
export const show = (plan: RestorePlan): string => plan.steps.map(showStep).join('; ');

/** What a plan leaves out, in short; what needs nothing is not listed. */
export const showSkipped = (plan: RestorePlan): string =>
  plan.notes
    .filter((note) => note.outcome === 'skipped')
    .map((note) => `${note.kind} ${note.label} ${note.reason}`)
    .join('; ');

export const planOf = (content: Editors, now: Now): RestorePlan =>
  planRestore({ content: saved(content), scope: 'all', now });

/** Holds the plan for a window that was saved as `before` against steps and omissions in short. */
export const check = (
  before: string,
  now: Now,
  steps: string,
  skipped = '',
  more: Partial<Editors> = {},
): void => {
  const plan = planOf(editors(before, more), now);
  assert.equal(show(plan), steps);
  assert.equal(showSkipped(plan), skipped);
};

function showStep(step: RestoreStep): string {
  switch (step.kind) {
    case 'layout':
      return `layout ${showNodes(step.layout.groups)}`;
    case 'open':
      return `open ${showTab(step.tab)} in ${step.group + 1}:${step.index}`;
    case 'draft':
      return `draft ${step.draft.text} as ${placeLabel(step.place)} in ${step.group + 1}`;
    case 'move':
      return `move ${showTab(step.tab)} to ${step.group + 1}:${step.index}`;
    case 'close':
    case 'pin':
    case 'unpin':
      return `${step.kind} ${showTab(step.tab)} in ${step.group + 1}`;
    case 'terminal':
      return `terminal ${step.terminal.name}${step.group === undefined ? '' : ` in ${step.group + 1}:${step.index ?? ''}`}`;
    case 'breakpoint':
      return `breakpoint ${step.breakpoint.kind === 'source' ? uriPath(step.breakpoint.place.uri) : step.breakpoint.functionName}`;
    case 'focus':
      return `focus ${step.tab === undefined ? '-' : showTab(step.tab)} in ${step.group + 1}`;
  }
}

const showNodes = (nodes: readonly LayoutNode[]): string =>
  nodes.map((node) => (node.groups === undefined ? 'x' : `(${showNodes(node.groups)})`)).join(' ');

function showTab(tab: Tab): string {
  const places = placesOf(tab).map((place) => placeLabel(place));
  const flag = tab.preview === true ? '[preview]' : '';
  return `${places.length === 0 ? tab.label : places.join('↔')}${flag}`;
}

function tab(word: string, folder: Folder): Tab {
  const [, body = '', flagText = ''] = /^(.*?)((?:\*|\[\w+\])*)$/.exec(word) ?? [];
  const flags = {
    ...(flagText.includes('*') ? { active: true } : {}),
    ...(flagText.includes('[pin]') ? { pinned: true } : {}),
    ...(flagText.includes('[preview]') ? { preview: true } : {}),
    ...(flagText.includes('[dirty]') ? { dirty: true } : {}),
  };
  const [, kind = 'text', inner = body] = /^(\w+)\((.*)\)$/.exec(body) ?? [];
  const [first = '', second = ''] = inner.split(',');
  const base = { label: inner, ...flags };
  switch (kind) {
    case 'diff':
      return { kind, original: at(first, folder), modified: at(second, folder), ...base };
    case 'nb':
      return { kind: 'notebook', place: at(inner, folder), notebookType: 'jupyter', ...base };
    case 'custom':
      return { kind, place: at(inner, folder), viewType: 'image', ...base };
    case 'term':
      return { kind: 'terminal', ...base };
    case 'web':
      return { kind: 'webview', viewType: 'chat', ...base };
    case 'other':
      return { kind: 'unknown', ...base };
    default:
      return { kind: 'text', place: at(inner, folder), ...base };
  }
}
