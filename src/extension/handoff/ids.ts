/** What a session file's name ends with. */
export const EXTENSION = '.keepthread';

/** The page that says what is in a session file. */
export const IMPORT_VIEW = 'keepthread.importPage';
