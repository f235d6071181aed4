// Searching conversations: how long the images take, the first query after a start, warm ones, memory and disk.
// Usage: search.ts SCRATCH FIGURES [MEGABYTES] (with a home of its own); with a fourth argument only the queries
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openProject } from '../src/library/openProject.js';
import { Searcher } from '../src/library/search/searcher.js';
import type { Figure } from './figures.js';
import { readFigures, writeFigures } from './figures.js';
import { folderBytes, openRequest, wasm } from './project.js';

const [scratch = '', figures = '', megabytes = '100', phase] = process.argv.slice(2);
const MB = 1024 ** 2;
const wanted = Number(megabytes) * MB;
const request = { ...openRequest(scratch), view: path.join(scratch, 'view') };

/** Numbers that are the same in every run. */
let seed = 1;
const random = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};
const pick = (words: readonly string[]): string =>
  // As words are in language: the n-th is n times rarer than the first, about.
  words[Math.floor(words.length ** random()) - 1] ?? '';

const syllables = ['re', 'ta', 'con', 'ser', 'vi', 'po', 'lu', 'men', 'dar', 'ki', 'no', 'sha'];
const spell = (number: number): string => {
  let word = '';
  for (let left = number + 12; left > 0; left = Math.floor(left / 12)) {
    word += syllables[left % 12] ?? '';
  }
  return word;
};
const words = Array.from({ length: 50_000 }, (_, at) => spell(at));
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const names = Array.from({ length: 20_000 }, (_, at) => {
  const parts = [spell(at % 700), spell((at * 7) % 900), spell((at * 13) % 400)];
  return at % 2 === 0
    ? parts.join('_')
    : parts.map((part, n) => (n === 0 ? part : capital(part))).join('');
});
const han = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7));

const prose = (length: number): string => {
  let text = '';
  while (text.length < length) {
    const kind = random();
    if (kind < 0.8) text += `${pick(words)} `;
    else if (kind < 0.95) text += `${pick(names)}(${pick(words)}); `;
    else text += `${Array.from({ length: 8 }, () => pick(han)).join('')} `;
  }
  return text;
};

async function fill(): Promise<number> {
  const { store } = await openProject(request, wasm, Infinity);
  let text = 0;
  for (let thread = 0; text < wanted; thread++) {
    const sessionId = `00000000-0000-4000-8000-${String(thread).padStart(12, '0')}`;
    const records = Array.from({ length: 400 }, (_, at) => {
      const said = prose(at % 4 === 3 ? 8_000 : 1_200);
      text += said.length;
      const isAsked = at % 2 === 0;
      return {
        type: isAsked ? 'user' : 'assistant',
        uuid: `${sessionId}-${at}`,
        parentUuid: at === 0 ? null : `${sessionId}-${at - 1}`,
        ...{ sessionId, cwd: '/bench', version: '2.1.332' },
        timestamp: new Date(Date.UTC(2026, 0, 1) + thread * 3_600_000 + at * 1000).toISOString(),
        message: isAsked
          ? { role: 'user', content: said }
          : {
              role: 'assistant',
              id: `m${at}`,
              model: 'm',
              content: [{ type: 'text', text: said }],
            },
      };
    });
    const encoded = records.map((record) => Buffer.from(JSON.stringify(record)));
    await store.appendRecords(encoded, {
      ...{ schemaVersion: 1, thread: `claude-code:${sessionId}`, generation: 0, first: 0 },
      count: encoded.length,
      cursor: {
        path: '/bench.jsonl',
        offset: 0,
        generation: 0,
        records: encoded.length,
        state: {},
      },
    });
  }
  await store.close();
  return text;
}

const queries = [
  ...[5, 50, 500, 5_000, 30_000].map((at) => words[at] ?? ''),
  ...[3, 300, 9_000].map((at) => names[at] ?? ''),
  ...[2, 40].map((at) => `${(words[at] ?? '').slice(0, 4)}*`),
  `${words[10] ?? ''} ${words[200] ?? ''} ${words[900] ?? ''}`,
  `"${words[1] ?? ''} ${words[2] ?? ''}"`,
  ...[3, 90, 900].map((at) => `${han[at] ?? ''}${han[1] ?? ''}`),
  ...[700, 1_500].map((at) => han[at] ?? ''),
  `${words[300] ?? ''} role:user after:2026-01-02`,
  'nothingofthekind',
];

/** In a process of its own, so that its memory is that of searching. */
async function measure(): Promise<void> {
  const { store } = await openProject(request, wasm, Infinity);
  const options = { store, wasm, mayWrite: true, folders: [] };
  const before = process.memoryUsage().rss;
  const searcher = new Searcher(options);
  const timed = async (query: string): Promise<number> => {
    const begin = performance.now();
    await searcher.search(query, { asYouType: true, limit: 40 });
    return performance.now() - begin;
  };
  const start = process.cpuUsage();
  const first = await timed(words[77] ?? '');
  const spent = process.cpuUsage(start);
  const ownFirst = (spent.user + spent.system) / 1000;
  for (const query of queries) await timed(query);
  const warm: number[] = [];
  // Time of this process alone: other work on the machine does not count.
  const own: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const query of queries) {
      const before = process.cpuUsage();
      warm.push(await timed(query));
      const { user, system } = process.cpuUsage(before);
      own.push((user + system) / 1000);
    }
  }
  const at = (times: readonly number[], share: number): string =>
    `${(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  const { rss } = process.memoryUsage();
  await searcher.close();
  await store.close();
  const of = `over ${megabytes} MB of text`;
  writeFigures(figures, [
    {
      what: `first query after a start, ${of}`,
      measured: `${first.toFixed(0)} ms, of its own ${ownFirst.toFixed(0)} ms`,
      goal: 'below 1 s',
    },
    {
      what: `warm query of words, identifiers, prefixes, phrases and Chinese, ${of}`,
      measured: `p95 ${at(warm, 0.95)}, of its own ${at(own, 0.95)} (p50 ${at(warm, 0.5)} and ${at(own, 0.5)}, ${warm.length} queries)`,
      goal: 'p95 below 50 ms',
    },
    {
      what: `memory of a process that searches ${of}`,
      measured: `${(rss / MB).toFixed(0)} MB, ${((rss - before) / MB).toFixed(0)} of them for searching`,
      goal: 'below 300 MB',
    },
  ]);
}

async function main(): Promise<void> {
  const text = await fill();
  const { store, vaultFolders } = await openProject(request, wasm, Infinity);
  const searcher = new Searcher({ store, wasm, mayWrite: true, folders: [] });
  const before = process.cpuUsage();
  const begin = performance.now();
  await searcher.build();
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(before);
  await searcher.close();
  await store.close();
  const images = folderBytes(path.join(vaultFolders[0] ?? '', 'search'));
  const again = [...process.execArgv, import.meta.filename, scratch, figures, megabytes, 'measure'];
  execFileSync(process.execPath, again, { stdio: 'inherit' });
  const built: Figure = {
    what: `building the images of ${megabytes} MB of text`,
    measured: `${(text / MB / seconds).toFixed(1)} MB/s (${(text / MB / ((user + system) / 1e6)).toFixed(1)} MB for each second of one core)`,
    goal: '',
  };
  const disk: Figure = {
    what: 'images on the disk for each MB of text',
    measured: `${(images / text).toFixed(2)}x`,
    goal: '',
  };
  writeFigures(figures, [...readFigures(figures), built, disk]);
}

await (phase === undefined ? main() : measure());
