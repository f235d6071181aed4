import * as vscode from 'vscode';
import { z } from 'zod';
import type { ForgetCounts, Forgotten } from '../../core/forgetting.js';
import type { SessionSummary } from '../../core/model/session.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { plain } from '../views/plainText.js';
import { counted, joined } from '../views/words.js';
import type { Call } from './call.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import type { ForgetOptions } from '../ids.js';
import { withJob } from '../jobs.js';
import { pick } from './pick.js';
import { pickSession } from './pickSession.js';
import { pickThread } from './pickThread.js';
import { requireTrust, sessionById } from './target.js';

const dryRun = z.boolean().optional();
const optionsSchema: z.ZodType<ForgetOptions> = z.union([
  z.object({ sessionId: z.string(), dryRun }),
  z.object({ threadId: z.string(), dryRun }),
  z.object({ text: z.string(), dryRun }),
]);

/** Removes every byte of a session, a conversation or a text, after saying how much that is and asking. */
export const forget: Run<ForgetCounts> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  if (call.from === 'program') return forgetUnasked(context, call.options);
  const { what, name } = await askWhat(context, call);
  const engine = await context.sessions.engine();
  const preview = await withJob(engine, vscode.l10n.t('Looking for what would go'), (job) =>
    engine.previewForget(what, job),
  );
  if (preview.removed + preview.masked === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing of it is stored.'));
    return preview;
  }
  await confirm(what, name, preview);
  const counts = await withJob(engine, vscode.l10n.t('Forgetting'), (job) =>
    forgetNow(context, what, job),
  );
  void vscode.window.showInformationMessage(vscode.l10n.t('Forgotten. {0}', countWords(counts)));
  return counts;
};

async function forgetUnasked(
  context: CommandContext,
  options: ForgetOptions,
): Promise<ForgetCounts> {
  const what = whatIn(options);
  const engine = await context.sessions.engine();
  if ('session' in what) sessionById(await engine.listSessions(), what.session);
  return options.dryRun === true ? engine.previewForget(what) : forgetNow(context, what);
}

function whatIn(options: ForgetOptions): Forgotten {
  if ('text' in options) return { text: options.text };
  return 'threadId' in options ? { thread: options.threadId } : { session: options.sessionId };
}

async function forgetNow(
  { sessions }: CommandContext,
  what: Forgotten,
  job?: string,
): Promise<ForgetCounts> {
  return sessions.exclusive(async () => {
    const counts = await (await sessions.engine()).forget(what, job);
    if ('session' in what && what.session === sessions.activeSessionId) sessions.adopt(undefined);
    sessions.noteChange();
    return counts;
  });
}

interface Asked {
  readonly what: Forgotten;
  /** For the question. */
  readonly name: string;
}

async function askWhat(context: CommandContext, call: Call<ForgetOptions>): Promise<Asked> {
  const all = await (await context.sessions.engine()).listSessions();
  if (call.from === 'tree' && call.node.kind === 'session') {
    return sessionAsked(sessionById(all, call.node.sessionId));
  }
  if (call.from === 'tree' && call.node.kind === 'thread') return threadAsked(call.node.thread);
  const picked = await pick({
    items: [
      { label: vscode.l10n.t('A session'), kindOf: 'session' },
      { label: vscode.l10n.t('A conversation'), kindOf: 'thread' },
      {
        label: vscode.l10n.t('A text, wherever it is'),
        detail: vscode.l10n.t('Such as a password that got into a conversation'),
        kindOf: 'text',
      },
    ] as const,
    title: vscode.l10n.t('Forget everywhere'),
    placeholder: vscode.l10n.t('What should be removed from everything that is stored?'),
  });
  if (picked === undefined || picked === 'back') throw new vscode.CancellationError();
  switch (picked.kindOf) {
    case 'text':
      return askText();
    case 'thread':
      return askThread(context, call);
    case 'session':
      return askSession(context, all);
  }
}

async function askSession(
  { list }: CommandContext,
  all: readonly SessionSummary[],
): Promise<Asked> {
  const title = vscode.l10n.t('Forget a session everywhere');
  const chosen = await pickSession(list, all, { title });
  if (!chosen) throw new vscode.CancellationError();
  return sessionAsked(chosen);
}

async function askThread(context: CommandContext, call: Call<ForgetOptions>): Promise<Asked> {
  const title = vscode.l10n.t('Forget a conversation everywhere');
  const chosen = await pickThread(context, call, title);
  if (!chosen) throw new vscode.CancellationError();
  return threadAsked(chosen);
}

const sessionAsked = ({ id, title }: SessionSummary): Asked => ({
  what: { session: id },
  name: plain(title, 60) || vscode.l10n.t('Untitled session'),
});

const threadAsked = ({ id, title }: ThreadSummary): Asked => ({
  what: { thread: id },
  name: plain(title, 60) || vscode.l10n.t('Untitled conversation'),
});

async function askText(): Promise<Asked> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Forget a text everywhere'),
    prompt: vscode.l10n.t('The text, exactly as it is written. It is not kept'),
    password: true,
  });
  if (text === undefined || text === '') throw new vscode.CancellationError();
  return { what: { text }, name: vscode.l10n.t('this text') };
}

async function confirm(what: Forgotten, name: string, preview: ForgetCounts): Promise<void> {
  const forgetIt = vscode.l10n.t('Forget');
  const detail = [
    countWords(preview),
    preview.backups > 0
      ? vscode.l10n.t('Older backups are replaced by a new one without it.')
      : undefined,
    vscode.l10n.t('This cannot be undone. What agents keep in their own files stays there.'),
    'thread' in what
      ? vscode.l10n.t(
          'The conversation is not taken in again from there, until you say so with "Take in forgotten conversation again".',
        )
      : undefined,
  ].filter((line) => line !== undefined);
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Forget "{0}" everywhere?', name),
    { modal: true, detail: detail.join('\n\n') },
    forgetIt,
  );
  if (choice !== forgetIt) throw new vscode.CancellationError();
}

/** `12 records are removed · 3 records keep asterisks in its place`. */
function countWords({ removed, masked }: ForgetCounts): string {
  return joined(
    counted(
      removed,
      vscode.l10n.t('1 record is removed'),
      vscode.l10n.t('{0} records are removed', removed),
    ),
    counted(
      masked,
      vscode.l10n.t('1 record gets asterisks in its place'),
      vscode.l10n.t('{0} records get asterisks in its place', masked),
    ),
  );
}
