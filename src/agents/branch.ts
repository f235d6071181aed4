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
  const byId = new Map<string, N>();
  for (const node of all) if (!byId.has(node.uuid)) byId.set(node.uuid, node);
  const nodes = [...byId.values()];
  const tree = nodes.filter(({ isOffTree }) => !isOffTree);
  const chain = chainTo(leafOf(tree, lastLeaf), tree, byId);
  const answers = new Set([...chain].map(({ messageId }) => messageId));
  return nodes.filter(
    (node) =>
      node.isOffTree ||
      chain.has(node) ||
      (node.messageId !== undefined && answers.has(node.messageId)),
  );
}

function leafOf<N extends TreeNode>(nodes: readonly N[], lastLeaf: string | undefined) {
  if (lastLeaf === undefined) return nodes.at(-1);
  const under = new Set([lastLeaf]);
  let leaf: N | undefined;
  for (const node of nodes) {
    if (node.uuid !== lastLeaf && !under.has(node.parent ?? '')) continue;
    under.add(node.uuid);
    leaf = node;
  }
  return leaf ?? nodes.at(-1);
}

function chainTo<N extends TreeNode>(
  leaf: N | undefined,
  nodes: readonly N[],
  byId: ReadonlyMap<string, N>,
): ReadonlySet<N> {
  const position = new Map(nodes.map((node, at) => [node, at]));
  const chain = new Set<N>();
  for (let node = leaf; node !== undefined && !chain.has(node);) {
    chain.add(node);
    const parent = node.parent ?? node.logicalParent;
    const isRoot = parent === undefined && !node.isCompaction;
    node = isRoot ? undefined : (byId.get(parent ?? '') ?? nodes[(position.get(node) ?? 0) - 1]);
  }
  return chain;
}
