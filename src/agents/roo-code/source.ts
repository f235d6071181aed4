import { createTaskAgent } from '../cline/family.js';
import { recognisesRoo } from '../cline/recognise.js';
import type { Source } from '../source.js';

/** Roo Code, made from Cline. A folder that its setting `customStoragePath` names is a home to be given. */
export const createRooCode = (): Source =>
  createTaskAgent({
    agent: 'roo-code',
    name: 'Roo Code',
    extensions: ['rooveterinaryinc.roo-cline'],
    ownHomes: () => [],
    sessions: () => [],
    recognises: recognisesRoo,
  });

export const rooCode = createRooCode();
