import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExpectedError } from '../../core/errors.js';
import type { FromReader, ToReader } from './messages.js';
import type { Answer, Question } from './question.js';

export interface ReaderLimits {
  /** Reading: slow disks and busy writers. */
  readonly loadMs: number;
  /** Answering once the whole file is read. */
  readonly answerMs: number;
  /** The process ends when nothing was asked for so long. */
  readonly idleMs: number;
}

const usualLimits: ReaderLimits = { loadMs: 120_000, answerMs: 10_000, idleMs: 5000 };

/**
 * Asks other programs' databases. Each question is answered in a process of its own, which is killed
 * when it takes too long; questions follow one another.
 */
export class DatabaseReader {
  /** Files up to this size are read whole, larger ones page by page. */
  wholeBytes = 64 * 1024 * 1024;
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: ReaderLimits = usualLimits) {}

  /**
   * @throws ExpectedError `databaseBusy`, `notADatabase`, `formatNotKnown`, `answerTooLarge`,
   * `databaseHangs`, `unreadable`
   */
  ask(question: Question): Promise<Answer> {
    const answer = this.queue.then(() => this.askNow(question));
    this.queue = answer.catch(() => undefined);
    return answer;
  }

  private async askNow(question: Question): Promise<Answer> {
    clearTimeout(this.idle);
    this.child ??= start();
    const { child } = this;
    try {
      return await exchange(child, this.messageOf(question), this.limits);
    } finally {
      if (child.exitCode !== null || child.signalCode !== null || child.killed) {
        this.child = undefined;
      } else {
        this.idle = setTimeout(() => this.stop(), this.limits.idleMs);
        this.idle.unref();
      }
    }
  }

  private messageOf(question: Question): ToReader {
    // A database that never rests is said to be busy before its process is killed.
    return { question, wholeBytes: this.wholeBytes, patienceMs: this.limits.loadMs / 2 };
  }

  private stop(): void {
    this.child?.kill();
    this.child = undefined;
  }
}

/** The one that the sources share. */
export const databases = new DatabaseReader();

/** Beside this file in the bundle and in the sources; the sources need what runs them. */
function start(): ChildProcess {
  const type = extname(import.meta.url);
  const child = fork(fileURLToPath(new URL(`readerProcess${type}`, import.meta.url)), {
    execArgv: type === '.ts' ? process.execArgv : [],
    // In VS Code's desktop app the program that runs us is Electron.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It holds nobody up: not the command line, nor a window that closes.
  child.unref();
  child.channel?.unref();
  return child;
}

function exchange(child: ChildProcess, message: ToReader, limits: ReaderLimits): Promise<Answer> {
  const { question } = message;
  return new Promise((resolve, reject) => {
    const tooLong = (): void => {
      child.kill('SIGKILL');
      done();
      reject(failure('databaseHangs', question, 'takes too long'));
    };
    let timer = setTimeout(tooLong, limits.loadMs);
    const onExit = (): void => {
      done();
      reject(failure('unreadable', question, 'the process that read it ended'));
    };
    const onMessage = (message: FromReader): void => {
      if (message.kind === 'loaded') {
        clearTimeout(timer);
        timer = setTimeout(tooLong, limits.answerMs);
        return;
      }
      done();
      if (message.kind === 'answer') resolve(message.answer);
      else {
        const { reason, template, args, next } = message;
        reject(new ExpectedError(reason, template, args, next === undefined ? {} : { next }));
      }
    };
    const done = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onExit);
    };
    child.on('message', onMessage).on('exit', onExit).on('error', onExit);
    child.send(message);
  });
}

const failure = (reason: string, { path }: Question, why: string): ExpectedError =>
  new ExpectedError(reason, 'The database {0} cannot be read: {1}.', [path, why]);
