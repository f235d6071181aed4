import fc from 'fast-check';
import type { Changes } from '../core/model/changes.js';
import type { Editors, LayoutNode, Place, Tab } from '../core/model/editors.js';
import { newId } from '../core/model/ids.js';
import type { SessionPatch } from '../core/model/session.js';
import type { Snapshot, Workbench } from '../core/model/snapshot.js';
import type { Environment } from '../core/model/workbench.js';
import { Redactor } from '../core/redact/redactor.js';
import type { Store } from './store.js';

/*
 * Sessions with anything in them that a session can hold, for tests of what comes back. What looks like a secret would
 * be masked on its way, so there is none in them.
 */

const share = new Redactor({ lane: 'share' });
const isHarmless = (value: unknown): boolean => share.value(value).findings.length === 0;

/** Text that has been lost elsewhere, more often than by chance. */
export const oddText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      ...[
        '',
        '\0',
        '\ud83d',
        '\udc00',
        '\uffff',
        '\ufeff',
        '\u2028',
        'a\u202eb',
        '👩‍👩‍👧',
        'e\u0301',
        'é',
      ],
      ...[
        'C:\\Work\\proj',
        '\\\\server\\share',
        '\r\n',
        ' ',
        '__proto__',
        '~',
        '${x}',
        '%41',
        '#?',
      ],
    ),
  )
  .filter(isHarmless);

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { maxLength: 3 });
const number = fc.integer({ min: 0, max: 1e9 });

const place: fc.Arbitrary<Place> = fc.record({
  uri: oddText,
  folder: maybe(oddText),
  path: maybe(oddText),
  git: maybe(fc.record({ ref: oddText, path: oddText })),
});

const flags = {
  label: oddText,
  pinned: maybe(fc.boolean()),
  preview: maybe(fc.boolean()),
  active: maybe(fc.boolean()),
  dirty: maybe(fc.boolean()),
};
const two = { original: place, modified: place };
const tab: fc.Arbitrary<Tab> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), place, ...flags }),
  fc.record({ kind: fc.constant('diff' as const), ...two, ...flags }),
  fc.record({ kind: fc.constant('notebook' as const), place, notebookType: oddText, ...flags }),
  fc.record({
    kind: fc.constant('notebookDiff' as const),
    ...two,
    notebookType: oddText,
    ...flags,
  }),
  fc.record({ kind: fc.constant('custom' as const), place, viewType: oddText, ...flags }),
  fc.record({ kind: fc.constant('terminal' as const), ...flags }),
  fc.record({ kind: fc.constant('webview' as const), viewType: oddText, ...flags }),
  fc.record({ kind: fc.constant('unknown' as const), ...flags }),
);

const size = fc.double({ min: 0, max: 1, noNaN: true });
const { node } = fc.letrec<{ node: LayoutNode }>((tie) => ({
  node: fc.record({
    size: maybe(size),
    groups: fc.option(fc.array(tie('node'), { maxLength: 2 }), { nil: undefined, maxDepth: 3 }),
  }),
}));

/** Drafts with their texts, which the store keeps apart. */
const editors = fc.record({
  layout: maybe(
    fc.record({ orientation: fc.constantFrom(0 as const, 1 as const), groups: few(node) }),
  ),
  groups: few(fc.record({ tabs: few(tab) })),
  activeGroup: number,
  views: few(
    fc.record({
      place,
      group: number,
      selections: few(fc.tuple(number, number, number, number)),
      top: maybe(number),
      anchor: maybe(oddText),
    }),
  ),
  drafts: few(fc.record({ place, untitled: fc.boolean(), languageId: oddText, text: oddText })),
});

const breakpointFlags = {
  enabled: fc.boolean(),
  condition: maybe(oddText),
  hitCondition: maybe(oddText),
  logMessage: maybe(oddText),
};
const workbench: fc.Arbitrary<Workbench> = fc.record({
  terminals: few(
    fc.record({
      name: oddText,
      cwd: maybe(oddText),
      shellPath: maybe(oddText),
      shellArgs: maybe(fc.oneof(oddText, few(oddText))),
      namedOnly: maybe(fc.boolean()),
      commands: few(fc.record({ line: oddText, exitCode: maybe(number) })),
    }),
  ),
  breakpoints: few(
    fc.oneof(
      fc.record({
        kind: fc.constant('source' as const),
        place,
        line: number,
        column: number,
        ...breakpointFlags,
      }),
      fc.record({
        kind: fc.constant('function' as const),
        functionName: oddText,
        ...breakpointFlags,
      }),
    ),
  ),
  running: fc.record({ tasks: few(oddText), debug: maybe(oddText) }),
});

const bytes = fc.uint8Array({ maxLength: 40 });
const patch = fc.array(
  oddText.map((line) => line.replaceAll('\n', ' ')),
  { minLength: 1, maxLength: 3 },
);

/** Repositories with patches (a line for each file) and contents, which the store keeps apart. */
const changes = fc.record({
  repositories: few(
    fc.record({
      root: oddText,
      remote: maybe(oddText),
      branch: maybe(oddText),
      head: maybe(fc.constantFrom('a'.repeat(40), 'b'.repeat(64))),
      staged: maybe(patch),
      unstaged: maybe(patch),
      files: few(
        fc.record({ path: oddText, from: maybe(oddText), status: oddText, content: maybe(bytes) }),
      ),
      untracked: few(
        fc.record({
          path: oddText,
          size: number,
          mode: maybe(number),
          content: maybe(bytes),
          left: maybe(
            fc.constantFrom('tooLarge' as const, 'notAFile' as const, 'notShared' as const),
          ),
        }),
      ),
      problems: few(oddText),
    }),
  ),
});

const environment: fc.Arbitrary<Environment> = fc.record({
  vscode: maybe(oddText),
  keepthread: oddText,
  os: oddText,
  arch: oddText,
  node: oddText,
  remote: maybe(oddText),
  folders: few(fc.record({ name: oddText, uri: oddText })),
  agents: fc.dictionary(
    oddText.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
    oddText,
    { maxKeys: 3 },
  ),
});

const record = fc.oneof(
  fc.json({ maxDepth: 3 }).filter((json) => share.record(Buffer.from(json)).findings.length === 0),
  bytes,
);

/** Generations of a conversation, each with its records. */
const thread = fc.record({
  name: oddText,
  agent: fc.constantFrom('claude-code', 'codex', 'an-agent-of-the-future'),
  generations: fc.array(fc.array(record, { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** It is a subagent of the thread before it. */
  isSubagent: fc.boolean(),
});

const snapshot = fc.record({
  label: maybe(oddText),
  reason: fc.constantFrom('manual' as const, 'agentTurn' as const, 'beforeRestore' as const),
  editors: maybe(editors),
  workbench: maybe(workbench),
  changes: maybe(changes),
  environment: maybe(environment),
  branch: maybe(oddText),
});

export const sessions = fc.record({
  title: oddText,
  goal: oddText,
  tags: few(oddText),
  status: fc.constantFrom('paused' as const, 'finished' as const),
  threads: fc.array(thread, { maxLength: 3 }),
  snapshots: fc.array(snapshot, { minLength: 1, maxLength: 3 }),
});
export type MadeSession = typeof sessions extends fc.Arbitrary<infer T> ? T : never;

/** A session as it was saved: what has to come back. */
export interface SavedSession {
  readonly id: string;
  readonly set: SessionPatch;
  readonly snapshots: readonly {
    readonly snapshot: Snapshot;
    readonly parts: Readonly<Record<string, unknown>>;
  }[];
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly threads: readonly {
    readonly id: string;
    readonly parent: string | undefined;
    readonly generations: readonly (readonly Buffer[])[];
    /** Those that a snapshot names, and the newest: what belongs to the session. */
    readonly named: readonly number[];
  }[];
}

/** Saves a session as a window would. */
export async function saveSession(store: Store, made: MadeSession): Promise<SavedSession> {
  const id = newId();
  const { title, goal, tags, status } = made;
  const threads = made.threads.map(({ agent, name, generations, isSubagent }, at) => ({
    id: `${agent}:${id} ${at} ${name}`,
    parent: undefined as string | undefined,
    isSubagent,
    generations: generations.map((records) => records.map((bytes) => Buffer.from(bytes))),
    named: [
      ...new Set([
        ...made.snapshots.map((_, of) => namedBy(of, generations)),
        generations.length - 1,
      ]),
    ],
  }));
  for (const [at, one] of threads.entries()) {
    if (one.isSubagent) one.parent = threads[at - 1]?.id;
    await saveThread(store, one);
  }
  const joins = threads.filter(({ parent }) => parent === undefined).map((one) => one.id);
  const set = { title, goal, tags, status };
  await store.appendSession({ schemaVersion: 1, sessionId: id, at: 5, joins, set });

  const contents = new Map<string, Buffer>();
  const keep = async (content: Uint8Array): Promise<string> => {
    const hash = await store.putBlob(content);
    contents.set(hash, Buffer.from(content));
    return hash;
  };
  const snapshots: SavedSession['snapshots'][number][] = [];
  for (const [at, one] of made.snapshots.entries()) {
    const parts = {
      editors: one.editors && (await withDrafts(one.editors, keep)),
      workbench: one.workbench,
      changes: one.changes && (await withContents(one.changes, keep)),
      environment: one.environment,
    };
    const put = async (part: unknown): Promise<string | undefined> =>
      part === undefined ? undefined : store.putJson(part);
    const taken: Snapshot = {
      schemaVersion: 1,
      id: newId(),
      sessionId: id,
      at: 6 + at,
      reason: one.reason,
      label: one.label,
      parts: {
        editors: await put(parts.editors),
        workbench: await put(parts.workbench),
        changes: await put(parts.changes),
        environment: await put(parts.environment),
      },
      threads: threads.map(({ id: of, generations }) => {
        const generation = namedBy(at, generations);
        return { id: of, generation, records: generations[generation]?.length ?? 0 };
      }),
      summary: { tabs: at, changes: 1, turns: 2, branch: one.branch },
    };
    await store.appendSnapshot(taken);
    snapshots.push({ snapshot: taken, parts });
  }
  return { id, set, snapshots, contents, threads };
}

/** The generation that a snapshot names: the first one the first, and so on. */
const namedBy = (snapshot: number, generations: readonly unknown[]): number =>
  Math.min(snapshot, generations.length - 1);

async function saveThread(
  store: Store,
  { id, parent, generations }: SavedSession['threads'][number],
): Promise<void> {
  for (const [generation, records] of generations.entries()) {
    const count = records.length;
    const cursor = { path: 'x', offset: 0, generation, records: count, state: {} };
    const head = {
      schemaVersion: 1,
      thread: id,
      generation,
      first: 0,
      count,
      parent,
      cursor,
    } as const;
    await store.appendRecords(records, head);
  }
}

type Keep = (content: Uint8Array) => Promise<string>;
type Made<K extends 'editors' | 'changes'> = NonNullable<MadeSession['snapshots'][number][K]>;

async function withDrafts(made: Made<'editors'>, keep: Keep): Promise<Editors> {
  const drafts = [];
  for (const draft of made.drafts) {
    drafts.push({ ...draft, text: await keep(Buffer.from(JSON.stringify(draft.text))) });
  }
  return { ...made, drafts };
}

async function withContents(made: Made<'changes'>, keep: Keep): Promise<Changes> {
  const kept = async <T extends { readonly content: Uint8Array | undefined }>(
    files: readonly T[],
  ) => {
    const all = [];
    for (const file of files) {
      all.push({ ...file, content: file.content && (await keep(file.content)) });
    }
    return all;
  };
  const diff = async (lines: readonly string[] | undefined): Promise<string | undefined> =>
    lines && keep(Buffer.from(lines.map(sectionOf).join('')));
  const repositories = [];
  for (const { staged, unstaged, files, untracked, ...repository } of made.repositories) {
    repositories.push({
      ...repository,
      staged: await diff(staged),
      unstaged: await diff(unstaged),
      files: await kept(files),
      untracked: await kept(untracked),
    });
  }
  return { repositories };
}

const sectionOf = (line: string, at: number): string =>
  `diff --git a/${at} b/${at}\n--- a/${at}\n+++ b/${at}\n@@ -1 +1 @@\n-old\n+${line}\n`;
