import * as vscode from 'vscode';
import { z } from 'zod';
import type { CopyRequest, ThreadDocument } from '../../core/engine.js';
import { ExpectedError } from '../../core/errors.js';
import type { ThreadBranch } from '../../core/model/thread.js';
import type { DocumentTurn } from '../../core/thread/document.js';
import { copyText } from '../clipboard.js';
import { pageOf } from '../reading/threadUri.js';
import { escapeIcons, plain } from '../views/plainText.js';
import * as documents from '../views/threadDocument.js';
import * as words from '../views/words.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';

const partSchema = z.object({
  threadId: z.string(),
  leaf: z.string().optional(),
  place: z.object({ turn: z.number(), part: z.number() }),
});
const branchSchema = z.object({ threadId: z.string(), leaf: z.string().optional() });

/** Shows what a tool call did to files. */
export const openChanges: Run<undefined> = async ({ sessions }, args) => {
  const call = readCall(args, partSchema);
  if (call.from === 'program') await documents.openChanges(sessions, call.options);
  return undefined;
};

/** Shows an image of a conversation. */
export const openImage: Run<undefined> = async ({ sessions }, args) => {
  const call = readCall(args, partSchema);
  if (call.from === 'program') await documents.openImage(sessions, call.options);
  return undefined;
};

/** Puts a conversation on the clipboard: the one that is given, or the one in front. */
export const copyThread: Run<undefined> = async (context, args) => {
  const call = readCall(args, branchSchema);
  if (call.from === 'program') await copy(context, call.options);
  else if (call.from === 'tree' && call.node.kind === 'thread') {
    await copy(context, { threadId: call.node.threadId });
  } else {
    const { editor } = inFront(context);
    const { threadId, leaf } = pageOf(editor.document.uri);
    await copy(context, { threadId, leaf });
  }
  return undefined;
};

/** Puts the turn at the cursor on the clipboard. */
export const copyTurn: Run<undefined> = async (context) => {
  const { editor, rendered } = inFront(context);
  const { threadId, leaf } = pageOf(editor.document.uri);
  const turn = turnAt(rendered, editor.selection.active.line);
  if (turn === undefined) throw noTurn();
  await copy(context, { threadId, leaf, turns: { from: turn.from, to: turn.to } });
  return undefined;
};

/** Lets the person choose another branch of the conversation in front, or of the one that is given. */
export const openBranch: Run<undefined> = async (context, args) => {
  const call = readCall(args, branchSchema);
  const { editor, rendered } = inFront(context);
  const at = call.from === 'program' ? call.options : pageOf(editor.document.uri);
  const branches = rendered.branches ?? [];
  if (branches.length < 2) {
    throw new ExpectedError('noBranches', 'This conversation has no other branches.', []);
  }
  const shown = branches.find(({ leaf }) => leaf === at.leaf) ?? branches.find((one) => one.active);
  const items = branches
    .toReversed()
    .filter((branch) => branch !== shown)
    .map(branchItem);
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: vscode.l10n.t('Which branch do you want to read?'),
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  const { active, leaf } = picked.branch;
  await documents.openPage(context.sessions, {
    threadId: at.threadId,
    page: 0,
    leaf: active ? undefined : leaf,
  });
  return undefined;
};

function branchItem(branch: ThreadBranch): vscode.QuickPickItem & { branch: ThreadBranch } {
  const { prompt, at, turns, active } = branch;
  return {
    label: escapeIcons(plain(prompt ?? '', 80)) || vscode.l10n.t('Another answer'),
    description: words.joined(
      active ? vscode.l10n.t('current') : undefined,
      words.promptCount(turns),
      at === undefined ? undefined : words.momentWords(at, Date.now()),
    ),
    branch,
  };
}

export const nextPrompt: Run<undefined> = (context) => goToPrompt(context, 1);
export const previousPrompt: Run<undefined> = (context) => goToPrompt(context, -1);

/** Goes to the next or previous prompt, over the page's end too. */
async function goToPrompt(context: CommandContext, step: 1 | -1): Promise<undefined> {
  const { editor, rendered } = inFront(context);
  const line = editor.selection.active.line;
  const onPage = promptLines(rendered, step).find((start) => (start - line) * step > 0);
  if (onPage !== undefined) {
    show(editor, onPage);
    return undefined;
  }
  const page = rendered.page + step;
  if (page < 0 || page >= rendered.pages) return undefined;
  const opened = await documents.openPage(context.sessions, {
    ...pageOf(editor.document.uri),
    page,
  });
  const [first] = opened === undefined ? [] : promptLines(opened.rendered, step);
  if (opened !== undefined && first !== undefined) show(opened.editor, first);
  return undefined;
}

/** Where prompts begin, in the direction of reading. */
function promptLines({ turns }: ThreadDocument, step: 1 | -1): readonly number[] {
  const lines = turns.filter(({ role }) => role === 'user').map(({ start }) => start);
  return step > 0 ? lines : lines.toReversed();
}

function show(editor: vscode.TextEditor, line: number): void {
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
}

const turnAt = ({ turns }: ThreadDocument, line: number): DocumentTurn | undefined =>
  turns.findLast(({ start }) => start <= line);

const noTurn = (): ExpectedError =>
  new ExpectedError('noTurnHere', 'Put the cursor in a turn of the conversation first.', []);

function inFront({ sessions }: CommandContext): documents.OpenedPage {
  const opened = documents.threadInFront(sessions);
  if (opened !== undefined) return opened;
  throw new ExpectedError('noThreadInFront', 'Open a conversation first.', []);
}

/** What leaves the vault this way has no secrets of known kinds in it. */
async function copy({ sessions }: CommandContext, request: CopyRequest): Promise<void> {
  const engine = await sessions.engine();
  const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Copying…') };
  const { text, masked } = await vscode.window.withProgress(progress, () =>
    engine.copyThread(request),
  );
  await copyText(sessions, text);
  const secrets = words.counted(
    masked,
    vscode.l10n.t('Copied. 1 secret was left out.'),
    vscode.l10n.t('Copied. {0} secrets were left out.', masked),
  );
  vscode.window.setStatusBarMessage(secrets ?? vscode.l10n.t('Copied.'), 5000);
  if (secrets !== undefined) void vscode.window.showInformationMessage(secrets);
}
