/** Rows that are found as one. */
export interface ImageDocument {
  /** Its conversation, as a number among those of the image. */
  readonly thread: number;
  readonly block: number;
  /** Its first row in the block, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** Milliseconds since the epoch, of the newest row. */
  readonly at: number;
}

/** Bytes of one: four numbers of 32 bits, and one of 64 bits with a floating point, little-endian. */
const SIZE = 24;

export function encodeDocumentTable(documents: readonly ImageDocument[]): Buffer {
  const bytes = Buffer.alloc(documents.length * SIZE);
  for (const [number, { thread, block, first, count, at }] of documents.entries()) {
    const offset = number * SIZE;
    for (const [place, value] of [thread, block, first, count].entries()) {
      bytes.writeUInt32LE(value, offset + 4 * place);
    }
    bytes.writeDoubleLE(at, offset + 16);
  }
  return bytes;
}

/** The documents of an image, the oldest first: as bytes, since there may be a million. */
export class DocumentTable {
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return Math.floor(this.view.byteLength / SIZE);
  }

  /** @param number below {@link length} */
  get(number: number): ImageDocument {
    const offset = number * SIZE;
    const word = (place: number): number => this.view.getUint32(offset + 4 * place, true);
    return {
      thread: word(0),
      block: word(1),
      first: word(2),
      count: word(3),
      at: this.at(number),
    };
  }

  /** Its conversation. */
  threadOf(number: number): number {
    return this.view.getUint32(number * SIZE, true);
  }

  /** When its newest row is of. */
  at(number: number): number {
    return this.view.getFloat64(number * SIZE + 16, true);
  }

  /** Those of one conversation, in the order of its rows. */
  ofThread(thread: number): readonly ImageDocument[] {
    const found: ImageDocument[] = [];
    for (let number = 0; number < this.length; number++) {
      if (this.threadOf(number) === thread) found.push(this.get(number));
    }
    return found.sort((a, b) => a.block - b.block || a.first - b.first);
  }
}
