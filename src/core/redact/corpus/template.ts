interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text with one secret in it. */
export interface Planted extends Span {
  readonly text: string;
}

/** The same numbers each time, so that a failure can be looked at again. */
export function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / (1 << 24);
  };
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';

/** Alphabets that templates draw from. */
const alphabets: Readonly<Record<string, string>> = {
  b62: lower + upper + digits,
  hex: `${digits}abcdef`,
  HEX: `${digits}ABCDEF`,
  b64: `${lower}${upper}${digits}+/`,
  url: `${lower}${upper}${digits}-_`,
  b32: `${upper}234567`,
  low: lower + digits,
  UP: upper + digits,
  let: lower + upper,
  abc: lower,
  dig: digits,
  b58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  any: `${lower}${upper}${digits}!@#%^*+?`,
  safe: `${lower}${upper}${digits}!@#%^*-_=+?`,
  ABC: upper,
};

const words =
  'amber anchor autumn bakery basket bishop breeze bridge candle canyon castle cherry cloud coffee copper dancer desert dragon eagle ember falcon feather forest galaxy garden ginger glacier hammer harbor hazel island jungle kitten ladder lemon lion maple marble meadow monkey mountain ocean orange orchid panda pepper phoenix pirate planet purple rabbit raven river rocket saffron shadow silver spring summer sunset thunder tiger tulip velvet violet walnut winter wizard yellow'.split(
    ' ',
  );

/** A password as people make them: words with a capital, digits, a sign. */
function humanPassword(random: () => number): string {
  const pick = (list: ArrayLike<string>): string => list[Math.floor(random() * list.length)] ?? '';
  const word = (): string => pick(words);
  const capital = (): string => word().replace(/^./, (first) => first.toUpperCase());
  const number = (length: number): string => Array.from({ length }, () => pick(digits)).join('');
  const sign = (): string => pick('!@#%&*?$.-_+');
  const forms: readonly (() => string)[] = [
    () => capital() + number(4) + sign(),
    () => word() + number(3),
    () => capital() + sign() + number(4),
    () => capital() + capital() + number(2),
    () => `${word()}-${word()}-${word()}-${number(2)}`,
    () =>
      capital().replace(/[aeo]/g, (letter) => ({ a: '4', e: '3', o: '0' })[letter] ?? '') +
      sign() +
      number(2),
    () => number(2) + capital() + sign() + word(),
    () => sign() + capital() + '_' + number(3) + word(),
  ];
  return (forms[Math.floor(random() * forms.length)] ?? word)();
}

/**
 * Fills a template: `{b62:40}` is 40 characters drawn at random, `{uuid}` a UUID, `{human}` a password as people make them, `{word}` a word, `{64:text}` the text
 * in base64; the secret stands between `«` and `»`. So no secret stands in a file, and scanners of this
 * repository have nothing to find.
 */
export function plant(template: string, random: () => number): Planted {
  const { text, secrets } = plantAll(template, random);
  const [first = { start: -1, end: -2 }] = secrets;
  return { text, ...first };
}

/** The same with any number of secrets. */
export function plantAll(
  template: string,
  random: () => number,
): { readonly text: string; readonly secrets: readonly Span[] } {
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const uuid = (): string =>
    [8, 4, 4, 4, 12].map((length) => draw(alphabets['hex'] ?? '', length)).join('-');
  const filled = template
    .replace(/\{uuid\}/g, uuid)
    .replace(/\{human\}/g, () => humanPassword(random))
    .replace(/\{word\}/g, () => words[Math.floor(random() * words.length)] ?? '')
    .replace(/\{(\w+):(\d+)\}/g, (whole, name: string, length: string) => {
      const alphabet = alphabets[name];
      return alphabet === undefined ? whole : draw(alphabet, Number(length));
    })
    .replace(/\{64:([^{}]*)\}/g, (_, text: string) => btoa(text));
  const pieces = filled.split(/[«»]/);
  const secrets: Span[] = [];
  let start = 0;
  for (const [index, piece] of pieces.entries()) {
    // Every second piece stands between the two marks.
    if (index % 2 === 1) secrets.push({ start, end: start + piece.length });
    start += piece.length;
  }
  return { text: pieces.join(''), secrets };
}
