import assert from 'node:assert/strict';
import path from 'node:path';
import { call, keepthread } from '../../test/host/keepthread.js';
import { hostRun } from '../../test/host/hostRun.js';
import { Command } from '../../src/extension/ids.js';
import { readFigures, writeFigures } from '../figures.js';

const sessions = 1_000;
const figures = path.join(hostRun.scratch, 'activation.json');

suite('phase 1: a store', () => {
  test(`of ${sessions} sessions`, async function () {
    this.timeout(600_000);
    for (let number = 0; number < sessions; number += 1) {
      await call(Command.newSession, { title: `Session ${number}`, tags: ['bench'] });
    }
    await (await keepthread()).save({ label: 'the last one' });
    writeFigures(figures, []);
  });
});

for (const phase of [2, 3, 4, 5, 6]) {
  suite(`phase ${phase}: activate()`, () => {
    test('with that store', async () => {
      const api = await keepthread();
      const measured = String(api.activationMs);
      assert.ok((await api.list()).length >= sessions);
      writeFigures(figures, [...readFigures(figures), { what: 'activate', measured, goal: '' }]);
    });
  });
}
