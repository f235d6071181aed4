import { aiderTarget } from './aider/write.js';
import { claudeTarget } from './claude-code/write.js';
import { clineTarget } from './cline/write.js';
import { codexTarget } from './codex/write.js';
import { continueTarget } from './continue/write.js';
import { copilotTarget } from './copilot-cli/write.js';
import { geminiTarget } from './gemini-cli/write.js';
import { kiloTarget } from './kilo-code/write.js';
import { openCodeTarget } from './opencode/write.js';
import { piTarget } from './pi/write.js';
import { qwenTarget } from './qwen-code/write.js';
import type { Target } from './target.js';
import { ExpectedError } from '../core/errors.js';

/** Every agent in which a conversation can go on. A new one is a file in its folder and a line below. */
export const targets: readonly Target[] = [
  claudeTarget,
  codexTarget,
  geminiTarget,
  qwenTarget,
  piTarget,
  openCodeTarget,
  kiloTarget,
  continueTarget,
  clineTarget,
  copilotTarget,
  aiderTarget,
];

/** @throws ExpectedError `noTarget` */
export function targetOf(agent: string): Target {
  const target = targets.find((one) => one.agent === agent);
  if (target !== undefined) return target;
  throw new ExpectedError('noTarget', 'A conversation cannot be continued in {0}.', [agent], {
    next: `Use one of: ${targets.map((one) => one.agent).join(', ')}.`,
  });
}
