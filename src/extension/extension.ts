import * as vscode from 'vscode';
import { createErrorReporter } from './errors.js';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Keepthread', { log: true });
  context.subscriptions.push(log);
  createErrorReporter(log);
}
