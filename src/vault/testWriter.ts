import { FrameType } from './types.js';
import { openVault } from './vault.js';

// A process that saves to a vault and prints each number once it is acknowledged.
// Arguments: the project's folder, a name, and how many saves (none: until it is killed).

const [folder = '', name = '', count = 'Infinity'] = process.argv.slice(2);
const vault = await openVault({ folder });

async function save(number: number): Promise<void> {
  const payload = Buffer.from(`${name} ${number} ${'filling '.repeat(number % 60)}`);
  await vault.append([{ type: FrameType.session, payload }]);
  process.stdout.write(`${number}\n`);
}

for (let number = 0; number < Number(count); number += 2) {
  await Promise.all([save(number), save(number + 1)]);
}
await vault.close();
