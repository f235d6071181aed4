import { z } from 'zod';

/** What became of a part of a conversation in its new place. */
export const fateSchema = z.enum([
  'kept', // as it was
  'mapped', // by the target's own means for the same thing
  'rewritten', // said in other words, or changed so that the target takes it
  'dropped',
]);
export type Fate = z.infer<typeof fateSchema>;

export const reportLineSchema = z.object({
  fate: fateSchema,
  what: z.enum([
    'record',
    'prompt',
    'answer',
    'toolCall',
    'result',
    'thinking',
    'image',
    'attachment',
    'summary',
    'notice',
    'turn',
    'todo',
  ]),
  count: z.number(),
  /** Why, as a word that `reportWords` explains; absent for what was simply kept. */
  why: z.string().optional(),
  /** What exactly, such as `Bash -> exec_command`. */
  detail: z.string().optional(),
});
export type ReportLine = z.infer<typeof reportLineSchema>;

/**
 * What a conversion kept, mapped, rewrote and dropped, and why. Shown before anything is written, and
 * stored with the session.
 */
export const conversionReportSchema = z.object({
  from: z.string(),
  to: z.string(),
  lines: z.array(reportLineSchema),
});
export type ConversionReport = z.infer<typeof conversionReportSchema>;
