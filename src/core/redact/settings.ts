/** A rule of the user's own, as it stands in settings and in files for the command line. */
export interface RuleSetting {
  /** What a finding is called, unless `kind` says it. */
  readonly name: string;
  /** A regular expression of JavaScript; its first group, or all of the match, is the secret. */
  readonly pattern: string;
  readonly kind?: string | undefined;
}

/** What a person says about redaction beyond what is known. Rules are checked where they are compiled. */
export interface RedactionSettings {
  readonly rules: readonly RuleSetting[];
  /** Values that are no secrets, exactly so. */
  readonly allow: readonly string[];
}

export const noRedactionSettings: RedactionSettings = { rules: [], allow: [] };
