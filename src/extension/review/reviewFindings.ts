import type { ReviewDecisions, ReviewFinding } from '../../core/redact/review.js';
import { OpenReview } from './openReview.js';

let current: OpenReview | undefined;

/** The review that is open. */
export const currentReview = (): OpenReview | undefined => current;

/**
 * Shows what was found as a read-only document and waits until the person has decided.
 *
 * @param unlisted how many more were found than are given
 * @returns the values that stay readable, for `keep` of an export; undefined when the person cancelled,
 *   closed the document, or another review began: nothing may be shared then. Without findings there is
 *   nothing to ask.
 */
export async function reviewFindings(
  findings: readonly ReviewFinding[],
  unlisted = 0,
): Promise<ReviewDecisions | undefined> {
  if (findings.length === 0) return { keep: [] };
  await current?.cancel();
  const review = new OpenReview(findings, unlisted);
  current = review;
  try {
    await review.show();
    return await review.done;
  } finally {
    review.dispose();
    if (current === review) current = undefined;
  }
}
