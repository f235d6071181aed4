import type { SessionSummary, SnapshotSummary } from '../../core/model/session.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { SessionGroup } from './groups.js';

/**
 * The elements of the sessions tree. A command that is called from the tree gets one of these; it is
 * told from another extension's argument by its `kind`.
 */
export type Node = GroupNode | SessionNode | SectionNode | SnapshotNode | ThreadNode | OlderNode;

export interface GroupNode {
  readonly kind: 'group';
  readonly group: SessionGroup | { readonly kind: 'others'; readonly count: number };
}

export interface SessionNode {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly session: SessionSummary;
  /** The window's own session. */
  readonly current: boolean;
  /** Name of the folder that it came along from. */
  readonly from?: string | undefined;
}

export interface SectionNode {
  readonly kind: 'section';
  readonly section: 'threads' | 'snapshots';
  readonly sessionId: string;
  readonly count: number;
  readonly current: boolean;
}

export interface SnapshotNode {
  readonly kind: 'snapshot';
  readonly sessionId: string;
  readonly snapshotId: string;
  readonly snapshot: SnapshotSummary;
}

export interface ThreadNode {
  readonly kind: 'thread';
  readonly threadId: string;
  readonly thread: ThreadSummary;
  /** Its subagents' threads. */
  readonly children: readonly ThreadNode[];
  /** Where it is listed: a thread may belong to several sessions. */
  readonly under: string;
}

/** Asks for the next page of a session's snapshots. */
export interface OlderNode {
  readonly kind: 'older';
  readonly sessionId: string;
  readonly hidden: number;
}

const kinds: ReadonlySet<unknown> = new Set<Node['kind']>([
  'group',
  'session',
  'section',
  'snapshot',
  'thread',
  'older',
]);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.has(value.kind);
}

/** Threads as trees: a subagent's below its parent, unless the parent is not listed here. */
export function threadNodes(threads: readonly ThreadSummary[], under: string): ThreadNode[] {
  const listed = new Set(threads.map(({ id }) => id));
  const byParent = new Map<string, ThreadSummary[]>();
  const roots: ThreadSummary[] = [];
  for (const thread of threads) {
    const { parent } = thread;
    if (parent === undefined || !listed.has(parent)) roots.push(thread);
    else byParent.set(parent, [...(byParent.get(parent) ?? []), thread]);
  }
  // A file may name itself or a descendant as its parent: what was shown is not entered again.
  const shown = new Set<string>();
  const node = (thread: ThreadSummary): ThreadNode => {
    shown.add(thread.id);
    const children = byParent.get(thread.id) ?? [];
    return {
      kind: 'thread',
      threadId: thread.id,
      thread,
      under,
      children: children.flatMap((child) => (shown.has(child.id) ? [] : node(child))),
    };
  };
  const nodes = roots.map(node);
  for (const thread of threads) if (!shown.has(thread.id)) nodes.push(node(thread));
  return nodes;
}
