const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 48 bits; times and counts fit into the 53 bits of a number. */
const span = 2 ** 48;

/**
 * Ids in the program's own form: a word, 48 bits of time and count in hex, 14 random digits. Those of
 * messages and parts grow with time; those of sessions fall, so that the newest is listed first.
 *
 * @param random at least 14 characters, such as a UUID
 */
export function openCodeId(
  word: 'ses' | 'msg' | 'prt',
  at: number,
  count: number,
  random: string,
): string {
  const time = (Math.trunc(at) * 0x1000 + count) % span;
  const ordered = word === 'ses' ? span - 1 - time : time;
  let end = '';
  for (const byte of Buffer.from(random.replaceAll('-', ''), 'hex').subarray(0, 14)) {
    end += digits.charAt(byte % digits.length);
  }
  return `${word}_${ordered.toString(16).padStart(12, '0')}${end}`;
}
