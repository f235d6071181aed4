import * as vscode from 'vscode';

/** What a person sees in the window, one line an item, in the same words before and after. */
export const describeWindow = async (): Promise<readonly string[]> => [
  ...vscode.window.tabGroups.all.flatMap((group, index) =>
    group.tabs.map((tab) => describeTab(tab, index + 1)),
  ),
  ...(await describeLayout()),
  ...vscode.workspace.textDocuments
    .filter(({ isDirty, isUntitled }) => isDirty || isUntitled)
    .map((document) => `unsaved text in ${name(document.uri)}: "${firstLine(document)}"`)
    .sort(),
  ...vscode.window.visibleTextEditors
    .map(
      ({ document, selection }) =>
        `cursor in ${name(document.uri)}, line ${selection.active.line + 1}`,
    )
    .sort(),
  ...vscode.window.terminals.map((terminal) => `terminal "${terminal.name}"`).sort(),
  ...vscode.debug.breakpoints.flatMap(describeBreakpoint).sort(),
];

const describeTab = (tab: vscode.Tab, group: number): string => {
  const flags = [tab.isPinned ? 'pinned' : '', tab.isActive ? 'in front' : ''].filter(Boolean);
  const kind = tab.input instanceof vscode.TabInputTextDiff ? 'comparison ' : '';
  const said = flags.length > 0 ? ` (${flags.join(', ')})` : '';
  return `group ${group}: ${kind}${tab.label}${said}`;
};

interface LayoutNode {
  readonly groups?: readonly LayoutNode[];
}

const describeLayout = async (): Promise<readonly string[]> => {
  const layout = await vscode.commands.executeCommand<LayoutNode>('vscode.getEditorLayout');
  const shape = ({ groups }: LayoutNode): string =>
    groups === undefined ? '□' : `[${groups.map(shape).join(' ')}]`;
  return [`layout ${shape(layout)}`];
};

const describeBreakpoint = (breakpoint: vscode.Breakpoint): readonly string[] =>
  breakpoint instanceof vscode.SourceBreakpoint
    ? [
        `breakpoint in ${name(breakpoint.location.uri)}, line ${breakpoint.location.range.start.line + 1}`,
      ]
    : [];

const name = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri, false);

const firstLine = (document: vscode.TextDocument): string => document.lineAt(0).text;
