import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { Engine, EngineEvents } from '../../core/engine.js';
import type { WorkerInput } from '../../library/worker.js';
import { packMessage, unpackMessage } from '../../library/wire.js';

export interface EngineClient {
  readonly engine: Engine;
  /** Stops the thread; what was acknowledged is on disk already. */
  stop(): Promise<void>;
}

/**
 * Megabytes for the engine's young objects. V8 takes up to 192 where it is left to itself from Node.js 24 on: memory
 * that is kept when all conversations were read, for no gain in time.
 */
export const youngGenerationMb = 24;

/**
 * Starts the engine in a worker thread. When the thread dies, every call that waits rejects, and
 * `onDeath` is told once.
 *
 * @param script Absolute path of the bundled `worker.js`.
 */
export function startEngine(
  script: string,
  input: WorkerInput,
  events: EngineEvents,
  onDeath: (error: Error) => void,
): EngineClient {
  const worker = new Worker(script, {
    workerData: input,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  const engine = createBirpc<Engine, EngineEvents>(events, {
    post: (message) => worker.postMessage(message),
    on: (receive) => void worker.on('message', receive),
    serialize: packMessage,
    deserialize: unpackMessage,
    bind: 'functions',
    timeout: -1,
  });
  let stopping = false;
  const died = (error: Error): void => {
    if (stopping) return;
    stopping = true;
    engine.$close(error);
    onDeath(error);
  };
  worker.on('error', died);
  worker.on('exit', (code) => died(new Error(`The engine's thread ended with code ${code}`)));
  return {
    engine,
    stop: async () => {
      stopping = true;
      await worker.terminate();
      engine.$close();
    },
  };
}
