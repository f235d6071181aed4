const madeOfWords = new RegExp(
  [
    '(?:[A-Z][a-z]{2,12}){2,4}\\d{2,4}[!?.*#$%&@+_-]?',
    '[A-Za-z]{3,12}(?:[-_.][A-Za-z]{3,12}){1,4}[-_.]?\\d{2,4}!?',
    '[A-Z]?[a-z]{3,14}\\d{3,4}[!?.*#$%&@+_-]?',
    '[A-Z]?[a-z]{3,14}[!?.*#$%&@+_-]\\d{2,4}',
    '[A-Z](?=[a-z]{0,8}\\d)[a-z\\d]{3,12}[!?.*#$%&@+_-]\\d{2,4}',
    '\\d{2,4}[A-Z]?[a-z]{3,12}[!*#$%&@+_-][A-Z]?[a-z]{3,12}',
    '[!*#$%&@+_-][A-Z][a-z]{2,12}[!*#$%&@+_-]?\\d{2,4}[a-z]{0,12}',
  ]
    .join('|')
    .replace(/^(.*)$/, '^(?:$1)$'),
);
/** Names of things that carry a number. */
const numbered =
  /sha(?=\d|$)|md5|pass|word|auth|scram|salt|poly|chacha|salsa|argon|curve|login|secret|base|utf|version|option|user|test|step|line|page|chapter|level|node|type|error|status|port|section|item|row|col|day|week|year|http|windows|python|ubuntu|debian|server|host|issue|ticket|release|build|file|field|value|name|column|table|index|key|token|model|gpt|claude|iphone|january|february|march|april|june|july|august|september|october|november|december|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z])/i;

/**
 * `ForestOcean72`, `river-lemon-42`, `Harbor1984!`: words with a number, as people make passwords. Names of
 * things look so too, so it takes a word near that speaks of one.
 */
export const isMadeOfWords = (value: string): boolean =>
  value.length >= 7 && madeOfWords.test(value) && !numbered.test(value);
