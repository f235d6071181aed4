#!/usr/bin/env node
import { reportFailure } from './failure.js';
import { createProgram } from './program.js';

// Also for a call that cannot be parsed, which is an error in JSON too.
const json = process.argv.includes('--json');

// A reader that has seen enough (`keepthread session list | head -1`) closes the pipe: nobody is left to tell.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

try {
  await createProgram(json).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, json);
}
