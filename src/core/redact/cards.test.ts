import assert from 'node:assert/strict';
import { Redactor } from './redactor.js';

const maskedIn = (text: string): readonly string[] => {
  const { findings } = new Redactor({ lane: 'share' }).text(text);
  return findings.map(({ start, end }) => text.slice(start, end));
};

suite('what pays is not shared', () => {
  const masked: readonly (readonly [title: string, text: string, secret: string])[] = [
    ['a card in groups', 'Card: 4539 1488 0343 6467', '4539 1488 0343 6467'],
    ['a card in JSON', '{"cardNumber":"4539148803436467"}', '4539148803436467'],
    ['its security code', 'exp 12/28, CVV 763', '763'],
    ['a PIN', 'the PIN 4711 works', '4711'],
  ];
  for (const [title, text, secret] of masked) {
    test(title, () => assert.deepEqual(maskedIn(text), [secret]));
  }
});

suite('numbers that pay nothing stay', () => {
  const kept = {
    'a wrong check digit': 'Card: 4539 1488 0343 6468',
    'a number that providers publish for tests': 'card 4242 4242 4242 4242',
    'a number without a word for a card': 'order 4539148803436467',
    'an IBAN': 'IBAN DE89370400440532013000',
    'a pin of a processor': 'PIN 13 is ground',
  };
  for (const [title, text] of Object.entries(kept)) {
    test(title, () => assert.deepEqual(maskedIn(text), []));
  }
});
