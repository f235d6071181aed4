import type { RuleSetting } from '../core/redact/settings.js';
import { Setting } from './ids.js';

export type CheckpointStrategy = 'adaptive' | 'interval' | 'event' | 'manual';
export type RestoreOnOpen = 'ask' | 'always' | 'never';

/** The settings' types and defaults; the manifest states the same ones, and a test compares them. */
export const defaultSettings = {
  [Setting.strategy]: 'adaptive' as CheckpointStrategy,
  [Setting.intervalSeconds]: 300,
  [Setting.restoreOnOpen]: 'ask' as RestoreOnOpen,
  [Setting.maxFileMegabytes]: 10,
  [Setting.maxUntrackedFiles]: 1000,
  [Setting.agentHomes]: {} as Readonly<Record<string, readonly string[]>>,
  [Setting.pollSeconds]: 5,
  [Setting.redactOnSave]: true,
  [Setting.retentionDays]: 0,
  [Setting.quotaMegabytes]: 0,
  [Setting.backups]: true,
  [Setting.redactionRules]: [] as readonly RuleSetting[],
  [Setting.redactionAllow]: [] as readonly string[],
  [Setting.quoteThinking]: false,
};
export type Settings = typeof defaultSettings;
