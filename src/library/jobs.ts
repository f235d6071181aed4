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
  /** Cancelled before they began, as when a person is quicker than the thread that works. */
  private readonly early = new Set<string>();

  async run<T>(name: string | undefined, work: (control: JobControl) => Promise<T>): Promise<T> {
    const job: Job = { abort: new AbortController(), progress: { done: 0, total: 0 } };
    const onProgress = (done: number, total: number): void => {
      job.progress = { done, total };
    };
    if (name !== undefined) this.running.set(name, job);
    if (name !== undefined && this.early.delete(name)) job.abort.abort();
    try {
      job.abort.signal.throwIfAborted();
      return await work({ signal: job.abort.signal, onProgress });
    } finally {
      if (name !== undefined) this.running.delete(name);
    }
  }

  progressOf(name: string): JobProgress | undefined {
    return this.running.get(name)?.progress;
  }

  cancel(name: string): void {
    const job = this.running.get(name);
    if (job) job.abort.abort();
    else this.early.add(name);
  }
}
