import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineEvents, OpenRequest } from '../src/core/engine.js';

export const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** For an engine whose news nobody waits for; what cannot be read is an error here. */
export const silent: EngineEvents = {
  changed: () => undefined,
  turnEnded: () => undefined,
  activity: () => undefined,
  problem: ({ where, message }) => console.error(where, message),
};

/** A vault of its own for a folder without git. */
export const openRequest = (scratch: string): OpenRequest => {
  const folder = path.join(scratch, 'project');
  mkdirSync(folder, { recursive: true });
  return {
    store: path.join(scratch, 'store'),
    folders: [{ name: 'project', uri: pathToFileURL(folder).href }],
    trusted: true,
    chatStores: [],
    settings: {
      maxFileBytes: 1024 * 1024,
      maxFiles: 100,
      redact: true,
      agentHomes: {},
      pollMs: 0,
    },
  };
};

/** Bytes of all files below a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

/** Text that compresses about as well as a conversation: words from a small dictionary in random order. */
export const prose = (bytes: number): string => {
  let text = '';
  while (text.length < bytes) text += `${words[Math.floor(Math.random() * words.length)] ?? ''} `;
  return text.slice(0, bytes);
};

const words = Array.from({ length: 2_000 }, () =>
  Math.random()
    .toString(36)
    .slice(2, 4 + Math.floor(Math.random() * 8)),
);
