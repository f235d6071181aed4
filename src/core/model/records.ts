import { z } from 'zod';
import { conversionReportSchema } from './conversion.js';

/** Where reading of an agent's file stopped; only its own source looks inside `state`. */
export const cursorSchema = z.object({
  path: z.string(),
  /** Bytes of the file that were read, up to the end of the last complete record. */
  offset: z.number(),
  /** Grows when the file was rewritten and its records are counted anew; the first is 0. */
  generation: z.number(),
  /** Records of this generation so far. */
  records: z.number(),
  /** The folder that the agent's store files the thread under; its records may not say it. */
  cwd: z.string().optional(),
  state: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Cursor = z.infer<typeof cursorSchema>;

/** The head of a records frame. */
export const batchHeaderSchema = z.object({
  schemaVersion: z.literal(1),
  /** Thread id, `<agent>:<nativeId>`. */
  thread: z.string(),
  generation: z.number(),
  /** Index of the first record in its generation. */
  first: z.number(),
  count: z.number(),
  /** First batch of a generation: so many records of the one before come first, unchanged. */
  reused: z.number().optional(),
  /** Thread id of the thread that started this one as a subagent. */
  parent: z.string().optional(),
  /** Where the records lie in the agent's file, for formats that have lines; see `packPlaces`. */
  places: z.array(z.tuple([z.number(), z.number(), z.number()])).optional(),
  /** Where the source goes on; saved with the records, so that neither runs ahead of the other. */
  cursor: cursorSchema,
});
export type BatchHeader = z.infer<typeof batchHeaderSchema>;

/** The thread that another goes on from, and what became of its turns on the way. */
export const lineageSchema = z.object({
  /** Thread id of the earlier one. */
  thread: z.string(),
  /** Prompts of it that came along, which are not to be counted again. */
  prompts: z.number(),
  report: conversionReportSchema,
});
export type Lineage = z.infer<typeof lineageSchema>;

/** What happened to a thread's source. */
export const threadEventSchema = z.object({
  schemaVersion: z.literal(1),
  thread: z.string(),
  at: z.number(),
  /** `forgotten`: a person wants nothing of it kept; it is not read any more. */
  state: z.enum(['live', 'gone', 'forgotten']),
  /** Of a forgotten subagent: the thread that it was forgotten with. */
  parent: z.string().optional(),
  /** Said once, when the thread was made. */
  continues: lineageSchema.optional(),
});
export type ThreadEvent = z.infer<typeof threadEventSchema>;
