import { ExpectedError } from '../core/errors.js';

/** The file was cut, or changed on its way. `detail`: a sentence. */
export const damaged = (detail: string): ExpectedError =>
  new ExpectedError('damaged', 'The session file is damaged: {0}', [detail], {
    next: 'Ask for the file again; nothing of it was taken.',
  });

/** The file is whole, and is not taken. `detail`: a sentence. */
export const refused = (detail: string): ExpectedError =>
  new ExpectedError('handoffRefused', 'The session file was not taken: {0}', [detail], {
    next: 'Nothing of it was kept. Ask the sender how it was made.',
  });

export const newer = (version: string): ExpectedError =>
  new ExpectedError(
    'handoffNewer',
    'The session file was made by a newer version of Keepthread (format {0}).',
    [version],
    { next: 'Update Keepthread, or ask for a Markdown or JSON export.' },
  );

/** What the file wants to be opened. */
export type Locked = 'passphrase' | 'wrongPassphrase' | 'identity' | 'otherIdentity' | 'noIdentity';

export function locked(why: Locked): ExpectedError {
  switch (why) {
    case 'passphrase':
      return new ExpectedError(
        'handoffLocked',
        'The session file is encrypted with a passphrase.',
        [],
        {
          next: 'Give the passphrase.',
        },
      );
    case 'wrongPassphrase':
      return new ExpectedError(
        'handoffLocked',
        'The passphrase does not open the session file.',
        [],
        {
          next: 'Try again, or ask the sender for the right one.',
        },
      );
    case 'identity':
      return new ExpectedError('handoffLocked', 'The session file is encrypted for a key.', [], {
        next: 'Give the identity that it was made for.',
      });
    case 'otherIdentity':
      return new ExpectedError(
        'handoffLocked',
        'The session file is encrypted for another key.',
        [],
        {
          next: 'Give the sender your own recipient, and ask for the file again.',
        },
      );
    case 'noIdentity':
      return new ExpectedError('handoffLocked', 'This is not an identity of age.', [], {
        next: 'Give a file that age-keygen or "keepthread key new" wrote.',
      });
  }
}
