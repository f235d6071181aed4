import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { inspectFile, type Inspection } from './inspect.js';
import { sources } from './registry.js';

const fixtures = new URL('../../test/fixtures/', import.meta.url).pathname;

/** Transcripts that are whole: those of programs, and those written by hand from the notes. */
const whole = sources.flatMap(({ agent }) =>
  readdirSync(join(fixtures, agent))
    .filter((name) => /\.(?:jsonl?|chat)$/.test(name) && !/^(?:damaged|drift)/.test(name))
    .map((name) => ({ agent, path: join(fixtures, agent, name) })),
);
/** Kiro's first editor has Continue's form. */
const asked = (agent: string): string | undefined => (agent === 'kiro' ? agent : undefined);

/** What the file holds, without what could not be read of it. */
const held = ({ skipped, malformed, ...counts }: Inspection) => ({
  ...counts,
  skipped: skipped.length - malformed,
});

const novelty = { hologram: [{ type: 'text', text: 'not a prompt' }], version: 99 };
const novelRecord = JSON.stringify({ kindOfNextYear: novelty });

/** The value with members of next year in it, and in the items of its lists of objects. */
function withNovelty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNovelty);
  return typeof value === 'object' && value !== null ? { ...value, ofNextYear: novelty } : value;
}

/** A broken line, which some transcripts hold, is a text. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

suite('a large, a drifted and a damaged one of every store, made from a small one', function () {
  this.timeout(900_000);
  let dir: string;
  setup(async () => {
    dir = await mkdtemp(join(tmpdir(), 'store-sets-'));
  });
  teardown(() => rm(dir, { recursive: true }));

  for (const { agent, path } of whole) {
    const name = path.slice(fixtures.length);
    const text = readFileSync(path, 'utf8');
    const inspect = async (bytes: string | Buffer) => {
      const file = join(dir, `a${extname(path)}`);
      await writeFile(file, bytes);
      return inspectFile(file, asked(agent));
    };
    const isLog = path.endsWith('.jsonl');
    const lines = text.split('\n').filter((line) => line !== '');

    test(`${name}, large: a prompt of megabytes and its thousands of other records change no number`, async () => {
      const { firstPrompt, ...small } = held(await inspect(text));
      assert.ok(firstPrompt !== null, 'it has a prompt');
      const word = `${firstPrompt} ${'卡'.repeat(1_500_000)} end`;
      const grown = text.replaceAll(
        JSON.stringify(firstPrompt).slice(1, -1),
        JSON.stringify(word).slice(1, -1),
      );
      // Of a prompt in pieces there is no one place that could grow.
      const isWhole = grown.length > 1_500_000;
      assert.ok(isWhole || name === join('grok', 'updates.jsonl'));
      const many = isLog ? `${novelRecord}\n`.repeat(20_000) : '';
      const { firstPrompt: found, ...large } = held(await inspect(grown + many));
      assert.equal(found, isWhole ? word : firstPrompt);
      assert.deepEqual(large, small);
    });

    test(`${name}, drifted: records and members of next year change no number`, async () => {
      const drifted = isLog
        ? lines
            .flatMap((line) => [JSON.stringify(withNovelty(parsed(line))), novelRecord])
            .join('\n')
        : JSON.stringify(withNovelty(JSON.parse(text)), undefined, 2);
      assert.deepEqual(held(await inspect(drifted)), held(await inspect(text)));
    });

    test(`${name}, damaged: what is whole of it is read, and what is not is told`, async () => {
      const small = await inspect(text);
      if (isLog) {
        const bad = ['\0'.repeat(700), '[1]', 'null', '{"cut":', '\uFFFD\uFFFD'];
        const spoiled = lines.toSpliced(1, 0, ...bad).join('\n');
        const damaged = await inspect(`${spoiled}\n{"cut`);
        assert.deepEqual(held(damaged), held(small));
        assert.equal(damaged.malformed, small.malformed + bad.length + 1);
        assert.equal(damaged.skipped.length, small.skipped.length + bad.length + 1);
        return;
      }
      const bytes = Buffer.from(text);
      for (const part of [0.3, 0.5, 0.7, 0.9]) {
        const cut = await inspect(bytes.subarray(0, Math.floor(bytes.length * part))).catch(
          (error: unknown) => String(error),
        );
        if (typeof cut === 'string') {
          // Too little is left to tell whose it was; then that is said.
          assert.match(cut, /not known \(keys|not known \(no JSON/);
          continue;
        }
        assert.ok(cut.malformed > 0, `cut at ${part}`);
        assert.ok(cut.userTurns <= small.userTurns);
      }
    });
  }
});
