import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TestProject } from '../../src/vault/testProject.js';

// A process that saves snapshots with content of their own, and with content that all share, until it is killed.
// Prints each snapshot's id once it is acknowledged. Arguments: the project's folder, a session's id.

const [folder = '', session = ''] = process.argv.slice(2);
const project = await TestProject.open(folder);
for (let at = 0; ; at++) {
  const draft = at % 3 === 0 ? 'a draft that everybody has' : `draft ${at} ${randomUUID()}`;
  process.stdout.write(`${await project.snapshot(session, draft, { label: 'kept' })}\n`);
  await pause(3);
  // Most of the bytes are of deleted sessions, for collection to take out.
  if (at % 5 === 0) {
    const gone = await project.session({ title: 'gone' });
    await project.snapshot(gone, `gone ${at} ${randomBytes(8000).toString('hex')}`);
    await project.session({ deleted: true }, gone);
  }
}
