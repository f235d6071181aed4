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
/** Names of things that carry a number, and what is written about passwords. */
const numbered: ReadonlySet<string> = new Set(
  `sha md base utf version option user username test tests step line page chapter level node type error status
  port section item row col day week year month http https windows python ubuntu debian server host hostname
  issue ticket release build file filename field value name column table index key keys token model gpt claude
  iphone january february march april may june july august september october november december jan feb mar apr
  jun jul aug sep oct nov dec auth scram salt poly chacha salsa argon curve login secret string char int float
  part group team room phase stage sample example demo case figure table lesson unit block frame slide layer
  client worker thread process job task run node pod vm instance cluster shard replica zone region account
  order invoice customer product id ref no number num code count size width height color`.split(
    /\s+/,
  ),
);
const ofPasswords = /pass|word|pwd/i;

/**
 * `ForestOcean72`, `river-lemon-42`, `Harbor1984!`: words with a number, as people make passwords. Names of
 * things look so too, so it takes a word near that speaks of one.
 */
export const isMadeOfWords = (value: string): boolean =>
  value.length >= 7 &&
  madeOfWords.test(value) &&
  !ofPasswords.test(value) &&
  !(value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).some((part) => numbered.has(part.toLowerCase()));
