import * as vscode from 'vscode';
import type { EngineSettings } from '../core/engine.js';
import type { RedactionSettings } from '../core/redact/settings.js';
import type { Settings } from './defaults.js';
import { defaultSettings } from './defaults.js';
import { Setting } from './ids.js';

export const readSetting = <K extends keyof Settings>(key: K): Settings[K] =>
  vscode.workspace.getConfiguration().get<Settings[K]>(key, defaultSettings[key]);

/** What the engine is opened with. Values outside of the manifest's limits are brought back into them. */
export function readEngineSettings(): EngineSettings {
  return {
    maxFileBytes: Math.max(0, readSetting(Setting.maxFileMegabytes)) * 1024 * 1024,
    maxFiles: Math.max(0, Math.round(readSetting(Setting.maxUntrackedFiles))),
    redact: readSetting(Setting.redactOnSave),
    redaction: readRedactionSettings(),
    agentHomes: plainCopy(readSetting(Setting.agentHomes)),
    pollMs: Math.max(0, readSetting(Setting.pollSeconds)) * 1000,
    backups: readSetting(Setting.backups),
    quotaBytes: quotaBytes(),
  };
}

/** The engine checks the rules and says which cannot be used. */
export const readRedactionSettings = (): RedactionSettings => ({
  rules: readSetting(Setting.redactionRules).map((rule) => ({ ...rule })),
  allow: readSetting(Setting.redactionAllow).filter((value) => typeof value === 'string'),
});

/** VS Code gives objects behind a proxy, which cannot be sent to a worker. */
const plainCopy = (homes: EngineSettings['agentHomes']): EngineSettings['agentHomes'] =>
  Object.fromEntries(Object.entries(homes).map(([agent, folders]) => [agent, [...folders]]));

/** Undefined: any size. */
function quotaBytes(): number | undefined {
  const megabytes = readSetting(Setting.quotaMegabytes);
  return megabytes > 0 ? megabytes * 1024 * 1024 : undefined;
}
