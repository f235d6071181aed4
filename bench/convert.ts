// What it costs to make a conversation of 2,000 turns and 3 MB one of another agent: reading its file, saying
// what it means, writing it in the other's form, in this process, whose own time counts. Usage: convert.ts FOLDER FIGURES
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { convertThread } from '../src/agents/convert.js';
import { foldFile } from '../src/agents/foldFile.js';
import { sourceOf } from '../src/agents/registry.js';
import type { FoundThread, Source } from '../src/agents/source.js';
import type { Target } from '../src/agents/target.js';
import { targets } from '../src/agents/targets.js';
import type { Part, Thread, Turn } from '../src/core/model/thread.js';
import { median, milliseconds, writeFigures } from './figures.js';

const [folder = '.', figuresFile = 'figures.json'] = process.argv.slice(2);
const runs = 3;
const turnCount = 2000;
const place = { cwd: folder, env: {}, userHome: path.join(folder, 'home') };

/** Prompts, answers, calls of a shell and their results, with as much text as makes 3 MB. */
const turnAt = (index: number): Turn => {
  const words = `第 ${index} turn of the work `.repeat(30);
  const call: Part = {
    kind: 'toolCall',
    id: `call_${index}`,
    name: 'Bash',
    input: { command: `grep -rn word${index} src` },
    result: { text: words, isError: index % 10 === 1 },
  };
  const text: Part = { kind: 'text', text: words };
  const isPrompt = index % 4 === 0;
  return {
    id: `turn-${index}`,
    role: isPrompt ? 'user' : 'assistant',
    at: Date.UTC(2026, 0, 5) + index * 1000,
    model: isPrompt ? undefined : 'some-model',
    parts: index % 4 === 1 || index % 4 === 2 ? [text, call] : [text],
  };
};
const made: Thread = {
  agent: 'claude-code',
  nativeId: 'made',
  title: 'A long piece of work',
  cwd: folder,
  turns: Array.from({ length: turnCount }, (_, index) => turnAt(index)),
  todos: [],
  counts: {} as Thread['counts'],
  skipped: [],
};

/** The file of a source is made by our own target for it. */
async function fileFor(target: Target): Promise<FoundThread> {
  const { files, nativeId } = await convertThread({ thread: made }, target, place);
  const [largest] = files.toSorted((a, b) => b.bytes.length - a.bytes.length);
  if (largest === undefined) throw new Error(`${target.agent} writes no file`);
  const file = path.join(folder, target.agent, path.basename(largest.path));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, largest.bytes);
  const { size, mtimeMs } = await stat(file);
  return { nativeId, path: file, bytes: size, modifiedAt: mtimeMs };
}

async function timeOf(source: Source, found: FoundThread, target: Target): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    const thread = (await foldFile(source, found, { images: true })).thread();
    const { files } = await convertThread({ thread }, target, place);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    if (thread.turns.length < turnCount || files.length === 0) {
      throw new Error('Turns are missing.');
    }
  }
  return median(times);
}

// A window has done so before; the very first time costs more.
const [first] = targets;
const warm = first && sourceOf(first.agent);
if (first !== undefined && warm !== undefined) await timeOf(warm, await fileFor(first), first);

const pairs: { readonly pair: string; readonly ms: number; readonly bytes: number }[] = [];
// One that keeps no calls keeps fewer turns of these.
const sources = targets.filter(
  (target) => target.importer === undefined && target.takes.calls !== false,
);
for (const from of sources) {
  const source = sourceOf(from.agent);
  if (source === undefined) continue;
  const found = await fileFor(from);
  // What reads it has run before, too: else only the pair that comes first would be measured with its compiling.
  if (first !== undefined) await timeOf(source, found, first);
  for (const to of targets) {
    const ms = await timeOf(source, found, to);
    pairs.push({ pair: `${from.name} to ${to.name}`, ms, bytes: found.bytes });
  }
}
pairs.sort((a, b) => b.ms - a.ms);
for (const { pair, ms } of pairs) console.log(`  ${pair}: ${milliseconds(ms)}`);
const sizes = pairs.map(({ bytes }) => bytes / 1024 ** 2);
const [slowest] = pairs;
writeFigures(figuresFile, [
  {
    what: `one conversation of ${turnCount.toLocaleString('en')} turns (${Math.min(...sizes).toFixed(1)} to ${Math.max(...sizes).toFixed(1)} MB) for another agent, in process`,
    measured: `${milliseconds(median(pairs.map(({ ms }) => ms)))} (median of ${pairs.length} pairs; at most ${milliseconds(slowest?.ms ?? 0)}, ${slowest?.pair ?? ''})`,
    goal: 'each pair below 250 ms',
  },
]);
