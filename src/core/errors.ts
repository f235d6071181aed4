/**
 * An error that a person can act on: its words are fit to show. Everything else that is thrown is a
 * bug, logged with its stack and shown once.
 *
 * `template` holds `{0}`, `{1}`, ... for `args`, so that the window can show it translated
 * (`vscode.l10n.t(template, ...args)`); `next` says what to do, in the same form.
 */
export class ExpectedError extends Error {
  /** Told apart by this mark: `instanceof` fails across bundles and threads. */
  readonly isExpected = true;

  constructor(
    readonly reason: string,
    readonly template: string,
    readonly args: readonly (string | number)[] = [],
    options: { readonly cause?: unknown; readonly next?: string } = {},
  ) {
    super(fill(template, args), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExpectedError';
    this.next = options.next;
  }

  readonly next: string | undefined;
}

export function isExpected(error: unknown, reason?: string): error is ExpectedError {
  if (!(error instanceof Error) || !('isExpected' in error)) return false;
  return reason === undefined || ('reason' in error && error.reason === reason);
}

/** The words of an unknown thrown value, for a log or a report. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A template with its values in their places. */
export function fill(template: string, args: readonly (string | number)[]): string {
  return template.replace(/\{(\d+)\}/g, (whole, index: string) =>
    String(args[Number(index)] ?? whole),
  );
}
