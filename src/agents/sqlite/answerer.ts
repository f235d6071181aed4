import { setTimeout as pause } from 'node:timers/promises';
import type { SqlJsStatic } from 'sql.js';
import { answer } from './answer.js';
import { busy, stampOf } from './image.js';
import { openDatabase, type OpenDatabase } from './openDatabase.js';
import type { Answer, Question } from './question.js';

export interface AnswererOptions {
  readonly sql: () => Promise<SqlJsStatic>;
  /** Files up to this size are read whole. */
  readonly wholeBytes: number;
  /** Pages that a writer moves meanwhile are read again until then. */
  readonly patienceMs: number;
  /** Whole files are read; what follows is computing only. */
  readonly onLoaded: () => void;
}

/**
 * Answers questions about databases, one at a time. The last database stays open, since a look at a
 * store is several questions.
 */
export class Answerer {
  private open:
    { readonly path: string; readonly at: number; readonly opened: OpenDatabase } | undefined;

  /**
   * @throws ExpectedError `databaseBusy`, `notADatabase`, `formatNotKnown`, `answerTooLarge`
   */
  async answer(question: Question, options: AnswererOptions): Promise<Answer> {
    const until = Date.now() + options.patienceMs;
    for (let attempt = 1; ; attempt++) {
      const opened = await this.databaseOf(question, options);
      const answered = opened && answerFrom(opened, question, options);
      if (answered) return answered;
      this.close();
      if (Date.now() >= until) throw busy(question.path);
      await pause(Math.min(10 * attempt, 100));
    }
  }

  close(): void {
    this.open?.opened.close();
    this.open = undefined;
  }

  private async databaseOf({ path, maxAgeMs = 0 }: Question, options: AnswererOptions) {
    const { open } = this;
    if (open?.path === path && isStill(open.opened)) {
      const isRecent = Date.now() - open.at < maxAgeMs;
      if (isRecent || open.opened.stamp === (await stampOf(path))) return open.opened;
    }
    this.close();
    const opened = await openDatabase(await options.sql(), path, options.wholeBytes);
    this.open = opened && { path, at: Date.now(), opened };
    return opened;
  }
}

/** Undefined when what was found is of more than one state of the file. */
function answerFrom(
  opened: OpenDatabase,
  question: Question,
  { onLoaded }: AnswererOptions,
): Answer | undefined {
  if (opened.isWhole) onLoaded();
  try {
    const found = answer(opened.database, question);
    return opened.isSound() ? { ...found, stamp: opened.stamp } : undefined;
  } catch (error) {
    // Pages of two states look like damage.
    if (opened.isSound()) throw error;
    return undefined;
  }
}

function isStill(opened: OpenDatabase): boolean {
  try {
    return opened.isSound();
  } catch {
    return false;
  }
}
