const DAY = 24 * 60 * 60 * 1000;
const units: Readonly<Record<string, number>> = { h: DAY / 24, d: DAY, w: 7 * DAY };

/**
 * A moment as people type it: `2026`, `2026-03`, `2026-03-31`, with a time behind it, `today`, `yesterday`, or a
 * time ago: `12h`, `7d`, `2w`. Days are of this machine's time zone. Undefined when it is none of these.
 *
 * @param now milliseconds since the epoch
 */
export function momentOf(text: string, now: number): number | undefined {
  const word = text.toLowerCase();
  if (word === 'today') return startOfDay(now, 0);
  if (word === 'yesterday') return startOfDay(now, 1);
  const ago = /^(\d{1,4})([hdw])$/.exec(word);
  if (ago) return now - Number(ago[1]) * (units[ago[2] ?? ''] ?? 0);
  const date = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(t.+)?)?)?$/i.exec(word);
  if (!date) return undefined;
  const [, year = '', month = '1', day = '1', time] = date;
  const at = new Date(Number(year), Number(month) - 1, Number(day));
  const isReal = at.getMonth() === Number(month) - 1 && at.getDate() === Number(day);
  if (!isReal) return undefined;
  if (time === undefined) return at.getTime();
  const exact = Date.parse(text.toUpperCase());
  return Number.isNaN(exact) ? undefined : exact;
}

function startOfDay(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}
