import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Engine } from '../core/engine.js';

const LOOK_MS = 200;

/** Runs long work of the engine with a progress message that can be cancelled. Rejects as the work does. */
export const withJob = <T>(
  engine: Engine,
  title: string,
  work: (job: string) => Promise<T>,
): Promise<T> =>
  Promise.resolve(
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const job = randomUUID();
        let shown = 0;
        const look = async (): Promise<void> => {
          const now = await engine.progressOf(job);
          if (now === undefined || now.total === 0) return;
          const share = Math.floor((100 * now.done) / now.total);
          progress.report({ increment: share - shown });
          shown = share;
        };
        const timer = setInterval(() => void look(), LOOK_MS);
        const listener = token.onCancellationRequested(() => void engine.cancel(job));
        try {
          return await work(job);
        } catch (error) {
          if (token.isCancellationRequested) throw new vscode.CancellationError();
          throw error;
        } finally {
          clearInterval(timer);
          listener.dispose();
        }
      },
    ),
  );
