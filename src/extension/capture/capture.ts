import * as vscode from 'vscode';
import type { Capture } from '../../core/engine.js';
import type { Editors } from '../../core/model/editors.js';
import type { Workbench } from '../../core/model/snapshot.js';
import { createSaveRedactor } from '../../library/redaction/redactors.js';
import { readRedactionSettings } from '../settings.js';
import { captureBreakpoints } from './breakpoints.js';
import { captureDrafts } from './drafts.js';
import { captureEnvironment } from './environment.js';
import type { LayoutMemory } from './layout.js';
import { captureLayout } from './layout.js';
import { describeTab, groupsInOrder } from './tabs.js';
import type { TerminalTracker } from './terminals.js';
import type { ViewTracker } from './viewTracker.js';

/** What only listening tells; made at activation, read at every snapshot. */
export interface Trackers {
  readonly views: ViewTracker;
  readonly terminals: TerminalTracker;
  readonly layout: LayoutMemory;
}

/**
 * The window as it is now, for a snapshot.
 *
 * @param version of this extension
 */
export async function captureWindow(trackers: Trackers, version: string): Promise<Capture> {
  return {
    editors: await captureEditors(trackers),
    drafts: captureDrafts(),
    workbench: captureWorkbench(trackers.terminals),
    environment: captureEnvironment(version),
  };
}

async function captureEditors({
  views,
  layout: memory,
}: Trackers): Promise<Omit<Editors, 'drafts'>> {
  const layout = await captureLayout(memory);
  // From here on nothing is awaited: groups, tabs and views are of one moment.
  const order = groupsInOrder();
  const groups = order.map((group) => ({ tabs: group.tabs.map(describeTab) }));
  const activeGroup = Math.max(
    order.findIndex((group) => group.isActive),
    0,
  );
  return { layout, groups, activeGroup, views: views.capture(groups) };
}

function captureWorkbench(terminals: TerminalTracker): Workbench {
  // People type tokens into shells.
  const { redactor } = createSaveRedactor(readRedactionSettings());
  return {
    terminals: terminals.capture().map((terminal) => ({
      ...terminal,
      commands: terminal.commands.map((command) => ({
        ...command,
        line: redactor.text(command.line).text,
      })),
    })),
    breakpoints: captureBreakpoints(),
    running: {
      tasks: vscode.tasks.taskExecutions.map(({ task }) => task.name),
      debug: vscode.debug.activeDebugSession?.configuration.name,
    },
  };
}
