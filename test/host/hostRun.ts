import { readFileSync } from 'node:fs';
import type { HostRequest, NextWindow } from './hostSchemas.js';
import { hostRequestSchema } from './hostSchemas.js';

const readRequest = (): HostRequest => {
  const file = process.env['KEEPTHREAD_HOST_RUN'];
  if (file === undefined) throw new Error('Host tests are started by `npm run test:host`.');
  return hostRequestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
};

/** The run that the tests are part of. */
export const hostRun = readRequest();

let next: NextWindow = {};

/** Says how the next phase of a reopen suite opens its window. */
export const reopenWith = (window: NextWindow): void => {
  next = window;
};

export const nextWindow = (): NextWindow => next;
