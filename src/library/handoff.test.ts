import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExpected } from '../core/errors.js';
import { newId } from '../core/model/ids.js';
import { encodeHandoff } from '../handoff/encode.js';
import { newSigningKey } from '../handoff/signing.js';
import { entriesOf, factsOf, sessionFile } from '../handoff/testFiles.js';
import { contentOf } from './testContent.js';
import type { Store } from './store.js';
import { Machine } from './testMachine.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures/handoff/', import.meta.url));

suite('a session that goes from one machine to another', function () {
  this.timeout(900_000);
  let ann: Machine;
  let bob: Machine;
  setup(async () => {
    ann = await new Machine().open();
    bob = await new Machine().open();
  });
  teardown(async () => {
    await ann.close();
    await bob.close();
  });

  /** Saves a session and answers with its id. */
  async function save(
    store: Store,
    made: {
      readonly title: string;
      readonly goal: string;
      readonly tags: string[];
      readonly label: string;
      readonly draft: string;
      readonly records: readonly string[];
    },
  ) {
    const sessionId = newId();
    const thread = `claude-code:${newId()}`;
    const records = made.records.map((record) => Buffer.from(record));
    const cursor = { path: 'x', offset: 0, generation: 0, records: records.length, state: {} };
    await store.appendRecords(records, {
      schemaVersion: 1,
      thread,
      generation: 0,
      first: 0,
      count: records.length,
      cursor,
    });
    const place = {
      uri: `file:///w/${encodeURIComponent('ü #.txt')}`,
      folder: 'w',
      path: 'ü #.txt',
    };
    const draft = await store.putJson(made.draft);
    const editors = await store.putJson({
      groups: [{ tabs: [{ kind: 'text', place, label: made.label }] }],
      activeGroup: 0,
      views: [],
      drafts: [{ place, untitled: false, languageId: 'x', text: draft }],
    });
    const { title, goal, tags } = made;
    const set = { title, goal, tags, status: 'finished' as const };
    await store.appendSession({ schemaVersion: 1, sessionId, at: 5, joins: [thread], set });
    await store.appendSnapshot({
      schemaVersion: 1,
      id: newId(),
      sessionId,
      at: 6,
      reason: 'manual',
      label: made.label,
      parts: { editors },
      threads: [{ id: thread, generation: 0, records: records.length }],
      summary: { tabs: 1, changes: 0, turns: 0 },
    });
    return sessionId;
  }

  test('keeps what a newer version wrote and this one does not know, also when it is passed on', async () => {
    const file = join(bob.root, 'newer.keepthread');
    writeFileSync(file, await sessionFile({ version: '1.7' }));
    const { sessionId, inspection } = await bob.import(file);
    assert.deepEqual([inspection.isNewer, inspection.unknown], [true, ['later', 'mood', 'colour']]);
    const { file: passedOn } = await bob.export(sessionId);
    const content = await contentOf(passedOn);
    assert.equal((content.session as { mood?: string }).mood, 'good');
    assert.equal((content.threads[0] as { colour?: string }).colour, 'red');
    assert.equal((content.snapshots[0] as { weather?: string }).weather, 'sunny');
    assert.match(JSON.stringify(content.parts[0]), /"glow":1/);
    assert.deepEqual(content.other, [{ kind: 'later', of: 'a newer version' }]);
    assert.deepEqual((content.session as { lineage?: string[] }).lineage, ['s1']);
  });

  test('of every version that was ever written can be read', async () => {
    const files = readdirSync(fixtures).filter((name) => name.endsWith('.keepthread'));
    assert.ok(files.includes('v1-0-plain.keepthread') && files.includes('v1-0-zstd.keepthread'));
    for (const name of files) {
      const { inspection } = await bob.import(join(fixtures, name));
      assert.equal(inspection.session.title, 'Fix the login', name);
      assert.deepEqual(
        inspection.threads.map(({ records }) => records),
        [3],
        name,
      );
    }
    assert.equal(bob.store.index.sessions().length, 1);
  });

  test('says who signed it: new here, known the next time, and broken when it was signed for other content', async () => {
    const made = { title: 'T', goal: '', tags: [], label: '', draft: '', records: ['{}'] };
    const id = await save(ann.store, made);
    const signingKey = newSigningKey();
    const { file, fingerprint } = await ann.export(id, { signingKey, author: 'Ann' });
    const first = await bob.import(file);
    assert.deepEqual(first.inspection.author, {
      name: 'Ann',
      signature: 'unknown',
      fingerprint,
      knownSince: undefined,
      isNameOfOther: false,
    });
    assert.equal((await bob.import(file)).inspection.author.signature, 'verified');
    const mark = bob.store.index.session(first.sessionId)?.origin;
    assert.deepEqual([mark?.from, mark?.trust], ['Ann', 'unverified']);

    const other = await ann.export(id, { signingKey: newSigningKey(), author: 'Ann' });
    assert.equal((await bob.import(other.file)).inspection.author.isNameOfOther, true);

    // A file that names a key and has no signature of it.
    const [session, ...rest] = entriesOf();
    const claimed = [{ ...session, signedBy: fingerprint }, ...rest];
    const chunks: Buffer[] = [];
    const facts = () => ({ ...factsOf(), author: { name: 'Ann', key: fingerprint } });
    for await (const chunk of encodeHandoff(claimed, facts)) chunks.push(chunk);
    writeFileSync(file, Buffer.concat(chunks));
    await assert.rejects(bob.import(file), (error) => isExpected(error, 'handoffRefused'));
  });

  test('is opened by whom it was encrypted for, and by nobody else', async () => {
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const made = { title: 'T', goal: '', tags: [], label: '', draft: '', records: ['{}'] };
    const { file } = await ann.export(await save(ann.store, made), {
      lock: { recipients: [recipient] },
    });
    const locked = (error: unknown): boolean => isExpected(error, 'handoffLocked');
    await assert.rejects(bob.import(file), locked);
    const others = { identities: [await generateX25519Identity()] };
    await assert.rejects(bob.import(file, { unlock: others }), locked);
    assert.equal((await bob.import(file, { unlock: { identities: [identity] } })).outcome, 'new');
    // Any tool of age gives the plain file.
    const { Decrypter } = await import('age-encryption');
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = Buffer.from(await decrypter.decrypt(readFileSync(file)));
    assert.match(plain.toString('latin1', 0, 30), /^\{"format":"keepthread"/);
    writeFileSync(file, plain);
    assert.equal((await bob.import(file)).outcome, 'unchanged');
  });

  test('never replaces what was changed here, unless told', async () => {
    const made = { title: 'One', goal: 'Same', tags: [], label: '', draft: '', records: ['{}'] };
    const id = await save(ann.store, made);
    const first = await bob.import((await ann.export(id)).file);
    await ann.store.appendSession({
      schemaVersion: 1,
      sessionId: id,
      at: 9,
      set: { title: 'Two', goal: 'New' },
    });
    const mine = { title: 'Mine' };
    await bob.store.appendSession({
      schemaVersion: 1,
      sessionId: first.sessionId,
      at: 9,
      set: mine,
    });
    const { file } = await ann.export(id);
    const second = await bob.import(file);
    assert.deepEqual([second.outcome, second.conflicts], ['updated', ['title']]);
    const now = () => bob.store.index.session(first.sessionId);
    assert.deepEqual([now()?.title, now()?.goal], ['Mine', 'New']);
  });
});
