import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a file is there. Does not keep the process alive. */
export const appears = async (file: string): Promise<void> => {
  while (!existsSync(file)) await wait(200, undefined, { ref: false });
};
