import { z } from 'zod';

/** What a process found that read changed session files. */
export const fuzzResultSchema = z.object({
  /** By how they were changed, and what became of them. */
  outcomes: z.record(z.string(), z.number()),
  /** Of these so many were taken in, too, by way of the disk. */
  taken: z.number(),
  /** Processor time of the slowest file, in seconds. */
  slowest: z.number(),
  /** The most that the process ever had, in bytes. */
  memory: z.number(),
  /** Names that `Object.prototype` got. */
  polluted: z.number(),
});
export type FuzzResult = z.infer<typeof fuzzResultSchema>;
