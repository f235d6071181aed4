import type { ThreadBranch } from '../core/model/thread.js';

/** Its place in the conversation: records hang on each other by these ids. */
export interface Link {
  readonly uuid: string;
  readonly parent: string | undefined;
  /** What came before a compaction; such a record has no parent. */
  readonly logicalParent: string | undefined;
}

/** A record's place in the conversation's tree. */
export interface TreeNode extends Link {
  /** Several records make up one answer; they share its id. */
  readonly messageId: string | undefined;
  /** A compaction hangs on nothing, yet what was before it still belongs to the thread. */
  readonly isCompaction: boolean;
  /** Belongs to the thread by its place in the file alone. */
  readonly isOffTree: boolean;
}

/**
 * The nodes of the branch that the agent itself would go on with, in file order.
 *
 * Tried on Claude Code 2.1.197 and 2.1.332: the leaf is what hangs last in the file on `lastLeaf` (its
 * newest `last-prompt` record), without one the last record of the file, whatever the times say. So
 * do Qwen Code and Pi, which have no `lastLeaf`. A parent that is missing is taken to be the record
 * before. Parallel tool calls look like forks, so all records of an answer belong to the branch as
 * soon as one does.
 */
export function activeBranch<N extends TreeNode>(
  all: readonly N[],
  lastLeaf: string | undefined,
): readonly N[] {
  const tree = new Tree(all);
  const chain = new Set(tree.chainTo(tree.leaf(lastLeaf)));
  const answers = new Set([...chain].map(({ messageId }) => messageId));
  return tree.nodes.filter(
    (node) =>
      node.isOffTree ||
      chain.has(node) ||
      (node.messageId !== undefined && answers.has(node.messageId)),
  );
}

/** What a node says, where it is a prompt or an answer. */
export interface Spoken {
  /** The records of one answer share it; told apart as a `Set` does. */
  readonly key: unknown;
  readonly at: number | undefined;
  /** What a person typed; of prompts only. */
  readonly prompt?: string | undefined;
}

/**
 * Every branch of the tree, in the order in which they ended. A leaf is one where it brings a prompt or an answer that no other
 * has: results of parallel calls, hooks and progress hang on the side of the branch that they are part of.
 */
export function branchesOf<N extends TreeNode>(
  all: readonly N[],
  lastLeaf: string | undefined,
  spokenIn: (node: N) => Spoken | undefined,
): readonly ThreadBranch[] {
  const tree = new Tree(all);
  const active = tree.leaf(lastLeaf);
  const taken = new Set<N>();
  const keys = new Set<unknown>();
  const found = new Map<N, ThreadBranch>();
  const others = tree.leaves().filter((leaf) => leaf !== active);
  for (const leaf of active === undefined ? [] : [active, ...others.toReversed()]) {
    const own: Spoken[] = [];
    for (const node of tree.chainTo(leaf)) {
      if (taken.has(node)) break;
      taken.add(node);
      const spoken = spokenIn(node);
      if (spoken !== undefined && !keys.has(spoken.key)) own.unshift(spoken);
    }
    for (const { key } of own) keys.add(key);
    if (leaf === active || own.length > 0) {
      found.set(leaf, branchOf(leaf.uuid, own, leaf === active));
    }
  }
  return tree.nodes.flatMap((node) => found.get(node) ?? []);
}

export function branchOf(leaf: string, own: readonly Spoken[], active: boolean): ThreadBranch {
  return {
    leaf,
    at: own.at(-1)?.at,
    prompt: own.find(({ prompt }) => prompt !== undefined)?.prompt,
    turns: own.filter(({ prompt }) => prompt !== undefined).length,
    active,
  };
}

/** The leaf that was asked for, if there is such a node, or the agent's own. */
export const chosenLeaf = (
  nodes: readonly TreeNode[],
  asked: string | undefined,
  own: string | undefined,
): string | undefined =>
  asked !== undefined && nodes.some(({ uuid }) => uuid === asked) ? asked : own;

/** Nodes by what they hang on. */
class Tree<N extends TreeNode> {
  /** Each once, in file order. */
  readonly nodes: readonly N[];
  private readonly byId = new Map<string, N>();
  private readonly hanging: readonly N[];
  private readonly position: ReadonlyMap<N, number>;

  constructor(all: readonly N[]) {
    for (const node of all) if (!this.byId.has(node.uuid)) this.byId.set(node.uuid, node);
    this.nodes = [...this.byId.values()];
    this.hanging = this.nodes.filter(({ isOffTree }) => !isOffTree);
    this.position = new Map(this.hanging.map((node, at) => [node, at]));
  }

  leaf(lastLeaf: string | undefined): N | undefined {
    if (lastLeaf === undefined) return this.hanging.at(-1);
    const under = new Set([lastLeaf]);
    let leaf: N | undefined;
    for (const node of this.hanging) {
      if (node.uuid !== lastLeaf && !under.has(node.parent ?? '')) continue;
      under.add(node.uuid);
      leaf = node;
    }
    return leaf ?? this.hanging.at(-1);
  }

  /** Nodes that nothing hangs on. */
  leaves(): readonly N[] {
    const parents = new Set(this.hanging.map((node) => this.parentOf(node)));
    return this.hanging.filter((node) => !parents.has(node));
  }

  /** From the leaf up to its root. */
  *chainTo(leaf: N | undefined): Iterable<N> {
    const seen = new Set<N>();
    for (let node = leaf; node !== undefined && !seen.has(node); node = this.parentOf(node)) {
      seen.add(node);
      yield node;
    }
  }

  private parentOf(node: N): N | undefined {
    const parent = node.parent ?? node.logicalParent;
    const isRoot = parent === undefined && !node.isCompaction;
    if (isRoot) return undefined;
    return this.byId.get(parent ?? '') ?? this.hanging[(this.position.get(node) ?? 0) - 1];
  }
}
