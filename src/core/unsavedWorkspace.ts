/**
 * Whether a workspace of several folders was not saved under a name yet. VS Code calls it `untitled:<number>`, and in a
 * remote window by a file of its own, `…/Workspaces/Untitled-<number>.code-workspace` (seen in 1.139).
 *
 * @param uri as in a session
 */
export const isUnsavedWorkspace = (uri: string): boolean =>
  uri.startsWith('untitled:') || /\/Workspaces\/Untitled-\d+\.code-workspace$/.test(uri);
