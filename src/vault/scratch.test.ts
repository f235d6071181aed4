import assert from 'node:assert/strict';
import { Scratch } from './scratch.js';

suite('memory that is used again', () => {
  test('is never given to two at a time: one conversation would be written over another', () => {
    const scratch = new Scratch();
    const one = scratch.take(100);
    const other = scratch.take(100);
    assert.notEqual(one.buffer, other.buffer);
    scratch.give(one);
    scratch.give(other);
    assert.notEqual(scratch.take(100).buffer, scratch.take(100).buffer);
  });

  test('is used again where it is large enough, and has the size that was asked for', () => {
    const scratch = new Scratch();
    const large = scratch.take(1000);
    scratch.give(large);
    const small = scratch.take(10);
    assert.equal(small.buffer, large.buffer);
    assert.equal(small.length, 10);
    scratch.give(small);
    assert.equal(scratch.take(100_000).length, 100_000);
  });

  test('is not held where it is huge', () => {
    const scratch = new Scratch();
    const huge = scratch.take(17 * 2 ** 20);
    scratch.give(huge);
    assert.notEqual(scratch.take(10).buffer, huge.buffer);
  });
});
