import type { ThreadBranch } from '../core/model/thread.js';
import { activeBranch, branchesOf, chosenLeaf, type Spoken, type TreeNode } from './branch.js';
import { timeOf } from './json.js';
import type { Said } from './sayings.js';

interface Node extends TreeNode {
  readonly said: Said;
}

/** Records of the branch that was asked for, or of the agent's own, and all branches that there are. */
export interface SaidBranch {
  readonly shown: readonly Said[];
  readonly branches: readonly ThreadBranch[];
}

/** What was said, where records may hang on others than the one before; in one line there are no branches. */
export function saidBranch(all: readonly Said[], asked: string | undefined): SaidBranch {
  const nodes = nodesOf(all);
  if (nodes === undefined) return { shown: all, branches: [] };
  const leaf = chosenLeaf(nodes, asked, undefined);
  return {
    shown: activeBranch(nodes, leaf).map(({ said }) => said),
    branches: branchesOf(nodes, undefined, spokenIn),
  };
}

/** Undefined when each hangs on the one before. */
function nodesOf(all: readonly Said[]): readonly Node[] | undefined {
  const ids = new Set<string>();
  const once = all.filter(({ id }) => {
    const isCopy = id !== undefined && ids.has(id);
    if (id !== undefined) ids.add(id);
    return !isCopy;
  });
  let before: string | undefined;
  const nodes = once.map((said, at): Node => {
    const named = said.parent !== undefined && ids.has(said.parent) ? said.parent : undefined;
    const node = {
      uuid: said.id ?? `#${at}`,
      parent: named ?? before,
      logicalParent: undefined,
      messageId: undefined,
      isCompaction: false,
      isOffTree: false,
      said,
    };
    before = node.uuid;
    return node;
  });
  const isLine = nodes.every(({ parent }, at) => parent === nodes[at - 1]?.uuid);
  return isLine ? undefined : nodes;
}

function spokenIn({ uuid, said }: Node): Spoken | undefined {
  const [time] = said.times ?? [];
  const at = typeof time === 'number' ? time : timeOf(time);
  for (const saying of said.says) {
    if (saying.kind === 'prompt') return { key: uuid, at, prompt: saying.text };
    if (saying.kind === 'answer') return { key: saying.key ?? uuid, at };
  }
  return undefined;
}
