import type { Skipped } from '../core/model/thread.js';
import { decode, type Decoded } from './decode.js';
import { momentIn } from './json.js';
import type { RecordPlace } from './source.js';

/** What any parser keeps of its file beside the meaning: where it is, what could not be read, and when. */
export class RecordLog {
  readonly skipped: Skipped[] = [];
  firstAt: number | undefined;
  lastAt: number | undefined;
  /** Of the newest record; one-based. */
  line = 0;
  private offset = 0;

  /** The record's object; one that has none is noted as skipped. */
  take(record: Uint8Array, place?: RecordPlace): Decoded {
    const offset = place?.offset ?? this.offset;
    this.line = place?.line ?? this.line + 1;
    this.offset = offset + record.length + 1;
    const decoded = decode(record, place?.cut);
    if (decoded.fields === undefined) {
      this.skipped.push({ line: this.line, offset, reason: decoded.reason });
    }
    return decoded;
  }

  /** Notes an ISO time, or milliseconds since the epoch; anything else is no time. */
  note(time: unknown): void {
    const at = momentIn(time);
    if (at === undefined) return;
    this.firstAt = Math.min(this.firstAt ?? at, at);
    this.lastAt = Math.max(this.lastAt ?? at, at);
  }

  get counts(): { malformed: number; firstAt: number | undefined; lastAt: number | undefined } {
    return { malformed: this.skipped.length, firstAt: this.firstAt, lastAt: this.lastAt };
  }
}
