/** A shorter text would be found in what has nothing to do with it. */
export const SHORTEST_TEXT = 4;

/**
 * The forms in which a text stands in what is kept: as it is, and as a string in JSON, with or without escapes for
 * what is not ASCII, also in JSON that is itself a string in JSON.
 */
export function needlesFor(text: string): readonly Buffer[] {
  const once = escapedForms(text);
  const twice = once.flatMap(escapedForms);
  return [...new Set([text, ...once, ...twice])].map((form) => Buffer.from(form));
}

/** Whether one of the forms is in the bytes. */
export function holdsOne(bytes: Uint8Array, needles: readonly Buffer[]): boolean {
  const buffer = viewOf(bytes);
  return needles.some((needle) => buffer.includes(needle));
}

/** The bytes with asterisks in place of every form, or the same bytes when there is none. */
export function mask(bytes: Uint8Array, needles: readonly Buffer[]): Uint8Array {
  if (!holdsOne(bytes, needles)) return bytes;
  const masked = Buffer.from(bytes);
  for (const needle of needles) {
    for (let at = masked.indexOf(needle); at >= 0; at = masked.indexOf(needle, at)) {
      masked.fill('*', at, at + needle.length);
    }
  }
  return masked;
}

function escapedForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const escaped = (digits: (code: string) => string): string =>
    plain.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`,
    );
  const forms = [plain, escaped((code) => code), escaped((code) => code.toUpperCase())];
  return [...forms, ...forms.map((form) => form.replaceAll('/', '\\/'))];
}

const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
