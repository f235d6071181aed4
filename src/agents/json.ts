/** A JSON object of unknown shape. Agents' records drift monthly, so fields are looked at one by one. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isString = (value: unknown): value is string => typeof value === 'string';

/** The value when it is a string that says something, else undefined. */
export const textOf = (value: unknown): string | undefined =>
  isString(value) && value !== '' ? value : undefined;

export const fieldsOf = (value: unknown): Fields | undefined =>
  isFields(value) ? value : undefined;

/** The objects of an array; anything else in it, or no array at all, is passed over. */
export const objectsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];

/** The furthest that a date goes, either way, in milliseconds (ECMA-262, 21.4.1.1): nothing can show what is beyond. */
const FURTHEST = 8.64e15;

/** Whether it is a number of milliseconds since the epoch that a date can be made of. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= FURTHEST;

/** Milliseconds since the epoch, of such a number or of an ISO time; undefined when it is neither. */
export const momentIn = (value: unknown): number | undefined =>
  isMoment(value) ? value : timeOf(value);

/** Milliseconds since the epoch of an ISO time, or undefined when it is none. */
export function timeOf(value: unknown): number | undefined {
  if (!isString(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}
