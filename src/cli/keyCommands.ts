import type { Command } from 'commander';
import { ExpectedError } from '../core/errors.js';
import { keysInFile, newKeys, publicKeys, type Keys, type PublicKeys } from '../handoff/keys.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import type { Settings } from './settings.js';
import { facts, when } from './table.js';

/** `key new` and `key show`. */
export function addKeyCommands(program: Command, settings: () => Settings): void {
  const key = program
    .command('key')
    .description('your keys, to sign session files and to receive encrypted ones');
  key
    .command('new')
    .description('make keys, once; they are kept in the store, for you alone')
    .option('--name <name>', 'the name that files say they are from', nonEmpty)
    .addHelpText('after', `\nJSON: {name, createdAt, fingerprint, recipient, file}.`)
    .action(async ({ name }: { readonly name?: string }) => makeKeys(name, settings()));
  key
    .command('show')
    .description('show what others need of your keys: the recipient and the fingerprint')
    .addHelpText('after', '\nJSON: {name, createdAt, fingerprint, recipient, file}.')
    .action(async () => showKeys(settings()));
}

async function makeKeys(name: string | undefined, { store, output }: Settings): Promise<void> {
  const kept = keysInFile(store);
  if ((await kept.read()) !== undefined) {
    throw new ExpectedError('keysExist', 'You have keys already.', [], {
      next: `They are in ${kept.file}; without them nothing that was encrypted for you can be opened.`,
    });
  }
  const keys = await newKeys(name);
  await kept.write(keys);
  const shown = await publicKeys(keys);
  output.result({ ...shown, file: kept.file }, () => describe(shown, kept.file));
}

async function showKeys({ store, output }: Settings): Promise<void> {
  const { file } = keysInFile(store);
  const shown = await publicKeys(await ownKeys(store));
  output.result({ ...shown, file }, () => describe(shown, file));
}

/** @throws ExpectedError `noKeys` */
export async function ownKeys(store: string): Promise<Keys> {
  const keys = await keysInFile(store).read();
  if (keys) return keys;
  throw new ExpectedError('noKeys', 'You have no keys yet.', [], {
    next: 'Make them with "keepthread key new".',
  });
}

const describe = ({ name, createdAt, fingerprint, recipient }: PublicKeys, file: string): string =>
  facts([
    ['Name', plain(name ?? '')],
    ['Made', when(createdAt)],
    ['Recipient', recipient],
    ['Fingerprint', fingerprint],
    ['Kept in', plain(file)],
  ]);
