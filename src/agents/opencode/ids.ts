const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mask = (1n << 48n) - 1n;

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
  const time = (BigInt(Math.trunc(at)) * 0x1000n + BigInt(count)) & mask;
  const ordered = word === 'ses' ? ~time & mask : time;
  const hex = random.replaceAll('-', '');
  const end = Array.from({ length: 14 }, (_, place) =>
    digits.charAt(parseInt(hex.slice(place * 2, place * 2 + 2), 16) % digits.length),
  );
  return `${word}_${ordered.toString(16).padStart(12, '0')}${end.join('')}`;
}
