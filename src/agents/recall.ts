import { decode } from './decode.js';
import type { Fields } from './json.js';

/** So many bytes of records stay decoded: reading a usual conversation out decodes it once, and a huge one costs no memory. */
const heldBytes = 8 * 1024 * 1024;

/** Gives the objects of records when they are asked for: kept, or decoded again. */
export class Recall {
  private bytes = 0;

  of(record: Uint8Array, fields: Fields): () => Fields {
    this.bytes += record.length;
    return this.bytes <= heldBytes ? () => fields : () => decode(record).fields ?? {};
  }
}
