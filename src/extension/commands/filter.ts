import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import type { Shown } from '../views/listFilter.js';
import { z } from 'zod';

const set =
  (change: Partial<Shown>): Run<undefined> =>
  async ({ list }: CommandContext, args) => {
    readCall(args, z.object({}));
    await list.filter.set(change);
    return undefined;
  };

export const showThisFolder = set({ onlyHere: true });
export const showWholeProject = set({ onlyHere: false });
export const showArchived = set({ archived: true });
export const hideArchived = set({ archived: false });
