import type { Output } from './output.js';

/** What every command is told. */
export interface Settings {
  /** Root of all vaults, an absolute path. */
  readonly store: string;
  readonly version: string;
  readonly output: Output;
}
