import * as vscode from 'vscode';
import type { BreakpointState } from '../../core/model/workbench.js';
import { placeOf } from './places.js';

/** Source and function breakpoints; VS Code has no way to set the others from outside. */
export const captureBreakpoints = (): BreakpointState[] =>
  vscode.debug.breakpoints.flatMap((breakpoint) => describe(breakpoint) ?? []);

function describe(breakpoint: vscode.Breakpoint): BreakpointState | undefined {
  const { enabled, condition, hitCondition, logMessage } = breakpoint;
  const fields = { enabled, condition, hitCondition, logMessage };
  if (breakpoint instanceof vscode.SourceBreakpoint) {
    const { uri, range } = breakpoint.location;
    const { line, character } = range.start;
    return { kind: 'source', place: placeOf(uri), line, column: character, ...fields };
  }
  if (breakpoint instanceof vscode.FunctionBreakpoint) {
    return { kind: 'function', functionName: breakpoint.functionName, ...fields };
  }
  return undefined;
}
