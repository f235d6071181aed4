import { z } from 'zod';
import { ExpectedError } from '../../core/errors.js';
import { roles, type SearchHit } from '../../core/search/types.js';
import { readCall } from './call.js';
import type { Run } from './context.js';
import { pickHit } from './searchPick.js';

const texts = z.array(z.string());
const searchSchema = z.object({
  query: z.string(),
  agent: texts.optional(),
  session: texts.optional(),
  role: z.array(z.enum(roles)).optional(),
  tool: texts.optional(),
  file: texts.optional(),
  branch: texts.optional(),
  after: z.number().optional(),
  before: z.number().optional(),
  in: z.enum(['folder', 'project']).optional(),
  folders: texts.optional(),
  limit: z.int().positive().optional(),
});

/** Finds what was said and done; called by a person, it shows hits as they type and opens the chosen one. */
export const search: Run<readonly SearchHit[]> = async (context, args) => {
  const call = readCall(args, searchSchema);
  if (call.from !== 'program') {
    await pickHit(context);
    return [];
  }
  const { query, ...options } = call.options;
  const engine = await context.sessions.engine();
  const { hits, advice } = await engine.search(query, options);
  const [first] = advice;
  if (first) throw new ExpectedError('badQuery', first.template, first.args);
  return hits;
};
