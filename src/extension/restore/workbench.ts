import * as vscode from 'vscode';
import type { Tab } from '../../core/model/editors.js';
import type { BreakpointState } from '../../core/model/workbench.js';
import type { RestoreStep } from '../../core/restore/types.js';
import { settle, standBefore } from './openTab.js';
import type { StepResult } from './stepResult.js';
import { done, failed } from './stepResult.js';
import { columnOf, findTab, untilTabs } from './tabModel.js';

/** A terminal has its tab once its shell has started, which takes long where many start, in milliseconds. */
const shellPatience = 30_000;

type TerminalStep = Extract<RestoreStep, { readonly kind: 'terminal' }>;

/** Starts a shell, without showing it if it is in the panel. Its old commands are not run. */
export async function startTerminal(step: TerminalStep): Promise<StepResult> {
  const { terminal, group, index = 0 } = step;
  const { name, cwd, shellPath, shellArgs } = terminal;
  const options: vscode.TerminalOptions = {
    name,
    ...(cwd === undefined ? {} : { cwd }),
    ...(shellPath === undefined ? {} : { shellPath }),
    ...(shellArgs === undefined ? {} : { shellArgs }),
  };
  if (group === undefined) {
    vscode.window.createTerminal(options);
    return done;
  }
  await standBefore(group, index);
  const location = { viewColumn: columnOf(group), preserveFocus: true };
  vscode.window.createTerminal({ ...options, location });
  const tab: Tab = { kind: 'terminal', label: name };
  const isThere = (): boolean => findTab(tab, group) !== undefined;
  if (!(await untilTabs(isThere, shellPatience))) return failed();
  await settle(tab, group, index);
  return done;
}

export function addBreakpoint(breakpoint: BreakpointState): StepResult {
  const { enabled, condition, hitCondition, logMessage } = breakpoint;
  const how = [enabled, condition, hitCondition, logMessage] as const;
  if (breakpoint.kind === 'function') {
    const { functionName } = breakpoint;
    vscode.debug.addBreakpoints([new vscode.FunctionBreakpoint(functionName, ...how)]);
    return done;
  }
  const position = new vscode.Position(breakpoint.line, breakpoint.column);
  const location = new vscode.Location(vscode.Uri.parse(breakpoint.place.uri), position);
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location, ...how)]);
  return done;
}
