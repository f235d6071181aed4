import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import type { Engine } from '../../core/engine.js';
import {
  exportFormats,
  type ExportChoice,
  type ExportFormat,
  type ExportRequest,
  type ExportResult,
} from '../../core/handoff.js';
import { fileSize } from '../../core/thread/text.js';
import { readCall, sessionTargetSchema } from '../commands/call.js';
import type { CommandContext, Run } from '../commands/context.js';
import { sessionById, targetSession } from '../commands/target.js';
import type { ExportOptions } from '../ids.js';
import { reviewFindings } from '../review/reviewFindings.js';
import { plain } from '../views/plainText.js';
import { withJob } from '../jobs.js';
import { pickParts, pickProtection, pickRange } from './pickExport.js';
import { signingKey } from './signingKey.js';

/** Characters of a tool's output that go out when they are not to go whole. */
const BOUNDED = 4000;

const optionsSchema: z.ZodType<ExportOptions> = sessionTargetSchema.extend({
  output: z.string(),
  format: z.enum(exportFormats).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  threads: z.array(z.string()).optional(),
  files: z.boolean().optional(),
  images: z.boolean().optional(),
  filesWithSecrets: z.boolean().optional(),
  keep: z.array(z.string()).optional(),
  author: z.string().optional(),
  passphrase: z.string().optional(),
  recipients: z.array(z.string()).optional(),
  sign: z.boolean().optional(),
});

/** Writes a session to one file for a colleague. A person chooses what goes, and sees what is hidden first. */
export const exportSession: Run<ExportResult | undefined> = async (context, args) => {
  const call = readCall(args, optionsSchema);
  const engine = await context.sessions.engine();
  if (call.from === 'program') return exportAsTold(context, engine, call.options);
  const session =
    call.from === 'tree' && call.node.kind === 'snapshot'
      ? sessionById(await engine.listSessions(), call.node.sessionId)
      : await targetSession(context, call);
  const range =
    call.from === 'tree' && call.node.kind === 'snapshot'
      ? await pickRange(call.node.snapshotId)
      : {};
  if (range === undefined) return undefined;
  const parts = await pickParts(await engine.listThreads(session.id));
  if (parts === undefined) return undefined;
  const wanted: ExportChoice = {
    ...range,
    ...{ threads: parts.threads, files: parts.files, images: parts.images },
    toolOutput: parts.wholeOutputs ? undefined : BOUNDED,
    filesWithSecrets: false,
  };
  const { id: sessionId } = session;
  const review = await withJob(engine, vscode.l10n.t('Looking for secrets'), (job) =>
    engine.reviewExport({ sessionId, choice: wanted, job }),
  );
  const decisions = await reviewFindings(review.findings, review.more);
  if (decisions === undefined) return undefined;
  const size = vscode.l10n.t('about {0} before compression', fileSize(review.bytes));
  const protection = await pickProtection(size);
  if (protection === undefined) return undefined;
  const target = await askFile(session.title, protection.format);
  if (target === undefined) return undefined;
  const result = await write(context, engine, {
    ...{ sessionId, output: target.fsPath, format: protection.format, lock: protection.lock },
    choice: { ...wanted, keep: decisions.keep },
    author: os.userInfo().username,
    sign: protection.sign,
  });
  void context.errors.run(() => sayExported(result));
  return result;
};

async function exportAsTold(
  context: CommandContext,
  engine: Engine,
  options: ExportOptions,
): Promise<ExportResult> {
  const { sessionId, output, format = 'keepthread', author, passphrase, recipients } = options;
  const { from, to, threads, files = true, images = false, filesWithSecrets = false } = options;
  const lock =
    recipients === undefined
      ? passphrase === undefined
        ? undefined
        : { passphrase }
      : { recipients };
  const choice = { from, to, threads, files, images, filesWithSecrets, keep: options.keep };
  return write(context, engine, {
    ...{ sessionId, output, format, choice, author, lock },
    sign: options.sign ?? false,
  });
}

async function write(
  { secrets }: CommandContext,
  engine: Engine,
  { sign, ...request }: ExportRequest & { readonly sign: boolean },
): Promise<ExportResult> {
  const key = sign ? await signingKey(secrets) : undefined;
  return withJob(engine, vscode.l10n.t('Exporting the session'), (job) =>
    engine.exportSession({ ...request, signingKey: key, job }),
  );
}

const endings: Readonly<Record<ExportFormat, string>> = {
  keepthread: 'keepthread',
  markdown: 'md',
  html: 'html',
  json: 'json',
  atif: 'atif.json',
  otel: 'otel.json',
};

/** Asks where to; VS Code asks before a file is replaced. */
async function askFile(title: string, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const name =
    plain(title, 60)
      .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim() || 'session';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
  return vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(path.join(folder, `${name}.${endings[format]}`)),
    title: vscode.l10n.t('Export session'),
    saveLabel: vscode.l10n.t('Export'),
  });
}

async function sayExported({ file, bytes, redaction }: ExportResult): Promise<void> {
  const masked = redaction.masked.reduce((sum, { count }) => sum + count, 0);
  const reveal = vscode.l10n.t('Show file');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Exported {0}. Hidden: {1}. Look at it before you send it: finding secrets is best effort.',
      fileSize(bytes),
      masked,
    ),
    reveal,
  );
  if (choice === reveal) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  }
}
