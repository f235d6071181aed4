import { createHash } from 'node:crypto';

/** The entries of a session with everything in it that a session file can hold. */
export function wholeSession(): object[] {
  const draft = content('"a draft \\ud83d"');
  const patch = content(
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n',
  );
  const untracked = content(Buffer.from([0, 255, 1, 254]));
  const longRecord = content(`{"long":"${'x'.repeat(300)}"}`);
  const place = { uri: 'file:///w/a%20b.txt', folder: 'w', path: 'a%20b.txt' };
  const git = { uri: 'git:/w/a.txt', git: { ref: 'HEAD', path: '/w/a.txt' } };
  return [
    {
      kind: 'session',
      id: 's1',
      title: 'Fix the login 项目',
      goal: 'Green tests\n\u202e',
      status: 'active',
      tags: ['bug', '\0'],
      createdAt: 1,
      updatedAt: 2,
      workspace: 'file:///c%3A/Users/anna/proj',
      project: { rootCommit: 'a'.repeat(40), remote: 'https://example.invalid/a.git' },
      lineage: ['s0'],
      mood: 'good',
    },
    {
      kind: 'thread',
      id: 'claude-code:t1',
      generations: [
        { generation: 0, records: 2 },
        { generation: 2, records: 2 },
      ],
      title: 'Fix',
      turns: 1,
      messages: 2,
      firstAt: 1,
      lastAt: 2,
    },
    records('claude-code:t1', 0, 0, ['{"a":1}', '{}']),
    blob(longRecord, { record: true }),
    records('claude-code:t1', 2, 0, [{ blob: longRecord.id }, { base64: '/w==' }]),
    {
      kind: 'thread',
      id: 'codex:sub\ud83d',
      parent: 'claude-code:t1',
      generations: [{ generation: 0, records: 1 }],
    },
    records('codex:sub\ud83d', 0, 0, ['null']),
    blob(draft),
    {
      kind: 'part',
      id: 'e1',
      part: 'editors',
      value: {
        layout: { orientation: 0, groups: [{ size: 0.5, groups: [{}, {}] }, {}] },
        groups: [
          {
            tabs: [
              { kind: 'text', place, label: 'a b.txt', pinned: true },
              { kind: 'diff', original: git, modified: place, label: 'a ↔ b' },
              { kind: 'terminal', label: 'zsh' },
            ],
          },
          { tabs: [{ kind: 'custom', place, viewType: 'x.y', label: 'c', active: true }] },
        ],
        activeGroup: 1,
        views: [{ place, group: 0, selections: [[0, 0, 1, 2]], top: 3, anchor: 'line' }],
        drafts: [{ place, untitled: false, languageId: 'plaintext', text: draft.id }],
      },
    },
    {
      kind: 'part',
      id: 'w1',
      part: 'workbench',
      value: {
        terminals: [
          {
            name: 'zsh',
            cwd: '/w',
            shellPath: '/bin/zsh',
            shellArgs: ['-l'],
            commands: [{ line: 'rm -rf /', exitCode: 1 }],
          },
        ],
        breakpoints: [
          { kind: 'source', place, line: 1, column: 0, enabled: true, condition: 'a > 1' },
          { kind: 'function', functionName: 'f', enabled: false, logMessage: '{x}' },
        ],
        running: { tasks: ['npm: watch'], debug: 'Launch' },
      },
    },
    blob(patch),
    blob(untracked),
    {
      kind: 'part',
      id: 'c1',
      part: 'changes',
      value: {
        repositories: [
          {
            root: 'file:///w',
            remote: 'https://example.invalid/a.git',
            branch: 'main',
            head: 'b'.repeat(40),
            unstaged: patch.id,
            files: [{ path: 'a.txt', from: 'old.txt', status: ' M' }],
            untracked: [
              { path: 'bin/x', size: 4, mode: 0o755, content: untracked.id },
              { path: 'big', size: 1e9, left: 'tooLarge' },
            ],
            problems: ['one'],
          },
        ],
      },
    },
    {
      kind: 'part',
      id: 'n1',
      part: 'environment',
      value: {
        vscode: '1.90.0',
        keepthread: '0.1.0',
        os: 'win32',
        arch: 'x64',
        node: '20',
        folders: [{ name: 'w', uri: 'file:///c%3A/Users/anna/proj' }],
        agents: { 'claude-code': '2.0.0' },
      },
    },
    snapshot('p1', { editors: 'e1', workbench: 'w1' }, 1),
    snapshot('p2', { editors: 'e1', changes: 'c1', environment: 'n1' }, 2),
    { kind: 'later', of: ['a newer version'] },
  ];
}

function snapshot(id: string, parts: Readonly<Record<string, string>>, records: number): object {
  return {
    kind: 'snapshot',
    snapshot: {
      id,
      sessionId: 's1',
      at: records,
      reason: 'manual',
      label: 'before lunch',
      parts,
      threads: [{ id: 'claude-code:t1', generation: 2, records }],
      summary: { tabs: 4, changes: 1, turns: 1, branch: 'main' },
      weather: 'sunny',
    },
  };
}

const records = (thread: string, generation: number, first: number, list: unknown[]): object => ({
  kind: 'records',
  thread,
  generation,
  first,
  records: list,
});

interface Content {
  readonly id: string;
  readonly bytes: Buffer;
}

function content(given: string | Buffer): Content {
  const bytes = Buffer.from(given);
  return { id: createHash('sha256').update(bytes).digest('hex'), bytes };
}

const blob = ({ id, bytes }: Content, more: object = {}): object => ({
  kind: 'blob',
  ...more,
  id,
  size: bytes.length,
  at: 0,
  ...(bytes.includes(0) ? { base64: bytes.toString('base64') } : { text: bytes.toString('utf8') }),
});
