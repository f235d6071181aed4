import { join } from 'node:path';
import { collect } from '../../src/vault/collect.js';
import { diskIo } from '../../src/vault/io.js';
import { withLock } from '../../src/vault/lock.js';
import { sealPacks } from '../../src/vault/seal.js';

// A process that tidies a vault up until it is killed, as if all in it were ten days old. Prints a line for each
// time. Arguments: the project's folder, the path of sql-wasm.wasm.

const [folder = '', wasm = ''] = process.argv.slice(2);

// The lock is broken much sooner than its holder shows life: it must not be what saves depend on.
const options = { folder, wasm, io: diskIo, dryRun: false };
const patience = { waitMs: 60_000, silenceMs: 500 };

for (;;) {
  const now = Date.now() + 10 * 24 * 60 * 60 * 1000;
  await withLock(join(folder, 'collect.lock'), patience, async () => {
    await sealPacks(join(folder, 'packs'), { io: diskIo, now });
    // Another process may take a file away that this one reads.
    await collect({ ...options, now, inFlightMs: 3000 }).catch(() => undefined);
  });
  process.stdout.write('done\n');
}
