import { aider } from './aider/source.js';
import { amp } from './amp/source.js';
import { antigravity } from './antigravity/source.js';
import { claudeCode } from './claude-code/source.js';
import { cline } from './cline/source.js';
import { codex } from './codex/source.js';
import { continueDev } from './continue/source.js';
import { copilotCli } from './copilot-cli/source.js';
import { crush } from './crush/source.js';
import { cursor } from './cursor/source.js';
import { factoryDroid } from './factory-droid/source.js';
import { geminiCli } from './gemini-cli/source.js';
import { goose } from './goose/source.js';
import { grok } from './grok/source.js';
import { kiloCode } from './kilo-code/source.js';
import { kimi } from './kimi/source.js';
import { kiro } from './kiro/source.js';
import { openCode } from './opencode/source.js';
import { pi } from './pi/source.js';
import { qwenCode } from './qwen-code/source.js';
import { rooCode } from './roo-code/source.js';
import type { Source } from './source.js';
import { vscodeChat } from './vscode-chat/source.js';
import { windsurf } from './windsurf/source.js';
import { zed } from './zed/source.js';

/** Every agent whose threads are read. A new one is a folder here and a line below. */
export const sources: readonly Source[] = [
  aider,
  amp,
  antigravity,
  claudeCode,
  cline,
  codex,
  continueDev,
  copilotCli,
  crush,
  cursor,
  factoryDroid,
  geminiCli,
  goose,
  grok,
  kiloCode,
  kimi,
  kiro,
  openCode,
  pi,
  qwenCode,
  rooCode,
  vscodeChat,
  windsurf,
  zed,
];

export const sourceOf = (agent: string): Source | undefined =>
  sources.find((source) => source.agent === agent);
