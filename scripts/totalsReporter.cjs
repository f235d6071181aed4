const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { reporters } = require('mocha');

/** What mocha's own reporter prints, and the totals of the suite named by `--reporter-option suite=NAME`. */
module.exports = class TotalsReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const suite = options.reporterOption?.suite ?? 'unit';
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      const folder = path.join(__dirname, '..', '.vscode-test', 'results');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        path.join(folder, `${suite}.json`),
        JSON.stringify({ passed: passes, failed: failures, skipped: pending }),
      );
    });
  }
};
