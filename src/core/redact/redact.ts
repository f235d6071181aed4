import { Redactor } from './redactor.js';

/** In the vault there is no run to count in, and two windows must write the same bytes. */
const saving = new Redactor({ lane: 'save', label: (kind) => `[REDACTED:${kind}]` });

/** The text with secrets masked as the vault keeps it (promise 6); the same text when there are none. */
export const redactText = (text: string): string => saving.text(text).text;

/**
 * One record of an agent's transcript, masked the same way; the very same bytes when there is nothing
 * to mask.
 */
export const redactRecord = (record: Uint8Array): Uint8Array => saving.record(record).record;
