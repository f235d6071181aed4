import { askClaude, installClaude, whyNoClaude } from './claudeProgram.js';
import { ask, configure, install, type NpmProgram } from './npmProgram.js';
import * as openCode from './openCodeProgram.js';
import { codexProgram, geminiProgram, piProgram, qwenProgram } from './programs.js';

/** Where a program runs: a home and a folder of its own, and the model's address. */
export interface Surroundings {
  readonly home: string;
  readonly cwd: string;
  readonly endpoint: string;
}

/** A real agent, driven one prompt at a time. */
export interface RealProgram {
  readonly agent: string;
  /** Why it cannot be had here; undefined when it can. */
  readonly whyNot?: string | undefined;
  /** Brings the program, once, and its settings into a home. */
  prepare(where: Surroundings): Promise<void>;
  /** One prompt from start to end; `resume` is an argv of ours without its first word. */
  ask(where: Surroundings, prompt: string, resume?: readonly string[]): Promise<void>;
}

const fromNpm = (agent: string, program: NpmProgram): RealProgram => ({
  agent,
  prepare: async (where) => {
    await install(program);
    await configure({ program, ...where });
  },
  ask: (where, prompt, resume) => ask({ program, ...where }, prompt, resume ?? 'new'),
});

const claude: RealProgram = {
  agent: 'claude-code',
  whyNot: whyNoClaude(),
  prepare: async () => {
    await installClaude();
  },
  ask: async (where, prompt, resume) =>
    askClaude({ program: await installClaude(), ...where }, prompt, resume ?? []),
};

const fromOpenCode = (agent: string, program: openCode.Program): RealProgram => {
  const runIn = async (where: Surroundings) => ({
    word: program.word,
    program: await openCode.install(program),
    ...where,
  });
  return {
    agent,
    whyNot: openCode.whyNot(),
    prepare: async (where) => openCode.configure(await runIn(where)),
    ask: async (where, prompt, resume) => openCode.ask(await runIn(where), prompt, resume ?? []),
  };
};

/** The programs that run without network or login, by agent. */
export const realPrograms: readonly RealProgram[] = [
  claude,
  fromNpm('codex', codexProgram),
  fromNpm('gemini-cli', geminiProgram),
  fromNpm('qwen-code', qwenProgram),
  fromNpm('pi', piProgram),
  fromOpenCode('opencode', openCode.openCodeProgram),
  fromOpenCode('kilo-code', openCode.kiloProgram),
];
