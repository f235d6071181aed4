import assert from 'node:assert/strict';
import { HeadMemory, noHeads, readHeads } from './headMemory.js';

const stamp = { dev: 1, ino: 2, size: 3, mtimeMs: 4, ctimeMs: 5 };
const head = { cwd: '/work', id: 'x', spoken: true };

suite('heads of files that an earlier process read', () => {
  const kept = (): HeadMemory => {
    const memory = new HeadMemory();
    memory.note('codex', '/a', stamp, head, true);
    const later = new HeadMemory();
    later.take(readHeads(JSON.stringify(memory.toKeep(noHeads))) ?? assert.fail());
    return later;
  };

  test('a file that is the same is known, to its agent alone', () => {
    assert.deepEqual(kept().recall('codex', '/a', stamp), head);
    assert.equal(kept().recall('pi', '/a', stamp), undefined);
    assert.equal(kept().recall('codex', '/b', stamp), undefined);
  });

  for (const part of ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const) {
    test(`a file with another ${part} is read again`, () =>
      assert.equal(kept().recall('codex', '/a', { ...stamp, [part]: 9 }), undefined));
  }

  test('what is no list of heads, or that of another version, is as good as none', () => {
    for (const text of [
      '',
      'null',
      '{"version":1}',
      '{"version":2,"agents":{}}',
      '{"version":1,',
    ]) {
      assert.equal(readHeads(text), undefined, text);
    }
  });

  test('it does not grow beyond all bounds: files that changed last stay', () => {
    const memory = new HeadMemory();
    for (let at = 0; at <= 50_000; at++) {
      memory.note('codex', `/${at}`, { ...stamp, mtimeMs: at }, head, true);
    }
    const { codex = {} } = memory.toKeep(noHeads).agents;
    assert.deepEqual(
      [Object.keys(codex).length, '/0' in codex, '/1' in codex],
      [50_000, false, true],
    );
  });

  test('what another process kept meanwhile stays', () => {
    const memory = new HeadMemory();
    memory.note('pi', '/b', stamp, head, true);
    const { agents } = memory.toKeep(kept().toKeep(noHeads));
    assert.deepEqual(Object.keys(agents).sort(), ['codex', 'pi']);
  });
});
