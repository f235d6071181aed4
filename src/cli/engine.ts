import type { Engine, EngineSettings, Problem } from '../core/engine.js';
import { createEngine } from '../library/engine.js';
import { wasmPath } from '../agents/sqlite/wasm.js';

/** The defaults of the extension's settings; nothing is watched. */
export const engineSettings: EngineSettings = {
  maxFileBytes: 10 * 1024 * 1024,
  maxFiles: 1000,
  redact: true,
  agentHomes: {},
  pollMs: 0,
};

/** An engine in this process, without a window that it would tell news. */
export const ownEngine = (onProblem: (problem: Problem) => void): Engine =>
  createEngine({
    wasm: wasmPath(),
    events: {
      changed: () => undefined,
      turnEnded: () => undefined,
      activity: () => undefined,
      problem: onProblem,
    },
  });
