import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { isExpected } from '../core/errors.js';
import { exportFormats, type ExportFormat } from '../core/handoff.js';
import { newId } from '../core/model/ids.js';
import { makeBrief } from '../core/brief/brief.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import { decodeHandoff } from '../handoff/decode.js';
import { encodeHandoff } from '../handoff/encode.js';
import { plainOf, writeStream } from '../handoff/handoffFile.js';
import { entriesOf, factsOf } from '../handoff/testFiles.js';
import { createHandoffMask } from './redaction/handoffMask.js';
import type { Store } from './store.js';
import { Machine } from './testMachine.js';
import { ParsedThreads } from './parsedThreads.js';

/** What stands in a field: a word of its own to know it by, and a secret unlike any other. */
class Canaries {
  private readonly all = new Map<string, string>();

  /** Every field gets its own, so that a failure names it. */
  in(field: string): string {
    const letters = createHash('sha256')
      .update(field)
      .digest('base64')
      .replace(/[^A-Za-z0-9]/g, '');
    const secret = `ghp_${letters.slice(0, 36).padEnd(36, 'q7')}`;
    this.all.set(field, secret);
    return `${markOf(field)} ${secret}`;
  }

  /** The fields whose secrets stand in a text, as they are, in base64 or URL-encoded. */
  leakedInto(text: string): readonly string[] {
    const flat = text.toLowerCase();
    return [...this.all].flatMap(([field, secret]) => {
      const coded = Buffer.from(secret).toString('base64').slice(4, 40);
      const isThere = flat.includes(secret.toLowerCase()) || text.includes(coded);
      return isThere ? [field] : [];
    });
  }

  get fields(): readonly string[] {
    return [...this.all.keys()];
  }
}

const markOf = (field: string): string =>
  `field${createHash('sha256').update(field).digest('hex').slice(0, 12)}`;

suite('a secret in any field of a session', function () {
  this.timeout(600_000);
  let ann: Machine;
  let bob: Machine;
  let sessionId: string;
  let canaries: Canaries;
  setup(async () => {
    ann = await new Machine().open();
    bob = await new Machine().open();
    canaries = new Canaries();
    sessionId = await save(ann, canaries);
  });
  teardown(async () => {
    await ann.close();
    await bob.close();
  });

  /** Everything that a file of a session says, whatever its form. */
  const textOf = async (file: string, format: ExportFormat): Promise<string> => {
    if (format !== 'keepthread') return readFileSync(file, 'utf8');
    const entries: object[] = [];
    const reading = decodeHandoff(plainOf(file));
    for (;;) {
      const next = await reading.next();
      if (next.done !== true) {
        entries.push(next.value.value);
        continue;
      }
      entries.push(next.value.manifest);
      return JSON.stringify(entries);
    }
  };

  for (const format of exportFormats) {
    for (const [title, choice] of [
      ['', { filesWithSecrets: false, images: true }],
      [
        ', without files',
        { filesWithSecrets: false, files: false, images: false, toolOutput: 100 },
      ],
    ] as const) {
      test(`is not in its ${format} file${title}`, async () => {
        const output = join(ann.root, `out.${format}`);
        const author = canaries.in('author');
        const { redaction } = await ann.export(sessionId, { format, output, author }, choice);
        const text = await textOf(output, format);
        assert.deepEqual(canaries.leakedInto(text), []);
        assert.deepEqual(canaries.leakedInto(JSON.stringify(redaction)), []);
        // What is said beside the secrets did go along, so there was something to mask.
        const told = canaries.fields.filter((field) => text.includes(markOf(field)));
        assert.ok(told.length > 5, told.join());
        if (format !== 'keepthread' || title !== '') return;
        const left = canaries.fields.filter((field) => !told.includes(field));
        assert.deepEqual(left.toSorted(), [...inFiles].toSorted());
      });
    }
  }

  test('does not get further by somebody who masks nothing, nor by what this version does not know', async () => {
    const at = (field: string): string => canaries.in(field);
    const [session, thread, records, more, ...rest] = entriesOf();
    const entries = [
      { ...session, title: at('their title'), mood: at('unknown of a session') },
      { ...thread, colour: { [at('name of unknown')]: at('unknown of a conversation') } },
      ...[records, more],
      ...rest.map((entry) =>
        'snapshot' in entry
          ? {
              ...entry,
              snapshot: { ...(entry.snapshot as object), weather: at('unknown of a snapshot') },
            }
          : entry,
      ),
      { kind: 'later', of: at('unknown entry') },
      { kind: 'part', id: 'o1', part: 'outline', value: at('unknown part') },
    ];
    const facts = factsOf();
    const contents = { ...facts.contents, parts: facts.contents.parts + 1 };
    const file = join(ann.root, 'theirs.keepthread');
    const author = { name: at('their name') };
    await writeStream(
      file,
      encodeHandoff(entries as object[], () => ({ ...facts, author, contents })),
    );
    assert.ok(canaries.leakedInto(await textOf(file, 'keepthread')).length > 6);
    const { sessionId: here } = await bob.import(file);
    for (const format of exportFormats) {
      const output = join(bob.root, `on.${format}`);
      // This version reads no conversation of it that a trajectory could be of.
      await bob.export(here, { output, format }).catch((error: unknown) => {
        assert.ok(isExpected(error, 'nothingToRead'));
      });
      if (!existsSync(output)) continue;
      assert.deepEqual(canaries.leakedInto(await textOf(output, format)), []);
    }
    const told = await textOf(join(bob.root, 'on.keepthread'), 'keepthread');
    for (const field of [
      'unknown of a session',
      'unknown part',
      'unknown entry',
      'name of unknown',
    ]) {
      assert.ok(told.includes(markOf(field)), field);
    }
  });

  test('is not in the text for another agent, nor in the clipboard', async () => {
    const mask = await createHandoffMask({ settings: noRedactionSettings, folders: [] });
    const [summary] = ann.store.index.threads(sessionId);
    const thread = await new ParsedThreads().read(ann.store, summary?.id ?? '');
    const session = ann.store.index.session(sessionId);
    const { changes } = await ann.store.readSnapshot(session?.last?.id ?? '');
    const count = (text: string): number => Math.ceil(text.length / 4);
    const request = mask({ thread, session, changes, author: canaries.in('author') });
    const { text } = makeBrief({ ...request, more: [] }, count, 20_000);
    assert.deepEqual(canaries.leakedInto(text), []);
    assert.ok(canaries.fields.filter((field) => text.includes(markOf(field))).length > 5);
    for (const field of canaries.fields) {
      assert.deepEqual(canaries.leakedInto(mask(canaries.in(field))), []);
    }
  });
});

/** Fields that no file tells of, since the contents that they stand in are left out. */
const inFiles: readonly string[] = ['unsaved text', 'patch', 'content of a new file'];

/** A session with a secret in every field that can hold text. */
async function save(machine: Machine, canaries: Canaries): Promise<string> {
  const { store } = machine;
  const at = (field: string): string => canaries.in(field);
  const place = (what: string, name = at(`path of ${what}`)) => ({
    uri: `file:///w/${encodeURIComponent(at(`URI of ${what}`))}`,
    folder: at(`folder of ${what}`),
    path: encodeURIComponent(name),
  });
  const sessionId = newId();
  const thread = `claude-code:${at('id of the conversation')}`;
  const records = transcript(at).map((line) => Buffer.from(line));
  const cursor = { path: 'x', offset: 0, generation: 0, records: records.length, state: {} };
  const count = records.length;
  const head = { schemaVersion: 1, thread, generation: 0, first: 0, count, cursor } as const;
  await store.appendRecords(records, head);
  machine.threads = (id) =>
    Promise.resolve(
      store.index.threads(id).map((row) => ({ ...row, title: at('title of the conversation') })),
    );
  const parts = {
    editors: await store.putJson({
      groups: [
        {
          tabs: [
            { kind: 'text', place: place('a tab'), label: at('label of a tab') },
            {
              kind: 'custom',
              place: {
                ...place('a custom editor'),
                git: { ref: at('git ref'), path: at('git path') },
              },
              viewType: at('kind of a custom editor'),
              label: 'x',
            },
          ],
        },
      ],
      activeGroup: 0,
      views: [
        {
          place: place('a view'),
          group: 0,
          selections: [[0, 0, 0, 0]],
          anchor: at('line at the cursor'),
        },
      ],
      drafts: [
        {
          place: { uri: 'file:///w/draft.txt', path: 'draft.txt' },
          untitled: false,
          languageId: 'x',
          text: await store.putJson(at('unsaved text')),
        },
      ],
    }),
    workbench: await store.putJson({
      terminals: [
        {
          name: at('name of a terminal'),
          cwd: at('folder of a terminal'),
          shellPath: at('shell'),
          shellArgs: ['-c', at('argument of a shell')],
          commands: [{ line: at('command in a terminal'), exitCode: 0 }],
        },
      ],
      breakpoints: [
        {
          kind: 'source',
          place: place('a breakpoint'),
          line: 1,
          column: 0,
          enabled: true,
          condition: at('condition'),
          hitCondition: at('hit condition'),
          logMessage: at('log message'),
        },
        { kind: 'function', functionName: at('name of a function'), enabled: true },
      ],
      running: { tasks: [at('name of a task')], debug: at('name of a debugger') },
    }),
    changes: await store.putJson(await changes(store, at)),
    environment: await store.putJson({
      vscode: at('version of VS Code'),
      keepthread: '1',
      os: 'linux',
      arch: 'x64',
      node: '20',
      remote: at('name of a remote machine'),
      folders: [{ name: at('name of a folder'), uri: at('URI of a folder') }],
      agents: { [at('name of an agent')]: at('version of an agent') },
    }),
  };
  const set = {
    title: at('title of the session'),
    goal: at('goal'),
    status: 'active' as const,
    tags: [at('tag')],
  };
  await store.appendSession({
    schemaVersion: 1,
    sessionId,
    at: 5,
    joins: [thread],
    workspace: `file:///w/${at('workspace')}`,
    set,
  });
  await store.appendSnapshot({
    schemaVersion: 1,
    id: newId(),
    sessionId,
    at: 6,
    reason: 'manual',
    label: at('label of a snapshot'),
    parts,
    threads: [{ id: thread, generation: 0, records: count }],
    summary: { tabs: 2, changes: 1, turns: 1, branch: at('branch of a snapshot') },
  });
  return sessionId;
}

async function changes(store: Store, at: (field: string) => string): Promise<object> {
  const patch = `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+${at('patch')}\n`;
  return {
    repositories: [
      {
        root: `file:///w/${at('root of a repository')}`,
        remote: `https://example.invalid/${at('remote')}.git`,
        branch: at('branch'),
        head: 'a'.repeat(40),
        unstaged: await store.putBlob(Buffer.from(patch)),
        files: [{ path: at('path of a changed file'), from: at('path before'), status: 'R ' }],
        untracked: [
          {
            path: at('path of a new file'),
            size: 3,
            content: await store.putBlob(Buffer.from(at('content of a new file'))),
          },
        ],
        problems: [at('problem with a repository')],
      },
    ],
  };
}

/** A conversation of Claude Code's with a secret in everything that an agent writes down. */
function transcript(at: (field: string) => string): readonly string[] {
  const writer = new ClaudeWriter({
    cwd: at('folder of the conversation'),
    gitBranch: at('branch of the conversation'),
  });
  const image = { type: 'base64', media_type: at('type of an image'), data: 'iVBORw0KGgo=' };
  writer.user([
    { type: 'text', text: at('prompt') },
    { type: 'image', source: image, name: at('name of an image') },
  ]);
  writer.answer('m1', { type: 'thinking', thinking: at('thought'), signature: 'c2ln' });
  writer.say('m2', at('answer'));
  writer.call('m3', 'c1', at('name of a tool'), {
    [at('name of an argument')]: at('argument'),
    nested: JSON.stringify({ deep: at('JSON in an argument') }),
  });
  writer.result('c1', [{ type: 'text', text: at('result') }], {
    toolUseResult: { stdout: at('output of a tool'), stderr: at('errors of a tool') },
  });
  writer.call('m4', 'c2', 'Bash', { command: `git commit -m '${at('commit message')}'` });
  writer.result('c2', `commit ${'b'.repeat(40)}\n\n    ${at('message in a log')}`);
  writer.call('m5', 'c3', 'Edit', {
    file_path: at('edited path'),
    old_string: 'x',
    new_string: at('edit'),
  });
  writer.result('c3', `@@ -1 +1 @@\n-x\n+${at('diff in a result')}`);
  writer.call('m6', 'c4', 'TodoWrite', {
    todos: [{ content: at('todo'), activeForm: at('todo in progress'), status: 'in_progress' }],
  });
  writer.result('c4', `note: ${at('note')}`);
  writer.add('system', { subtype: 'compact_boundary', content: at('notice'), level: 'info' });
  writer.add('attachment', {
    attachment: { type: 'file', filename: at('attached file'), content: at('attached text') },
  });
  writer.loose({ type: 'summary', summary: at('title by the agent'), leafUuid: 'u1' });
  writer.loose(at('a record that is no object'));
  return [...writer.lines, at('a line that is no JSON')];
}
