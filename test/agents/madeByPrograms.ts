import type { Thread } from '../../src/core/model/thread.js';
import type { Cursor } from '../../src/core/model/records.js';
import { install, whyNot } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import { closeLab, openLab } from './programLab.js';
import { doWork } from './scriptedWork.js';

/** A conversation that a real program had, as its own source read it. */
export interface Made {
  readonly thread: Thread;
  readonly records: readonly Uint8Array[];
}

const made = new Map<ProgramCase, Promise<Made>>();

/** The program's piece of work, done once; undefined where the program cannot be had. */
export function madeBy(given: ProgramCase): Promise<Made> | undefined {
  if (whyNot(given.program) !== undefined) return undefined;
  const before = made.get(given);
  if (before !== undefined) return before;
  const now = make(given);
  made.set(given, now);
  return now;
}

async function make(given: ProgramCase): Promise<Made> {
  await install(given.program);
  const lab = await openLab(given);
  try {
    await doWork(given, lab);
    const found = await lab.findOne();
    const records: Uint8Array[] = [];
    let cursor: Cursor | undefined;
    for (let more = true; more;) {
      const read = await lab.source.read(found, cursor);
      records.push(...read.records);
      ({ cursor, more } = read);
    }
    return { thread: (await lab.parsed(found)).thread(), records };
  } finally {
    await closeLab(lab);
  }
}
