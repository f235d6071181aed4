import * as vscode from 'vscode';
import type { ThreadDocument } from '../../core/engine.js';
import type { DocumentCall, DocumentTurn } from '../../core/thread/document.js';
import { plain } from '../views/plainText.js';

/** Prompts as an outline, and below each the tools that were called for it and what happened. */
export function outlineOf({ turns }: ThreadDocument): vscode.DocumentSymbol[] {
  const roots: vscode.DocumentSymbol[] = [];
  let prompt: vscode.DocumentSymbol | undefined;
  for (const [index, turn] of turns.entries()) {
    const nextPrompt = turns.slice(index + 1).find(({ role }) => role === 'user');
    if (turn.role === 'user') {
      const end = nextPrompt === undefined ? (turns.at(-1)?.end ?? turn.end) : nextPrompt.start - 1;
      prompt = symbol(turn, vscode.SymbolKind.Event, end);
      roots.push(prompt);
    } else if (prompt === undefined) {
      const root = symbol(turn, vscode.SymbolKind.Object, turn.end);
      root.children = turn.calls.map(callSymbol);
      roots.push(root);
    } else if (turn.role === 'system') {
      prompt.children.push(symbol(turn, vscode.SymbolKind.Null, turn.end));
    } else prompt.children.push(...turn.calls.map(callSymbol));
  }
  return roots;
}

function symbol(turn: DocumentTurn, kind: vscode.SymbolKind, end: number): vscode.DocumentSymbol {
  const name = plain(turn.name, 80) || vscode.l10n.t('Turn');
  return new vscode.DocumentSymbol(
    name,
    plain(turn.detail, 80),
    kind,
    new vscode.Range(turn.start, 0, end + 1, 0),
    new vscode.Range(turn.start, 0, turn.start, 0),
  );
}

const callSymbol = ({ name, detail, start, end }: DocumentCall): vscode.DocumentSymbol =>
  new vscode.DocumentSymbol(
    plain(name, 60) || vscode.l10n.t('Tool'),
    plain(detail, 80),
    vscode.SymbolKind.Function,
    new vscode.Range(start, 0, end + 1, 0),
    new vscode.Range(start, 0, start, 0),
  );
