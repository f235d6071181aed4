import type { ProgramCase } from './programCase.js';
import { claudeCode } from './programs/claudeCode.js';
import { cline } from './programs/cline.js';
import { codex } from './programs/codex.js';
import { continueCli } from './programs/continueCli.js';
import { copilotCli } from './programs/copilotCli.js';
import { geminiCli } from './programs/geminiCli.js';
import { kiloCode, openCode } from './programs/openCode.js';
import { pi } from './programs/pi.js';
import { qwenCode } from './programs/qwenCode.js';

/** The programs that run without network or login. */
export const allPrograms: readonly ProgramCase[] = [
  claudeCode,
  cline,
  codex,
  continueCli,
  copilotCli,
  geminiCli,
  kiloCode,
  openCode,
  pi,
  qwenCode,
];

export const programOf = (agent: string): ProgramCase | undefined =>
  allPrograms.find(({ create }) => create().agent === agent);
