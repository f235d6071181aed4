import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { ask } from './npmProgram.js';
import { programLab } from './programLab.js';
import { claudeCode } from './programs/claudeCode.js';
import { programSuite } from './programSuite.js';

programSuite(claudeCode);

const inAFolder = (title: string, name: string) =>
  suite(`Claude Code in a folder of ${title}`, () => {
    const lab = programLab(claudeCode, name);

    test('its session is found where the program put it', async () => {
      const { base, run, find, findOne } = lab();
      await ask(run, 'Hello');
      const found = await findOne();
      assert.equal(basename(dirname(found.path)), encodeFolder(run.cwd));
      assert.deepEqual((await find(join(base, 'elsewhere'))).threads, []);
      assert.equal((await findOne(base)).nativeId, found.nativeId);
    });
  });

inAFolder('underscores, dots, spaces and brackets', 'My_proj.v1 (x)');
inAFolder('letters outside ASCII', 'é e\u0301 项目 🚀');
inAFolder('a path above 200 characters', join('a'.repeat(100), 'b'.repeat(120)));
