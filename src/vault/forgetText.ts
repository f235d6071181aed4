import { batchHeaderSchema } from '../core/model/records.js';
import { decodeBatch, encodeBatch } from './batch.js';
import { hashesIn } from './needed.js';
import { holdsOne, mask } from './needles.js';
import type { ProjectView } from './openView.js';
import type { Change } from './rewrite.js';
import { withPayload } from './rewrite.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** What becomes of each frame when a text is forgotten. `needles`: the forms that it may stand in. */
export async function changeForText(
  view: ProjectView,
  needles: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<Change> {
  const renamed = await maskedParts(view, needles, signal);
  return (frame) => {
    switch (frame.type) {
      case FrameType.blob: {
        if (!holdsOne(frame.payload, needles)) return frame;
        return renamed.has(frame.hash)
          ? withPayload(frame, mask(frame.payload, needles))
          : undefined;
      }
      case FrameType.records:
        return maskRecords(frame, needles);
      case FrameType.snapshot:
        return changeTo(frame, rename(mask(frame.payload, needles), renamed));
      default:
        return changeTo(frame, mask(frame.payload, needles));
    }
  };
}

/** Parts of snapshots that hold the text, by hash, each with the hash that it will have. */
async function maskedParts(
  { vault, index }: ProjectView,
  needles: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>();
  const looked = new Set<string>();
  for (const session of index.sessionIds()) {
    for (const { id } of index.snapshots(session)) {
      signal?.throwIfAborted();
      const ref = index.snapshotRef(id);
      if (!ref) continue;
      for (const hash of hashesIn((await vault.readFrame(ref)).payload)) {
        const part = index.blobRef(hash);
        if (!part || looked.has(hash)) continue;
        looked.add(hash);
        const frame = await vault.readFrame(part);
        const masked = mask(frame.payload, needles);
        if (masked !== frame.payload) renamed.set(hash, withPayload(frame, masked).hash);
      }
    }
  }
  return renamed;
}

function maskRecords(frame: Frame, needles: readonly Buffer[]): Frame {
  if (!holdsOne(frame.payload, needles)) return frame;
  const { header, records } = decodeBatch(frame.payload);
  const masked = records.map((record) => mask(record, needles));
  const head = new TextDecoder().decode(mask(toBytes(header), needles));
  return withPayload(frame, encodeBatch(batchHeaderSchema.parse(JSON.parse(head)), masked));
}

function rename(payload: Uint8Array, renamed: ReadonlyMap<string, string>): Uint8Array {
  const found = hashesIn(payload).filter((hash) => renamed.has(hash));
  if (found.length === 0) return payload;
  let text = new TextDecoder().decode(payload);
  for (const hash of found) text = text.replaceAll(hash, renamed.get(hash) ?? hash);
  return toUtf8(text);
}

const changeTo = (frame: Frame, payload: Uint8Array): Frame =>
  payload === frame.payload ? frame : withPayload(frame, payload);

const toUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const toBytes = (value: unknown): Uint8Array => toUtf8(JSON.stringify(value));
