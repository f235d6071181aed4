import { isDrawn } from './letters.js';
import { isHex, isUuid, looksRandom, makeupOf } from './randomness.js';
import { isHarmless, isStrong } from './values.js';

/** What generators and people put into passwords, and neither words nor addresses hold. */
const body = /^[A-Za-z0-9!@#$%^&*+?~_=.-]{8,64}$/;
const mark = /[!@#$%^&*?~]/;
/** Addresses, variables, versions, dates, numbers with units, options, formats, expressions of code. */
const otherwise =
  /^[\w.+-]+@[\w-]+\.\w|^[$%@&#*-]|^[\d.,:+%-]+\w{0,3}$|^v?\d+(?:\.\d+)+|\d{4}-\d\d|%[sdifv@]|%[0-9A-F]{2}.{0,12}%[0-9A-F]{2}|\$\d|&&|\*\*|\?\.|==|\+\+|[*?]\.[a-z]|\.(?:[jt]sx?|json|md|ya?ml|py|go|rs|java|html?|css|png|svg|txt|com|org|io|dev|net)\b/;

/** Whether a word reads as a password: several kinds of characters that take turns as in no name. */
export function readsAsPassword(value: string): boolean {
  if (!body.test(value) || otherwise.test(value) || isHex(value) || isUuid(value)) return false;
  if (isHarmless(value)) return false;
  if (signedName.test(value) && !isDrawn(value)) return false;
  if (mark.test(value)) return isStrong(value) ? hasTurns(value) : isDrawn(value);
  return /^[A-Za-z0-9_-]{10,}$/.test(value) && looksRandom(value, 10) && isOfAllKinds(value);
}

const isOfAllKinds = (value: string): boolean =>
  /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);

/** `!isReady2`, `decode?`: a name with a sign of code or of a sentence at one end. */
const signedName = /^[!~]?[A-Za-z][A-Za-z_]*(?:\d{1,3}[A-Za-z_]+)*\d{0,3}[?!*+]{0,2}$/;

/** Of all kinds of characters, and without an order: what stands between quotation marks so is nothing else. */
export function isSurelyPassword(value: string): boolean {
  if (value.length < 10 || !readsAsPassword(value) || !/[!@#$^*?~]/.test(value)) return false;
  const { lower, upper, digits, switches } = makeupOf(value);
  return lower > 0 && upper > 0 && digits > 0 && switches >= 3 && !/^[\w.-]+[!?*]$/.test(value);
}

function hasTurns(value: string): boolean {
  const { switches, digits } = makeupOf(value);
  return (
    switches + (value.match(/[A-Za-z0-9][!@#$%^&*?~](?=[A-Za-z0-9])/g)?.length ?? 0) >= 3 ||
    digits >= 2
  );
}
