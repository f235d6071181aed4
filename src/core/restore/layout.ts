import type { Layout, LayoutNode } from '../model/editors.js';

/** Shares of another window size differ by a few pixels; less than this is rounding. */
const tolerance = 0.02;

/** The layout in shares of each parent, which is what a window of another size can use. */
export const inShares = (layout: Layout): Layout => ({
  orientation: layout.orientation,
  groups: shares(layout.groups),
});

/** How many editor groups a layout holds. */
export const countGroups = (layout: Layout): number =>
  layout.groups.reduce((sum, node) => sum + leaves(node), 0);

/** Whether two layouts, both in shares, look the same. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  sameNodes(a.groups, b.groups) && (a.orientation === b.orientation || a.groups.length < 2);

/** Groups beside each other, for a window whose own layout is not known. */
export const rowOf = (groups: number): Layout => ({
  orientation: 0,
  groups: Array.from({ length: Math.max(groups, 1) }, () => ({})),
});

function shares(nodes: readonly LayoutNode[]): LayoutNode[] {
  const total = nodes.reduce((sum, node) => sum + (node.size ?? 0), 0);
  return nodes.map((node) => ({
    ...(node.size !== undefined && total > 0 ? { size: round(node.size / total) } : {}),
    ...(node.groups === undefined ? {} : { groups: shares(node.groups) }),
  }));
}

const round = (share: number): number => Math.round(share * 1000) / 1000;

const leaves = (node: LayoutNode): number =>
  node.groups === undefined || node.groups.length === 0
    ? 1
    : node.groups.reduce((sum, child) => sum + leaves(child), 0);

const sameNodes = (a: readonly LayoutNode[], b: readonly LayoutNode[]): boolean =>
  a.length === b.length && a.every((node, index) => sameNode(node, b[index]));

function sameNode(a: LayoutNode, b: LayoutNode | undefined): boolean {
  if (b === undefined) return false;
  const near =
    a.size === undefined || b.size === undefined || Math.abs(a.size - b.size) <= tolerance;
  return near && sameNodes(a.groups ?? [], b.groups ?? []);
}
