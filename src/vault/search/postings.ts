/*
 * Which documents a term is in: ascending numbers, each as its distance from the one before, in 7 bits a byte, the
 * lowest first, with the high bit set on all bytes but the last (LEB128).
 */

export function encodeDocuments(documents: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const document of documents) {
    let distance = document - before;
    before = document;
    while (distance > 0x7f) {
      bytes.push((distance & 0x7f) | 0x80);
      distance >>>= 7;
    }
    bytes.push(distance);
  }
  return Uint8Array.from(bytes);
}

/** Sets the mask's byte of each document to 1. */
export function markDocuments(bytes: Uint8Array, mask: Uint8Array): void {
  let document = 0;
  let distance = 0;
  let shift = 0;
  for (const byte of bytes) {
    distance |= (byte & 0x7f) << shift;
    if (byte > 0x7f) {
      shift += 7;
      continue;
    }
    document += distance;
    if (document < mask.length) mask[document] = 1;
    distance = 0;
    shift = 0;
  }
}
