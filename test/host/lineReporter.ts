import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { hostRun } from './hostRun.js';

/** Writes lines for people into the run's log, since the host's console is the workbench's too. */
export class LineReporter extends Mocha.reporters.Base {
  private depth = 0;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('suite', (suite) => {
      if (!suite.root) {
        this.say(suite.title);
        this.depth += 1;
      }
    });
    runner.on('suite end', (suite) => {
      if (!suite.root) this.depth -= 1;
    });
    runner.on('pass', (test) => {
      this.say(`✔ ${test.title}${took(test)}`);
    });
    runner.on('pending', (test) => {
      this.say(`- ${test.title}`);
    });
    runner.on('fail', (test, error: Error) => {
      this.say(`✖ ${test.title}${took(test)}\n${error.stack ?? String(error)}`);
    });
  }

  private say(line: string): void {
    appendFileSync(hostRun.log, `${'  '.repeat(this.depth)}${line}\n`);
  }
}

const took = (test: Mocha.Runnable): string =>
  test.duration !== undefined && test.duration > test.slow() ? ` (${test.duration} ms)` : '';
