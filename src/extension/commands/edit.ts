import * as vscode from 'vscode';
import { z } from 'zod';
import type { SessionPatch, SessionSummary } from '../../core/model/session.js';
import type { SessionTarget } from '../ids.js';
import { readCall, sessionTargetSchema } from './call.js';
import type { CommandContext, Run } from './context.js';
import { targetSession } from './target.js';

export const rename: Run<SessionSummary> = edit(
  sessionTargetSchema.extend({ title: z.string().min(1) }),
  ({ title }) => ({ title }),
  async (session) => ({
    title: await ask({
      title: vscode.l10n.t('Rename session'),
      prompt: vscode.l10n.t('Title of the session'),
      value: session.title,
      validateInput: (value) =>
        value.trim() === '' ? vscode.l10n.t('A session needs a title') : undefined,
    }),
  }),
);

export const setGoal: Run<SessionSummary> = edit(
  sessionTargetSchema.extend({ goal: z.string() }),
  ({ goal }) => ({ goal }),
  async (session) => ({
    goal: await ask({
      title: vscode.l10n.t('Set goal'),
      prompt: vscode.l10n.t('What should be true when it is finished?'),
      value: session.goal,
    }),
  }),
);

export const tag: Run<SessionSummary> = edit(
  sessionTargetSchema.extend({ tags: z.array(z.string()).readonly() }),
  ({ tags }) => ({ tags: [...tags] }),
  async (session) => ({
    tags: readTags(
      await ask({
        title: vscode.l10n.t('Set tags'),
        prompt: vscode.l10n.t('Tags, with commas between them'),
        value: session.tags.join(', '),
      }),
    ),
  }),
);

export const finish: Run<SessionSummary> = (context, args) =>
  setStatus(context, args, 'finished', ({ status }) => status !== 'finished');

/** A reopened session is paused until it is loaded. */
export const reopen: Run<SessionSummary> = (context, args) =>
  setStatus(context, args, 'paused', ({ status }) => status === 'finished');

/** An edit whose new value comes with the call or is asked for. */
function edit<Options extends SessionTarget>(
  schema: z.ZodType<Options>,
  fromOptions: (options: Options) => SessionPatch,
  fromPerson: (session: SessionSummary) => Promise<SessionPatch>,
): Run<SessionSummary> {
  return async (context, args) => {
    const call = readCall(args, schema);
    const session = await targetSession(context, call);
    const set = call.from === 'program' ? fromOptions(call.options) : await fromPerson(session);
    return context.sessions.update(session.id, set);
  };
}

async function setStatus(
  context: CommandContext,
  args: readonly unknown[],
  status: 'finished' | 'paused',
  fits: (session: SessionSummary) => boolean,
): Promise<SessionSummary> {
  const session = await targetSession(context, readCall(args, sessionTargetSchema), fits);
  return context.sessions.update(session.id, { status });
}

async function ask(options: vscode.InputBoxOptions): Promise<string> {
  const value = await vscode.window.showInputBox(options);
  if (value === undefined) throw new vscode.CancellationError();
  return value.trim();
}

const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，]/u)
      .map((part) => part.trim().replace(/^#/u, ''))
      .filter((part) => part !== ''),
  ),
];
