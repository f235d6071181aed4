/** Larger memory is not held for the next time. */
const LARGEST = 16 * 2 ** 20;
const KEPT = 2;

/**
 * Memory that is used again and again, for what is large and needed for a moment: taking fresh memory for each
 * costs more than filling it, since the runtime then looks for what it can free.
 */
export class Scratch {
  private readonly free: Buffer[] = [];

  /** Memory of that size with anything in it. */
  take(size: number): Buffer {
    const at = this.free.findIndex(({ length }) => length >= size);
    const [found] = at < 0 ? [] : this.free.splice(at, 1);
    const memory = found ?? Buffer.allocUnsafeSlow(Math.max(size, Math.min(LARGEST, 2 * size)));
    return memory.subarray(0, size);
  }

  /** Takes back what {@link Scratch.take} gave; nobody may look at it from now on. */
  give(memory: Buffer): void {
    const whole = Buffer.from(memory.buffer);
    if (whole.length <= LARGEST) this.free.unshift(whole);
    this.free.length = Math.min(this.free.length, KEPT);
  }
}
