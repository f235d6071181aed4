import assert from 'node:assert/strict';
import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { TestWindows } from './testWindows.js';

const MB = 2 ** 20;

suite('a file that ends within a long line', function () {
  this.timeout(60_000);
  const sessionId = '00000000-0000-4000-8000-000000000001';
  let disk: TestWindows;
  let folder: string;
  setup(() => {
    disk = new TestWindows();
    folder = disk.folder('work');
    process.env['CLAUDE_CONFIG_DIR'] = disk.at('claude');
  });
  teardown(async () => {
    delete process.env['CLAUDE_CONFIG_DIR'];
    await disk.dispose();
  });

  const line = (text: string): string => {
    const writer = new ClaudeWriter({ cwd: folder, sessionId });
    writer.user(text);
    return writer.text;
  };

  /** What a window that was just opened reads of it. */
  async function scan() {
    const { engine } = await disk.open(folder);
    const { bytesRead, recordsAdded } = await engine.scanThreads();
    const [thread] = await engine.listThreads(null);
    await engine.close();
    return { bytesRead, recordsAdded, records: thread?.records };
  }

  // Above 64 MB the head of a line is a record; of a shorter one nothing is taken before its end.
  const rows: readonly (readonly [string, number, number])[] = [
    ['that may be finished yet', 20 * MB, 1],
    ['that is longer than any that is kept whole', 200 * MB, 2],
  ];
  for (const [title, long, whole] of rows) {
    test(`${title} is read once, not once a window, and goes on where it was`, async () => {
      const name = folder.replace(/[^A-Za-z0-9]/g, '-');
      const file = disk.put(`claude/projects/${name}/${sessionId}.jsonl`, line('first'));
      const begin = statSync(file).size;
      truncateSync(file, begin + long);
      const first = await scan();
      assert.ok(first.bytesRead >= long);
      assert.equal(first.records, whole);
      assert.deepEqual(await scan(), { bytesRead: 0, recordsAdded: 0, records: whole });

      appendFileSync(file, `\n${line('after it')}`);
      const { bytesRead, records } = await scan();
      assert.equal(records, 3);
      // The short one is read to be kept whole.
      assert.ok(bytesRead < (whole === 1 ? long : 0) + MB, `${bytesRead}`);
      assert.deepEqual(await scan(), { bytesRead: 0, recordsAdded: 0, records });
    });
  }

  test('nothing is noted of what an agent is just writing', async () => {
    const name = folder.replace(/[^A-Za-z0-9]/g, '-');
    const file = disk.put(`claude/projects/${name}/${sessionId}.jsonl`, line('first'));
    const { engine } = await disk.open(folder);
    await engine.scanThreads();
    const records = async (): Promise<number | undefined> => {
      const [project] = (await engine.statistics()).projects;
      return project?.frames['records']?.count;
    };
    const before = await records();
    for (const part of ['{"type":', '"user"', ',"uuid":"u2"']) {
      appendFileSync(file, part);
      await engine.scanThreads();
    }
    assert.equal(await records(), before);
  });
});
