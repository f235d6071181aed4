import { ExpectedError } from '../core/errors.js';

/** Why a file is not taken. `reason` is `handoffRefused` for all but these, which ask for something else to be done. */
export type RefusalReason = 'handoffRefused' | 'handoffNewer' | 'handoffLocked' | 'damaged';

/** The file is damaged: cut, or changed on its way. */
export const damaged = (template: string, args: readonly (string | number)[] = []): ExpectedError =>
  new ExpectedError('damaged', template, args, {
    next: 'Ask for the file again; nothing of it was taken.',
  });

/** The file is whole, and this version does not take it. */
export const refused = (template: string, args: readonly (string | number)[] = []): ExpectedError =>
  new ExpectedError('handoffRefused', template, args, { next: 'Nothing of it was taken.' });

export const newer = (version: string): ExpectedError =>
  new ExpectedError(
    'handoffNewer',
    'The file was made by a newer version of Keepthread (format {0}).',
    [version],
    { next: 'Update Keepthread, or ask for a Markdown or JSON export.' },
  );

export const locked = (template: string, next: string): ExpectedError =>
  new ExpectedError('handoffLocked', template, [], { next });
