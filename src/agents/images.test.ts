import assert from 'node:assert/strict';
import { imageSamples, png, type ImageSample } from '../../test/agents/imageSamples.js';
import type { Part } from '../core/model/thread.js';
import { sourceOf } from './registry.js';

suite('images in transcripts', () => {
  const imagesOf = ({ agent, records }: ImageSample, images?: boolean) => {
    const parser = sourceOf(agent)?.parser('', images === undefined ? {} : { images });
    for (const record of records) parser?.push(Buffer.from(JSON.stringify(record)));
    const parts = parser?.thread().turns.flatMap((turn) => turn.parts) ?? [];
    return parts.filter(
      (found): found is Extract<Part, { kind: 'image' }> => found.kind === 'image',
    );
  };

  for (const given of imageSamples) {
    test(`of ${given.agent}: one in ${given.where} can be shown, and costs nothing unless it is`, () => {
      assert.deepEqual(
        imagesOf(given, true).map(({ mediaType, bytes, data }) => ({ mediaType, bytes, data })),
        [{ mediaType: 'image/png', bytes: 8, data: png }],
      );
      for (const images of [undefined, false]) {
        assert.deepEqual(
          imagesOf(given, images).map((image) => [image.bytes, 'data' in image]),
          [[8, false]],
        );
      }
    });
  }
});
