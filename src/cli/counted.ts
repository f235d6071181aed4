import { plain } from './output.js';

/** `1 record`, `2 records`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A mistyped path must not pass for a store in which all is well. */
export const noProjects = (store: string): string => `No project is kept in ${plain(store)} yet.`;
