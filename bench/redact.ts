// What looking for secrets costs, on real source and on text made to be slow, and how often it is wrong on
// real source. Usage: redact.ts [SCRATCH FIGURES]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hostile, hostilePieces } from '../src/core/redact/corpus/adversarial.js';
import type { Lane } from '../src/core/redact/finding.js';
import { KnownValues } from '../src/core/redact/knownValues.js';
import { Redactor } from '../src/core/redact/redactor.js';
import { median, milliseconds, writeFigures, type Figure } from './figures.js';

const MB = 1024 * 1024;
const modules = path.join(import.meta.dirname, '../node_modules');
const [, figuresFile] = process.argv.slice(2);

/** Time of this process alone: other work on the machine does not count. */
const cost = (text: string, run: (text: string) => unknown): number => {
  const before = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 / text.length) * MB;
};

function* sources(folder: string, left: { bytes: number }): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (left.bytes <= 0) return;
    // Caches, and what tests build there.
    if (entry.name.startsWith('.')) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file, left);
    else if (/\.(?:[cm]?[jt]s|json|md)$/.test(entry.name)) {
      const text = readFileSync(file, 'utf8');
      left.bytes -= text.length;
      yield text;
    }
  }
}

const known = new KnownValues(
  Array.from({ length: 100 }, (_, index) => `known value ${index * 7919} of the bench`),
);
const redactorOf = (lane: Lane): Redactor =>
  new Redactor(lane === 'share' ? { lane, knownValues: known } : { lane });

const realSource = (lane: Lane): readonly Figure[] => {
  const redactor = redactorOf(lane);
  const pieces = [...sources(modules, { bytes: 60 * MB })];
  const joined: string[] = [];
  for (let at = 0; at < pieces.length; at += 200) {
    joined.push(pieces.slice(at, at + 200).join('\n'));
  }
  let findings = 0;
  const costs = joined.map((text) =>
    cost(text, (given) => (findings += redactor.text(given).findings.length)),
  );
  const size = joined.reduce((sum, text) => sum + text.length, 0) / MB;
  return [
    {
      what: `${lane} lane, real source (${size.toFixed(0)} MB), for each MB`,
      measured: `${milliseconds(median(costs))} (at most ${milliseconds(Math.max(...costs))})`,
      goal: 'median below 80 ms',
    },
    {
      what: `${lane} lane, findings in real source, for each MB`,
      measured: (findings / size).toFixed(2),
      goal: 'at most 1',
    },
  ];
};

const hostileText = (lane: Lane): Figure => {
  const redactor = redactorOf(lane);
  const costs = hostilePieces.map((piece): readonly [string, number] => [
    piece,
    cost(hostile(piece, MB), (text) => redactor.text(text)),
  ]);
  costs.sort((a, b) => b[1] - a[1]);
  for (const [piece, ms] of costs.slice(0, 5)) {
    console.log(`  ${JSON.stringify(piece)} ${milliseconds(ms)}`);
  }
  return {
    what: `${lane} lane, ${costs.length} hostile texts of 1 MB`,
    measured: `at most ${milliseconds(costs[0]?.[1] ?? 0)}`,
    goal: 'below 500 ms',
  };
};

/** Records as agents write them: what reading a transcript adds to parsing it. */
const transcript = (): Figure => {
  const redactor = redactorOf('save');
  const lines = [...sources(path.join(modules, 'typescript/lib'), { bytes: 8 * MB })].flatMap(
    (text) => text.match(/[^]{1,4000}/g) ?? [],
  );
  const records = lines.map((content) =>
    JSON.stringify({
      type: 'user',
      uuid: 'a',
      message: { content: [{ type: 'text', text: content }] },
    }),
  );
  const all = records.join('\n');
  const encoder = new TextEncoder();
  const bytes = records.map((record) => encoder.encode(record));
  const parsed = cost(all, () => records.forEach((record) => void JSON.parse(record)));
  const redacted = cost(all, () => bytes.forEach((record) => void redactor.record(record)));
  return {
    what: 'save lane, records of a transcript, for each MB',
    measured: `${milliseconds(redacted)} (JSON.parse alone ${milliseconds(parsed)})`,
    goal: '',
  };
};

const figures = [
  ...realSource('save'),
  ...realSource('share'),
  transcript(),
  hostileText('save'),
  hostileText('share'),
];
for (const { what, measured, goal } of figures) console.log(`${what}: ${measured} (goal: ${goal})`);
if (figuresFile !== undefined) writeFigures(figuresFile, figures);
