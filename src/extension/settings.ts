import * as vscode from 'vscode';
import type { EngineSettings } from '../core/engine.js';
import { Setting } from './ids.js';

export type CheckpointStrategy = 'adaptive' | 'interval' | 'event' | 'manual';
export type RestoreOnOpen = 'ask' | 'always' | 'never';

/** The settings' types and defaults; the manifest states the same defaults, and a test compares them. */
export const defaultSettings = {
  [Setting.strategy]: 'adaptive' as CheckpointStrategy,
  [Setting.intervalSeconds]: 300,
  [Setting.restoreOnOpen]: 'ask' as RestoreOnOpen,
  [Setting.maxFileMegabytes]: 10,
  [Setting.maxUntrackedFiles]: 1000,
  [Setting.agentHomes]: {} as Readonly<Record<string, readonly string[]>>,
  [Setting.pollSeconds]: 5,
  [Setting.redactOnSave]: true,
};
export type Settings = typeof defaultSettings;

export const readSetting = <K extends keyof Settings>(key: K): Settings[K] =>
  vscode.workspace.getConfiguration().get<Settings[K]>(key, defaultSettings[key]);

/** What the engine is opened with. Values outside of the manifest's limits are brought back into them. */
export function readEngineSettings(): EngineSettings {
  return {
    maxFileBytes: Math.max(0, readSetting(Setting.maxFileMegabytes)) * 1024 * 1024,
    maxFiles: Math.max(0, Math.round(readSetting(Setting.maxUntrackedFiles))),
    redact: readSetting(Setting.redactOnSave),
    agentHomes: readSetting(Setting.agentHomes),
    pollMs: Math.max(0, readSetting(Setting.pollSeconds)) * 1000,
  };
}
