import assert from 'node:assert/strict';
import { foldedPath, isSafePath, isSensitive } from './paths.js';

suite('names of files from somebody else', () => {
  const outside = [
    ...[
      '',
      '.',
      '..',
      '/',
      '/etc/passwd',
      '../a',
      'a/../b',
      'a/../../b',
      'a/..',
      './a',
      'a/./b',
      'a//b',
      'a/',
    ],
    ...[
      '\\a',
      'a\\b',
      '..\\a',
      'a\\..\\..\\b',
      '\\\\server\\share',
      '\\\\?\\C:\\a',
      '//server/share',
      '\\\\wsl$\\a',
    ],
    ...[
      'C:',
      'C:\\a',
      'C:/a',
      'c:a',
      'file:///etc/passwd',
      'a:b',
      'a.txt:stream',
      'a.txt::$DATA',
      '~:x',
    ],
    ...['a\0b', '\0', 'a\nb', 'a\rb', 'a\tb', 'a\u007f', 'a\u0085b', 'a\u001b[2Jb'],
    ...[
      'con',
      'CON',
      'Con.txt',
      'a/nul',
      'nul.tar.gz',
      'PRN',
      'aux.c',
      'COM1',
      'com9.txt',
      'lpt1',
      'LPT9.x',
    ],
    ...['COM¹', 'lpt².txt', 'CONIN$', 'conout$', 'con .txt', 'nul  .x'],
    ...['a.', 'a..', 'a ', 'a. ', 'b./c', 'b /c', '...', '. .'],
    ...['.git', '.git/config', 'a/.git/hooks/pre-commit', '.GIT/config', '.Git', 'a/.gIt/x'],
    ...[
      '.git./config',
      '.git /config',
      'git~1',
      'GIT~1/config',
      'git~2',
      '.git::$INDEX_ALLOCATION/x',
    ],
    ...[
      '.g\u200cit/config',
      '.gi\u200dt',
      '\ufeff.git/x',
      '.g\u2060it',
      '.git\u200b',
      '．git/config',
    ],
    ...['a'.repeat(256), `a/${'b'.repeat(256)}`, 'a/'.repeat(3000) + 'b'],
  ];
  for (const path of outside) {
    test(`${JSON.stringify(path.slice(0, 40))} is not written to`, () =>
      assert.equal(isSafePath(path), false));
  }

  const usual = [
    ...[
      'a',
      'a.txt',
      'src/a.ts',
      '.gitignore',
      '.gitattributes',
      '.github/workflows/ci.yml',
      'a b/c d.txt',
    ],
    ...[
      'git',
      'a/git/b',
      'x.git/y',
      '.gitx',
      'console.ts',
      'nullable.ts',
      'auxiliary',
      'com10',
      'COM',
      'lpt.txt',
    ],
    ...[
      '..a',
      'a..b',
      '...a',
      '-rf',
      '--help',
      '$(id)',
      '`id`',
      'a;b',
      "a'b",
      'a&b',
      'a%20b',
      '#a?b',
      'a*',
    ],
    ...['日本語/ファイル.txt', 'e\u0301.txt', '\u00e9.txt', '👩‍💻.md', 'שלום.txt', 'a'.repeat(255)],
  ];
  for (const path of usual) {
    test(`${JSON.stringify(path.slice(0, 40))} is a file like any other`, () =>
      assert.equal(isSafePath(path), true));
  }

  test('programs take commands from these', () => {
    const sensitive = [
      ...[
        '.vscode/tasks.json',
        'a/.vscode/settings.json',
        '.VSCode/launch.json',
        '.idea/workspace.xml',
      ],
      ...[
        '.env',
        '.env.local',
        'a/.env.production',
        '.envrc',
        '.npmrc',
        '.netrc',
        '.mcp.json',
        '.cursor/mcp.json',
      ],
      ...[
        '.claude/settings.json',
        '.gemini/settings.json',
        '.codex/config.toml',
        '.husky/pre-commit',
      ],
      ...[
        '.bashrc',
        '.zshrc',
        '.zshenv',
        '.profile',
        '.bash_profile',
        '.gitattributes',
        '.gitmodules',
      ],
      ...['.github/workflows/ci.yml', '.devcontainer/devcontainer.json', 'x.code-workspace'],
    ];
    assert.deepEqual(
      sensitive.filter((path) => !isSensitive(path)),
      [],
    );
    const usual = [
      'src/env.ts',
      'environment',
      '.github/README.md',
      'vscode/a.ts',
      'profile',
      'a.env.ts',
    ];
    assert.deepEqual(usual.filter(isSensitive), []);
  });

  test('names that one file system takes for one are told', () => {
    assert.equal(foldedPath('Readme.MD'), foldedPath('README.md'));
    assert.equal(foldedPath('\u00e9'), foldedPath('e\u0301'));
    assert.notEqual(foldedPath('a/b'), foldedPath('a/c'));
  });
});
