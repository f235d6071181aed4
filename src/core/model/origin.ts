import { z } from 'zod';

/** What a list says of where an imported session came from. */
export const originMarkSchema = z.object({
  /** The name that the sender gave. */
  from: z.string().optional(),
  /** Fingerprint of the key that the file was signed with. */
  key: z.string().optional(),
  /** `verified`: that key was known here when the session came. It says who, never that it is safe. */
  trust: z.enum(['verified', 'unverified']),
  /** The session's id at the sender's. */
  session: z.string(),
  importedAt: z.number(),
});
export type OriginMark = z.infer<typeof originMarkSchema>;

/** Stands in each event that an import writes; the mark of the first one stays for ever. */
export const originSchema = originMarkSchema.extend({
  /** The file that was taken in: when it was made, and the hash over its entries. */
  file: z.object({ createdAt: z.number(), root: z.string() }),
  /** What the file said, to tell later what the sender has changed and what was changed here. */
  said: z.object({
    title: z.string(),
    goal: z.string(),
    status: z.string(),
    tags: z.array(z.string()),
    createdAt: z.number(),
  }),
  /** Ids of the sessions that it goes on from, the oldest first. */
  lineage: z.array(z.string()).optional(),
  /** Oldest commit of the sender's project. */
  rootCommit: z.string().optional(),
  /** What this version does not know of the file: kept as data, for the next export. */
  unknown: z.record(z.string(), z.unknown()).optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const markOf = ({ from, key, trust, session, importedAt }: Origin): OriginMark => ({
  from,
  key,
  trust,
  session,
  importedAt,
});
