/** A clock value's counter has 16 bits; its milliseconds take the other 48. */
const COUNTER_BITS = 16n;

/** The latest wall time that is believed, in milliseconds since the epoch (the year 4199). */
const LATEST = 2 ** 46;

/** Values from here on are an accident: following them would leave no room to count on. */
const TOO_LATE = 1n << 63n;

/**
 * A hybrid logical clock: 64 bits, of which the upper 48 are milliseconds since the epoch and the lower
 * 16 a counter. Values only grow, whatever the wall clock does, and stay near it while it is right; a
 * value made after another was observed is above it. So frames of several processes have one order in
 * which what was seen comes before what answers to it.
 *
 * Kulkarni et al., "Logical Physical Clocks and Consistent Snapshots in Globally Distributed Databases"
 * (2014). A full counter runs over into the milliseconds.
 */
export class Clock {
  private last = 0n;

  /** A value above all that were given out or observed. `now`: milliseconds since the epoch. */
  tick(now: number): bigint {
    const wall = clockAt(now);
    this.last = wall > this.last ? wall : this.last + 1n;
    return this.last;
  }

  /** Takes note of a value that another process gave out. One beyond the year 6429 is disregarded. */
  observe(remote: bigint): void {
    if (remote > this.last && remote < TOO_LATE) this.last = remote;
  }
}

/** The wall time of a clock value, in milliseconds since the epoch. */
export const clockTime = (clock: bigint): number => Number(clock >> COUNTER_BITS);

function clockAt(now: number): bigint {
  const time = Number.isFinite(now) ? Math.min(Math.max(Math.trunc(now), 0), LATEST) : 0;
  return BigInt(time) << COUNTER_BITS;
}
