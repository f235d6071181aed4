import type { JobProgress } from '../core/handoff.js';

interface Job {
  readonly abort: AbortController;
  progress: JobProgress;
}

/** What long work is told: when to stop, and whom to tell how far it is. */
export interface JobControl {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Long work that somebody may look at or cancel from another thread, by a name of theirs. */
export class Jobs {
  private readonly running = new Map<string, Job>();

  async run<T>(name: string | undefined, work: (control: JobControl) => Promise<T>): Promise<T> {
    const job: Job = { abort: new AbortController(), progress: { done: 0, total: 0 } };
    const onProgress = (done: number, total: number): void => {
      job.progress = { done, total };
    };
    if (name !== undefined) this.running.set(name, job);
    try {
      return await work({ signal: job.abort.signal, onProgress });
    } finally {
      if (name !== undefined) this.running.delete(name);
    }
  }

  progressOf(name: string): JobProgress | undefined {
    return this.running.get(name)?.progress;
  }

  cancel(name: string): void {
    this.running.get(name)?.abort.abort();
  }
}
