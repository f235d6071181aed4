import type { RuleSetting } from './customRules.js';

/** What a person says about redaction beyond what is known. */
export interface RedactionSettings {
  readonly rules: readonly RuleSetting[];
  /** Values that are no secrets, exactly so. */
  readonly allow: readonly string[];
}

export const noRedactionSettings: RedactionSettings = { rules: [], allow: [] };
