import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../scripts/vscode/browser.js';
import { installServer } from '../../scripts/vscode/install.js';
import type { Unlock } from '../../src/core/handoff.js';
import { decrypted, encrypted, type Lock } from '../../src/handoff/age.js';

const { resolve } = createRequire(import.meta.url);

/** Around the size of the pieces that age encrypts, 64 KiB. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 200_000];

suite('rage, another implementation of age', function () {
  this.timeout(600_000);
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  suiteSetup(async function () {
    this.timeout(600_000);
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'keepthread-age-')));
    const { browser: brought } = installServer(path.join(import.meta.dirname, '..', '..'));
    browser = await openBrowser(path.join(folder, 'profile'), brought);
    // rage as WebAssembly is made for browsers; it comes from an address that only this page has.
    const rage = path.join(path.dirname(resolve('@kanru/rage-wasm/package.json')), 'dist/index.js');
    await browser.route('**/*', (route) =>
      route.request().url().endsWith('/rage.js')
        ? route.fulfill({ path: rage, contentType: 'text/javascript' })
        : route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }),
    );
    page = browser.pages()[0] ?? (await browser.newPage());
    await page.goto('https://rage.invalid/');
  });
  suiteTeardown(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Calls a function of rage's; bytes go and come as base64. */
  const rage = async <T extends string | string[]>(
    name: string,
    ...args: readonly (string | boolean | Uint8Array)[]
  ): Promise<T> => {
    const given = args.map((arg) =>
      arg instanceof Uint8Array
        ? `Uint8Array.from(atob('${Buffer.from(arg).toString('base64')}'), (c) => c.charCodeAt(0))`
        : JSON.stringify(arg),
    );
    return page.evaluate<T>(`import('/rage.js')
      .then((rage) => rage.${name}(${given.join()}))
      .then((made) => made instanceof Uint8Array
        ? btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(''))
        : made)`);
  };
  const bytes = async (made: Promise<string>): Promise<Buffer> => Buffer.from(await made, 'base64');

  async function* chunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += 1000) {
      yield await Promise.resolve(content.subarray(at, at + 1000));
    }
  }
  const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    return Buffer.concat(all);
  };
  const lock = (content: Uint8Array, how: Lock) => collect(encrypted(chunks(content), how));
  const unlock = (content: Uint8Array, how: Unlock) => collect(decrypted(chunks(content), how));
  const contentOf = (size: number): Buffer =>
    Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251));

  test('opens what we encrypt for a recipient, and we what it does', async () => {
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const [theirs = '', theirRecipient = ''] = await rage<string[]>('keygen');
    for (const size of sizes) {
      const content = contentOf(size);
      const ours = await lock(content, { recipients: [recipient, theirRecipient] });
      for (const key of [identity, theirs]) {
        assert.deepEqual(await bytes(rage('decrypt_with_x25519', key, ours)), content);
      }
      const from = await bytes(rage('encrypt_with_x25519', recipient, content, false));
      assert.deepEqual(await unlock(from, { identities: [identity] }), content);
    }
  });

  test('opens what we encrypt with a passphrase, and we what it does', async () => {
    const content = contentOf(70_000);
    const passphrase = 'päss phrase 短语';
    const ours = await lock(content, { passphrase });
    const opened = await bytes(rage('decrypt_with_user_passphrase', passphrase, ours));
    assert.deepEqual(opened, content);
    const theirs = await bytes(rage('encrypt_with_user_passphrase', passphrase, content, false));
    assert.deepEqual(await unlock(theirs, { passphrase }), content);
  });
});
