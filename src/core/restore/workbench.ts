import type { Place } from '../model/editors.js';
import type { Workbench } from '../model/snapshot.js';
import type { BreakpointState, TerminalState } from '../model/workbench.js';
import type { Now } from './now.js';
import { placeKey, placeLabel } from './places.js';
import type { RestoreNote, RestoreStep } from './types.js';

export interface PartPlan {
  readonly steps: readonly RestoreStep[];
  readonly notes: readonly RestoreNote[];
}

type Fits = (saved: TerminalState, now: Now['terminals'][number]) => boolean;

/**
 * Pairs saved terminals with those of this window, by name and folder. VS Code revives its persistent
 * terminals by itself, and a shell tells its folder some seconds after it started: a name without a
 * folder pairs too, after those with the same folder
 * (https://github.com/fabiospampinato/vscode-terminals/issues/53).
 *
 * @param byFolder pairs what is left by the folder alone
 * @returns the saved terminals that have no counterpart
 */
export function missingTerminals(
  saved: readonly TerminalState[],
  now: Now['terminals'],
  byFolder = false,
): readonly TerminalState[] {
  const free = [...now];
  const pair = (terminals: readonly TerminalState[], fits: Fits): TerminalState[] =>
    terminals.filter((terminal) => {
      const at = free.findIndex((open) => fits(terminal, open));
      if (at >= 0) free.splice(at, 1);
      return at < 0;
    });
  const sameName: Fits = (terminal, open) => terminal.name === open.name;
  const sameFolder: Fits = (terminal, open) => terminal.cwd === open.cwd;
  const unknown: Fits = (terminal, open) => terminal.cwd === undefined || open.cwd === undefined;
  const left = pair(saved, (...both) => sameName(...both) && sameFolder(...both));
  const rest = pair(left, (...both) => sameName(...both) && unknown(...both));
  return byFolder ? pair(rest, sameFolder) : rest;
}

/** The terminals of the panel, and a note for each that is open or cannot start. */
export function planTerminals(request: {
  readonly saved: readonly TerminalState[];
  /** Those of `saved` without a counterpart in this window. */
  readonly missing: readonly TerminalState[];
  /** Those of `missing` that another step starts in the editor area. */
  readonly started: ReadonlySet<TerminalState>;
  readonly now: Now;
}): PartPlan {
  const { saved, missing, started, now } = request;
  const steps: RestoreStep[] = [];
  const notes: RestoreNote[] = [];
  for (const terminal of saved) {
    if (started.has(terminal)) continue;
    const note = (outcome: RestoreNote['outcome'], reason: RestoreNote['reason']) =>
      notes.push({ kind: 'terminal', label: terminal.name, outcome, reason });
    if (!missing.includes(terminal)) note('alreadyThere', 'revivedByEditor');
    else if (!isPlainShell(terminal)) note('skipped', 'notStarted');
    else if (!hasFolder(terminal, now)) note('skipped', 'missing');
    else steps.push({ kind: 'terminal', terminal });
  }
  return { steps, notes };
}

/** VS Code shows an error instead of a shell when the folder is gone. */
export const hasFolder = (terminal: TerminalState, now: Now): boolean =>
  terminal.cwd === undefined || now.folderExists(terminal.cwd);

/**
 * Whether a terminal is a shell that waits for a person. A restore starts nothing else: no agent, no
 * server, no command that was handed to a shell, least of all from a snapshot of somebody else's.
 */
export function isPlainShell({ shellPath, shellArgs, namedOnly }: TerminalState): boolean {
  if (namedOnly === true) return false;
  const program = shellPath
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/i, '')
    .toLowerCase();
  if (program !== undefined && !shells.has(program)) return false;
  const args = typeof shellArgs === 'string' ? shellArgs.split(/\s+/) : (shellArgs ?? []);
  return args.every((arg) => harmlessArgs.has(arg.toLowerCase()));
}

const shells = new Set(
  'bash zsh fish sh dash ksh tcsh csh nu elvish xonsh pwsh powershell cmd wsl git-cmd'.split(' '),
);
const harmlessArgs = new Set([
  '',
  '-l',
  '-i',
  '-li',
  '-il',
  '--login',
  '--interactive',
  '-nologo',
  '-noprofile',
]);

/** Adds what is not set; breakpoints set since are left alone. */
export function planBreakpoints(
  saved: readonly BreakpointState[],
  now: Now,
  resolve: (place: Place) => Place,
): PartPlan {
  const present = new Set(now.breakpoints.map(breakpointKey));
  const steps: RestoreStep[] = [];
  const notes: RestoreNote[] = [];
  for (const one of saved) {
    const breakpoint = one.kind === 'source' ? { ...one, place: resolve(one.place) } : one;
    const label = breakpointLabel(breakpoint);
    if (present.has(breakpointKey(breakpoint))) {
      notes.push({ kind: 'breakpoint', label, outcome: 'alreadyThere', reason: 'alreadyThere' });
    } else if (breakpoint.kind === 'source' && !now.exists(breakpoint.place.uri)) {
      notes.push({ kind: 'breakpoint', label, outcome: 'skipped', reason: 'missing' });
    } else {
      steps.push({ kind: 'breakpoint', breakpoint });
    }
  }
  return { steps, notes };
}

/** As a person would name it: `server.ts:12`. */
export const breakpointLabel = (breakpoint: BreakpointState): string =>
  breakpoint.kind === 'function'
    ? breakpoint.functionName
    : `${placeLabel(breakpoint.place)}:${breakpoint.line + 1}`;

/** Tasks and debug sessions are named; starting them is the person's business. */
export function runningNotes({ running }: Workbench): readonly RestoreNote[] {
  const note = (kind: 'task' | 'debug', label: string): RestoreNote => ({
    kind,
    label,
    outcome: 'skipped',
    reason: 'notStarted',
  });
  return [
    ...running.tasks.map((name) => note('task', name)),
    ...(running.debug === undefined ? [] : [note('debug', running.debug)]),
  ];
}

const breakpointKey = (breakpoint: BreakpointState): string =>
  breakpoint.kind === 'function'
    ? `function ${breakpoint.functionName}`
    : `${placeKey(breakpoint.place)} ${breakpoint.line} ${breakpoint.column}`;
