import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { storedZstd } from '../../test/agents/storedZstd.js';
import { isExpected } from '../core/errors.js';
import { inspectFile, type Inspection } from './inspect.js';
import { sources } from './registry.js';

const fixtures = new URL('../../test/fixtures/', import.meta.url).pathname;

/** Kept transcripts of every agent; a file that shares another agent's form is named with it. */
const transcripts = sources.flatMap(({ agent }) => {
  const names = readdirSync(join(fixtures, agent));
  return names
    .filter((name) => /\.(jsonl|json|md|txt|chat|db)$/.test(name) && name !== 'README.md')
    .map((name) => ({ agent, path: join(fixtures, agent, name) }));
});
const asked = (agent: string): string | undefined =>
  agent === 'kiro' || agent === 'kilo-code' ? agent : undefined;

/** Without what a byte's place says; `after` lines that were put before it. */
const counts = ({ skipped, ...rest }: Inspection, after = 0) => ({
  ...rest,
  skipped: skipped.map(({ line, reason }) => `${line - after} ${reason}`),
});

suite('a transcript is counted the same however it came here', function () {
  this.timeout(900_000);
  let dir: string;
  setup(async () => {
    dir = await mkdtemp(join(tmpdir(), 'any-file-'));
  });
  teardown(() => rm(dir, { recursive: true }));

  const same = (
    title: string,
    put: (from: string, into: string) => Promise<string | undefined>,
    after = 0,
  ) =>
    test(title, async () => {
      let tried = 0;
      for (const { agent, path } of transcripts) {
        const into = join(dir, String(tried++));
        await mkdir(into);
        const file = await put(path, into);
        if (file === undefined) continue;
        const expected = await inspectFile(path, asked(agent));
        assert.equal(expected.agent, agent, path);
        const found = await inspectFile(file, asked(agent));
        const isLog = !/\.(?:json|chat)$/.test(path);
        assert.deepEqual(counts(found, isLog ? after : 0), counts(expected), file);
      }
      assert.ok(tried > 60, `${tried} files`);
    });

  const isText = (path: string): boolean => extname(path) !== '.db';
  const copied = (name: string) => async (from: string, into: string) => {
    const to = join(into, name);
    await copyFile(from, to);
    await copyFile(`${from}-wal`, `${to}-wal`).catch(() => undefined);
    return to;
  };
  const written =
    (name: string, change: (bytes: Buffer) => Buffer) => async (from: string, into: string) => {
      if (!isText(from)) return undefined;
      const to = join(into, name);
      await writeFile(to, change(await readFile(from)));
      return to;
    };
  const text = (change: (text: string) => string, encoding: BufferEncoding) => (bytes: Buffer) =>
    Buffer.from(change(bytes.toString('utf8')), encoding);

  for (const name of ['a', 'a.txt', 'chat with spaces é.log', 'a.bak', 'a.json.old', 'a.md']) {
    same(`as ${name}`, copied(name));
  }
  same('as a text called .json', async (from, into) =>
    isText(from) ? copied('a.json')(from, into) : undefined,
  );
  same('as a text called .jsonl', async (from, into) =>
    isText(from) ? copied('a.jsonl')(from, into) : undefined,
  );
  same('through a link', async (from, into) => {
    const link = join(into, 'link');
    await symlink(await copied('real')(from, into), link);
    await symlink('real-wal', `${link}-wal`);
    return link;
  });
  same('alone in a folder, some levels down', async (from, into) => {
    // Told by its name alone: nothing in a folder says whose it is.
    if (from.endsWith('kiro/small.json')) return undefined;
    await mkdir(join(into, 'x/y'), { recursive: true });
    await copied(`x/y/a${extname(from)}`)(from, into);
    await writeFile(join(into, 'notes.txt'), 'not a transcript');
    return into;
  });
  same('compressed by gzip', written('a.jsonl.gz', gzipSync));
  same('compressed by zstd', written('a', storedZstd));

  /** Not of those whose bytes are no text at some place: they have nothing to be in another encoding. */
  const whole = (change: (bytes: Buffer) => Buffer) => (bytes: Buffer) =>
    bytes.equals(Buffer.from(bytes.toString('utf8'))) ? change(bytes) : bytes;
  same('in UTF-16', written('a.jsonl', whole(text((all) => `\uFEFF${all}`, 'utf16le'))));
  same('in UTF-16 without its mark', written('a.jsonl', whole(text((all) => all, 'utf16le'))));
  same(
    'in UTF-16 of the other order',
    written(
      'a',
      whole((bytes) => text((all) => `\uFEFF${all}`, 'utf16le')(bytes).swap16()),
    ),
  );
  same(
    'behind a byte order mark',
    written('a', (bytes) => Buffer.concat([mark, bytes])),
  );
  const mark = Buffer.from('\uFEFF');
  same(
    'with line ends of Windows',
    written('a', whole(text((all) => all.replace(/\r?\n/g, '\r\n'), 'utf8'))),
  );
  const blank = Buffer.from('\n\n');
  same(
    'with blank lines before it',
    written('a', (bytes) => Buffer.concat([blank, bytes])),
    2,
  );

  test('nothing of ours is left behind', async () => {
    const { TMPDIR, TEMP, TMP } = process.env;
    const ours = join(dir, 'tmp');
    await mkdir(ours);
    Object.assign(process.env, { TMPDIR: ours, TEMP: ours, TMP: ours });
    try {
      const path = join(dir, 'a.gz');
      await writeFile(path, gzipSync(await readFile(join(fixtures, 'claude-code/small.jsonl'))));
      assert.equal((await inspectFile(path)).userTurns, 2);
      await writeFile(path, gzipSync('{"alpha":1}'));
      await assert.rejects(inspectFile(path), (error) => isExpected(error, 'unknownFormat'));
      assert.deepEqual(await readdir(ours), []);
    } finally {
      for (const [name, value] of Object.entries({ TMPDIR, TEMP, TMP })) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
});

suite('what is no transcript that we know', () => {
  let dir: string;
  setup(async () => {
    dir = await mkdtemp(join(tmpdir(), 'no-transcript-'));
  });
  teardown(() => rm(dir, { recursive: true }));

  const told = (
    title: string,
    make: (path: string) => Promise<unknown>,
    words: RegExp,
    agent?: string,
  ) =>
    test(title, async () => {
      const path = join(dir, 'it');
      await make(path);
      await assert.rejects(inspectFile(path, agent), (error) => {
        assert.ok(isExpected(error));
        assert.match(error.message, words);
        return true;
      });
    });
  const file = (bytes: string | Buffer) => (path: string) => writeFile(path, bytes);

  told(
    'names its keys',
    file('{"alpha":1,"beta":{"gamma":2}}\n'),
    /not known \(keys alpha, beta\)/,
  );
  told('names the keys of a list', file('[\n {"alpha": 1, "x\\u001b": 2}]'), /\(keys alpha, x\?\)/);
  told('says that it is no JSON', file('hello\n'), /not known \(no JSON\)/);
  told('is an empty file', file(''), /not known/);
  told(
    'is another agent’s than was said, which holds no zeros',
    async (path) => copyFile(join(fixtures, 'codex/small.jsonl'), path),
    /not known \(keys .*payload/,
    'claude-code',
  );
  told(
    'is a database of something else',
    async (path) => {
      const { writeDatabase } = await import('./sqlite/testDatabase.js');
      await writeDatabase(path, 'CREATE TABLE later (id)');
    },
    /not known/,
  );
  told('is a damaged archive', file(gzipSync('{}\n').subarray(0, 12)), /is damaged/);
  told('is an empty folder', (path) => mkdir(path), /no transcript .* \(0 files looked at\)/);
  told('is a pipe', (path) => promisify(execFile)('mkfifo', [path]), /is not a file/);
  told(
    'is a folder of several, each of which is named',
    async (path) => {
      await cp(join(fixtures, 'codex'), path, { recursive: true });
    },
    /holds \d transcripts/,
  );
  told(
    'is the head of a session of OpenCode alone',
    file('{"id":"ses_1","projectID":"p","directory":"/w","title":"t","time":{"created":1}}'),
    /says what a session is about, and no more/,
  );

  test('a task’s folder is its task, not two', async () => {
    const cline = join(fixtures, 'cline');
    await copyFile(join(cline, 'small-model-log.json'), join(dir, 'api_conversation_history.json'));
    await copyFile(join(cline, 'small-shown-log.json'), join(dir, 'ui_messages.json'));
    const { agent, toolCalls } = await inspectFile(dir);
    assert.deepEqual([agent, toolCalls === null], ['cline', false]);
  });
});
