import { stat } from 'node:fs/promises';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import type { DatabaseList } from './list.js';

/** Asks databases what they hold, and remembers what could not be read. */
export class DatabaseSearch {
  readonly problems: Problem[] = [];
  lookedAt = 0;

  /** What the list has of the database; when it cannot be read now, what was there before. */
  async ask<T>(list: DatabaseList<T>, path: string): Promise<readonly T[]> {
    try {
      const items = await list.of(path);
      if (items !== undefined) this.lookedAt += 1;
      else if (await exists(path)) this.problem(path, 'The format of this database is not known.');
      return items ?? [];
    } catch (error) {
      this.problem(path, messageOf(error));
      return list.lastOf(path);
    }
  }

  problem(where: string, message: string): void {
    this.problems.push({ where, message });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
