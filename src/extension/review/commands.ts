import { z } from 'zod';
import { ExpectedError } from '../../core/errors.js';
import type { ReviewDecisions } from '../../core/redact/review.js';
import { readCall } from '../commands/call.js';
import type { Run } from '../commands/context.js';
import type { OpenReview } from './openReview.js';
import { currentReview, reviewFindings } from './reviewFindings.js';

const placeSchema = z.object({
  thread: z.string().optional(),
  turn: z.number().optional(),
  file: z.string().optional(),
  field: z.string().optional(),
});
const reviewSchema = z.object({
  findings: z.array(
    z.object({
      kind: z.string(),
      value: z.string(),
      before: z.string(),
      after: z.string(),
      where: placeSchema,
    }),
  ),
});

/** Shows findings and gives what was decided; for callers that looked for secrets themselves. */
export const review: Run<ReviewDecisions | undefined> = async (_, args) => {
  const call = readCall(args, reviewSchema);
  return call.from === 'program' ? reviewFindings(call.options.findings) : undefined;
};

const onValue =
  (act: (review: OpenReview, value: string) => void): Run<undefined> =>
  (_, args) => {
    const call = readCall(args, z.object({ value: z.string() }));
    const open = theReview();
    const value = call.from === 'program' ? call.options.value : open.atCursor()?.value;
    if (value !== undefined) act(open, value);
    return Promise.resolve(undefined);
  };

const onKind =
  (act: (review: OpenReview, kind: string) => void): Run<undefined> =>
  (_, args) => {
    const call = readCall(args, z.object({ kind: z.string() }));
    const open = theReview();
    const kind = call.from === 'program' ? call.options.kind : open.atCursor()?.kind;
    if (kind !== undefined) act(open, kind);
    return Promise.resolve(undefined);
  };

export const hide = onValue((open, value) => open.hide(value));
export const keep = onValue((open, value) => open.keep(value));
export const hideKind = onKind((open, kind) => open.hideKind(kind));
export const keepKind = onKind((open, kind) => open.keepKind(kind));

export const accept: Run<undefined> = async () => {
  await theReview().accept();
  return undefined;
};

export const cancel: Run<undefined> = async () => {
  await theReview().cancel();
  return undefined;
};

function theReview(): OpenReview {
  const open = currentReview();
  if (open) return open;
  throw new ExpectedError('noReview', 'No review of what is to be shared is open.', [], {
    next: 'It opens when a session is exported.',
  });
}
