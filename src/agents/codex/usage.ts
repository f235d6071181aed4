import type { Tokens } from '../../core/model/thread.js';
import { fieldsOf } from '../json.js';
import { usageWithin } from '../tokens.js';
import { kindOf, type Line } from './line.js';

/**
 * What the lines of a rollout say that answers cost. A `token_count` comes after every answer, and again
 * with the same sums when only the limits of the account have changed.
 */
export class CodexUsage {
  private total = '';

  /** What is new in a line. */
  newIn(line: Line): Tokens | undefined {
    if (line.type !== 'event_msg' || kindOf(line) !== 'token_count') return undefined;
    const info = fieldsOf(line.payload['info']);
    const total = JSON.stringify(info?.['total_token_usage'] ?? null);
    if (info === undefined || total === this.total) return undefined;
    this.total = total;
    return usageWithin(info['last_token_usage']);
  }
}
