import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { Engine, EngineEvents } from '../core/engine.js';
import { createEngine } from './engine.js';
import { packMessage, unpackMessage } from './wire.js';

/** What the window gives its worker at the start. */
export interface WorkerInput {
  /** Path of `sql-wasm.wasm`. */
  readonly wasm: string;
}

const port = parentPort;
if (port === null) throw new Error('worker.js runs in a worker thread only');
const { wasm } = workerData as WorkerInput;

/** All of them: one that is missing here is never heard of in the window. */
const events: Required<EngineEvents> = {
  changed: () => void window.changed.asEvent(),
  turnEnded: (threadId) => void window.turnEnded.asEvent(threadId),
  activity: (threadIds) => void window.activity.asEvent(threadIds),
  problem: (problem) => void window.problem.asEvent(problem),
  building: (progress) => void window.building.asEvent(progress),
  reading: (progress) => void window.reading.asEvent(progress),
};
const engine: Engine = createEngine({ wasm, events });

const window = createBirpc<Required<EngineEvents>, Engine>(engine, {
  post: (message) => port.postMessage(message),
  on: (receive) => void port.on('message', receive),
  serialize: packMessage,
  deserialize: unpackMessage,
  bind: 'functions',
  timeout: -1,
});
