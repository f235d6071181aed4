import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { SessionSummary } from '../../core/model/session.js';
import type { SessionTarget } from '../ids.js';
import type { Call } from './call.js';
import type { CommandContext } from './context.js';
import { pickSession } from './pickSession.js';

/**
 * The session that a call means: the one it names, else the active one, else the one that the person
 * picks from those that `fits` lets through.
 *
 * @throws ExpectedError `sessionMissing`; CancellationError when nothing was picked
 */
export async function targetSession(
  context: CommandContext,
  call: Call<SessionTarget>,
  fits: (session: SessionSummary) => boolean = () => true,
): Promise<SessionSummary> {
  const engine = await context.sessions.engine();
  const all = await engine.listSessions();
  const named = namedSession(call);
  if (named !== undefined) return sessionById(all, named);
  const active = all.find(({ id }) => id === context.sessions.activeSessionId);
  if (active && fits(active)) return active;
  const picked = await pickSession(context.list, all.filter(fits));
  if (!picked) throw new vscode.CancellationError();
  return picked;
}

function namedSession(call: Call<SessionTarget>): string | undefined {
  switch (call.from) {
    case 'program':
      return call.options.sessionId;
    case 'tree':
      return 'sessionId' in call.node ? call.node.sessionId : undefined;
    case 'palette':
      return undefined;
  }
}

/** @throws ExpectedError `sessionMissing` */
export function sessionById(all: readonly SessionSummary[], id: string): SessionSummary {
  const session = all.find((candidate) => candidate.id === id);
  if (session) return session;
  throw new ExpectedError('sessionMissing', 'There is no session {0} in this project.', [id]);
}

/** @throws ExpectedError `untrusted` */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new ExpectedError('untrusted', 'This window is in restricted mode.', [], {
    next: 'Trust the folder to save and restore.',
  });
}
