import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from '../../src/extension/ids.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';

/** The conversation that came with the sample workspace. */
export async function claudeThread(): Promise<string> {
  await call(Command.refresh);
  await call(Command.save, {});
  const store = path.join(hostRun.home, '.claude', 'projects');
  const [file] = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  assert.ok(file);
  return `claude-code:${path.basename(file, '.jsonl')}`;
}

/** Puts a program first on the PATH; the returned function takes it away. */
export function installProgram(name: string, script: string): () => void {
  const folder = path.join(hostRun.scratch, 'bin');
  const before = process.env['PATH'] ?? '';
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  process.env['PATH'] = `${folder}${path.delimiter}${before}`;
  return () => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  };
}
