import { Rank } from './finding.js';
import { openers, type Detector, type Opener } from './scan.js';

const card =
  /(?:(?:credit|debit|bank|payment)?[ _-]?card(?:[ _-]?(?:number|num|no))?|visa|mastercard|amex|kreditkarte|carte bancaire|tarjeta|pan)["'`]?[^\n\d]{0,24}?["'`\s:=#]((?:\d{4}[ -]?){3}\d{1,7}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5})(?![\w-])/iy;

/** Numbers that payment providers publish for tests. */
const isTest = (digits: string): boolean =>
  /^(?:4242|4111111111111111|4000000000|5555555555554444|5105105105105100|378282246310005|371449635398431|6011111111111117|30569309025904|4012888888881881)/.test(
    digits,
  ) || /^(\d)\1+$/.test(digits);

/** The number of a payment card behind a word for one, with a right check digit (ISO/IEC 7812). */
const detectCard: Detector = (scan, at) => {
  if (scan.lane === 'save' || /\w/.test(scan.text[at - 1] ?? '')) return;
  const content = scan.match(card, at)?.[1];
  if (content === undefined) return;
  const digits = content.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || isTest(digits) || !isLuhn(digits)) return;
  scan.addMatch('card-number', card, at, Rank.prose);
};

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of Array.from(digits, Number).reverse().entries()) {
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

export const cardOpeners: readonly Opener[] = openers(
  'credit debit bank payment card visa mastercard amex kreditkarte carte tarjeta pan',
  detectCard,
  true,
);
