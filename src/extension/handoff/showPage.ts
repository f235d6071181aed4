import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { isExpected, messageOf } from '../../core/errors.js';
import type { Inspection } from '../../core/handoff.js';
import { agentName } from '../../core/thread/names.js';
import { wordsOf } from '../errors.js';
import { Command } from '../ids.js';
import type { Sessions } from '../sessions.js';
import { momentWords } from '../views/words.js';
import { importPage, refusalPage } from './page.js';
import { unlocks } from './unlocks.js';

/**
 * Shows what is in a session file. Nothing of it is taken until the person says so. The page has no scripts; all that
 * it can do is to call the commands that are named here.
 */
export async function showPage(
  sessions: Sessions,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  panel.webview.options = {
    enableScripts: false,
    enableForms: false,
    localResourceRoots: [],
    enableCommandUris: [Command.importSession, Command.unlockSessionFile, Command.goOnHere],
  };
  const show = async (): Promise<void> => {
    // A passphrase is made slow to try, so an encrypted file takes some seconds.
    panel.webview.html = waitingPage(nameOf(uri));
    panel.webview.html = await pageOf(sessions, uri);
  };
  const listener = unlocks.onDidChange((file) => {
    if (file === uri.fsPath) void show();
  });
  panel.onDidDispose(() => {
    listener.dispose();
  });
  await show();
}

const nameOf = (uri: vscode.Uri): string => path.basename(uri.fsPath);

const waitingPage = (name: string): string =>
  refusalPage(name, vscode.l10n.t('Opening the file…'), undefined, { nonce: newNonce() });

const newNonce = (): string => randomBytes(16).toString('base64');

async function pageOf(sessions: Sessions, uri: vscode.Uri): Promise<string> {
  const nonce = newNonce();
  const { l10n } = vscode;
  try {
    const engine = await sessions.engine();
    const file = uri.fsPath;
    const inspection = await engine.inspectHandoff({
      file,
      unlock: unlocks.of(file),
      findings: true,
    });
    return importPage(inspection, {
      l10n,
      nonce,
      agentName,
      moment: (at) => momentWords(at, Date.now()),
      ...links(inspection),
    });
  } catch (error) {
    const isLocked = isExpected(error, 'handoffLocked');
    const href = commandLink(Command.unlockSessionFile, { file: uri.fsPath });
    const link = isLocked ? { href, label: l10n.t('Unlock') } : undefined;
    const words = isExpected(error) ? wordsOf(error) : messageOf(error);
    return refusalPage(nameOf(uri), words, link, { nonce });
  }
}

/** In restricted mode a file can be looked at, not taken. */
function links({ file, root, here }: Inspection) {
  if (!vscode.workspace.isTrusted) return {};
  const isTaken = ['imported', 'newer', 'older'].includes(here.state);
  const goOnLink = isTaken
    ? commandLink(Command.goOnHere, { sessionId: here.sessionId })
    : undefined;
  const link = (choose: boolean): string =>
    commandLink(Command.importSession, { file, expect: root, choose });
  return { importLink: link(false), takeTheirsLink: link(true), goOnLink };
}

const commandLink = (command: Command, argument: object): string =>
  `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
