import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { targets } from '../../agents/targets.js';
import { describeReport } from '../../core/convert/reportWords.js';
import { ExpectedError } from '../../core/errors.js';
import type { Continuation, ContinueRequest } from '../../core/model/continuation.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { Setting, type ContinueInOptions } from '../ids.js';
import { readSetting } from '../settings.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { isInstalled, openTerminal, startInTerminal } from './agentTerminal.js';
import { reviewBrief } from './briefDocument.js';
import { readCall, threadTargetSchema } from './call.js';
import type { CommandContext, Run } from './context.js';
import { findThread } from './findThread.js';
import { load } from './load.js';
import { chatTakesCalls, openInChat } from './openInChat.js';
import { pick } from './pick.js';
import { pickAgent } from './pickAgent.js';
import { pickThread, threadOf } from './pickThread.js';
import { requireTrust } from './target.js';

const optionsSchema: z.ZodType<ContinueInOptions> = z.object({
  threadId: z.string(),
  agent: z.string(),
  folder: z.string().optional(),
  fork: z.string().optional(),
  leaf: z.string().optional(),
  only: z.enum(['tail', 'brief']).optional(),
  tokens: z.number().optional(),
  start: z.boolean().optional(),
});

/** Continues a conversation in an agent that the person chooses, or that the call names. */
export const continueIn: Run<Continuation | undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  if (call.from === 'program') return continueAsTold(context, call.options);
  const thread =
    call.from === 'tree' && call.node.kind === 'thread'
      ? call.node.thread
      : await pickThread(context, call);
  if (thread !== undefined) await continueThreadIn(context, thread);
  return undefined;
};

/** Continues a conversation with its own agent, in this window's folder. */
export const continueHere: Run<undefined> = async (context, args) => {
  requireTrust();
  const thread = await threadOf(context, readCall(args, threadTargetSchema));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (thread !== undefined) {
    await continueThreadIn(context, thread, { agent: thread.agent, isWhole: true, folder });
  }
  return undefined;
};

/** Restores a session's window first, where it differs and the person wants it, then goes on with a conversation. */
export const continueSessionIn: Run<undefined> = async (context, args) => {
  requireTrust();
  await load(context, args);
  const call = readCall(args, z.object({ sessionId: z.string() }));
  const thread = await pickThread(context, call);
  if (thread !== undefined) await continueThreadIn(context, thread);
  return undefined;
};

async function continueAsTold(
  context: CommandContext,
  { threadId, start = true, ...request }: ContinueInOptions,
): Promise<Continuation | undefined> {
  const engine = await context.sessions.engine();
  const thread = await findThread(context.sessions, threadId);
  const folder = request.folder ?? folderOf(thread);
  const asked = { foldThinking: quotes(), ...request, folder, wordsOnly: await wordsOnly(request) };
  const continuation = await engine.continueThread(threadId, asked, true);
  if (start) await startContinuation(context, thread, continuation);
  return continuation;
}

/** Asks for what is open, shows what will go along, and goes on. */
export async function continueThreadIn(
  context: CommandContext,
  thread: ThreadSummary,
  chosen?: {
    readonly agent: string;
    readonly isWhole: boolean;
    readonly folder?: string | undefined;
  },
): Promise<void> {
  const choice = chosen ?? (await pickAgent(thread));
  if (choice === undefined) return;
  const { agent, isWhole } = choice;
  const engine = await context.sessions.engine();
  const folder = chosen?.folder ?? folderOf(thread);
  const plan = (request: ContinueRequest): Promise<Continuation> =>
    Promise.resolve(
      vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Window,
          title: vscode.l10n.t('Reading the conversation'),
        },
        () => engine.continueThread(thread.id, request, false),
      ),
    );
  const where = { agent, folder, foldThinking: quotes(), wordsOnly: await wordsOnly({ agent }) };
  const first = await plan({ ...where, only: isWhole ? undefined : 'brief' });
  const only = !isWhole ? 'brief' : first.size.fits ? 'all' : await pickSize(first);
  if (only === undefined) return;
  const request = { ...where, only: only === 'all' ? undefined : only };
  const planned = request.only === undefined ? first : await plan(request);
  if (planned.prompt !== undefined) return reviewBrief(context.sessions, thread, planned);
  // Nothing is written for a program that is not there.
  if (!(await isThere(planned))) {
    if (await wantsBrief(planned)) {
      const brief = await plan({ ...where, only: 'brief' });
      await reviewBrief(context.sessions, thread, brief, { isMissing: true });
    }
    return;
  }
  const open = openTerminal(`${agent}:${planned.sessionId}`);
  if (open !== undefined && planned.sessionId !== null) {
    open.show();
    return;
  }
  // A chat of VS Code that comes back is what it was.
  const isOtherChat = planned.chat !== undefined && agent !== thread.agent;
  const isNew = planned.files.length > 0 || isOtherChat;
  if (isNew && !(await confirm(planned))) return;
  await startContinuation(context, thread, await engine.continueThread(thread.id, request, true));
}

const isThere = async ({ command }: Continuation): Promise<boolean> =>
  command[0] === undefined || isInstalled(command[0]);

/** An agent that is not installed: how to get it, and the brief, which can be pasted anywhere. */
async function wantsBrief({ agent, command }: Continuation): Promise<boolean> {
  const brief = vscode.l10n.t('Show a brief');
  const getIt = targets.find((target) => target.agent === agent)?.getIt ?? '';
  const said = vscode.l10n.t(
    '{0} is not installed: there is no program {1}. Get it with: {2}',
    agentName(agent),
    command[0] ?? '',
    getIt,
  );
  return (await vscode.window.showWarningMessage(said, brief)) === brief;
}

const quotes = (): boolean => readSetting(Setting.quoteThinking);

/** Whether the chat of this window takes words alone; undefined for any other agent. */
const wordsOnly = async ({ agent }: ContinueRequest): Promise<boolean | undefined> =>
  agent === 'vscode-chat' ? !(await chatTakesCalls()) : undefined;

async function startContinuation(
  context: CommandContext,
  thread: ThreadSummary,
  planned: Continuation,
): Promise<void> {
  const { agent, command, cwd, sessionId, prompt, chat } = planned;
  if (chat !== undefined) return openInChat(context, chat);
  if (command.length === 0) {
    throw new ExpectedError('noFirstPrompt', '{0} takes no first prompt.', [agentName(agent)], {
      next: 'Copy the brief and paste it there.',
    });
  }
  const key = `${agent}:${sessionId ?? prompt ?? thread.id}`;
  await startInTerminal({ agent, title: thread.title, argv: command, cwd, key });
}

/** The conversation's own folder, or this window's where that is not here. */
function folderOf({ cwd }: ThreadSummary): string | undefined {
  if (cwd !== undefined && existsSync(cwd)) return cwd;
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? cwd;
}

type Size = 'tail' | 'brief' | 'all';

async function pickSize({ agent, size }: Continuation): Promise<Size | undefined> {
  const thousands = (tokens: number): string => String(Math.ceil(tokens / 1000));
  const items: readonly (vscode.QuickPickItem & { readonly only: Size })[] = [
    {
      only: 'tail',
      iconPath: new vscode.ThemeIcon('fold-up'),
      label: vscode.l10n.t('The end that fits'),
      description: vscode.l10n.t('after a summary of what came before'),
    },
    {
      only: 'brief',
      iconPath: new vscode.ThemeIcon('note'),
      label: vscode.l10n.t('A brief'),
      description: vscode.l10n.t('goal, state, decisions, files and the last exchanges'),
    },
    {
      only: 'all',
      iconPath: new vscode.ThemeIcon('warning'),
      label: vscode.l10n.t('All of it'),
      description: vscode.l10n.t('the agent may refuse it or shorten it itself'),
    },
  ];
  const picked = await pick({
    items,
    title: vscode.l10n.t('This conversation is long'),
    placeholder: vscode.l10n.t(
      'About {0} thousand tokens; {1} goes on well with {2} thousand',
      thousands(size.tokens),
      agentName(agent),
      thousands(size.budget),
    ),
  });
  return picked === 'back' ? undefined : picked?.only;
}

/** Shows what is kept, changed and left out before anything is written. */
async function confirm({ agent, report, files, cwd }: Continuation): Promise<boolean> {
  interface Line extends vscode.QuickPickItem {
    readonly goes?: boolean;
  }
  const lines = describeReport(report, vscode.l10n);
  const items: readonly Line[] = [
    {
      goes: true,
      iconPath: new vscode.ThemeIcon('play'),
      label: vscode.l10n.t('Continue in {0}', agentName(agent)),
      description: escapeIcons(plain(cwd, 200)),
    },
    { label: vscode.l10n.t('What goes along'), kind: vscode.QuickPickItemKind.Separator },
    ...lines.map((line): Line => ({ label: escapeIcons(plain(line, 200)) })),
    ...(files.length === 0
      ? []
      : [{ label: vscode.l10n.t('New files'), kind: vscode.QuickPickItemKind.Separator }]),
    ...files.map(({ path: file }): Line => ({
      label: escapeIcons(plain(path.basename(file), 120)),
      detail: escapeIcons(plain(path.dirname(file), 300)),
    })),
  ];
  const picked = await pick<Line>({
    items,
    title: vscode.l10n.t('Continue in {0}', agentName(agent)),
    placeholder: vscode.l10n.t(
      'The list says what goes along. The old conversation stays as it is.',
    ),
    isChoice: ({ goes }) => goes === true,
  });
  return picked !== undefined && picked !== 'back';
}
