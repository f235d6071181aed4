import assert from 'node:assert/strict';
import { Homes } from './homes.js';
import { Redactor } from './redactor.js';

const redactor = (own: readonly string[] = []): Redactor =>
  new Redactor({ lane: 'share', homes: new Homes(own) });

const becomes = (before: string, after: string, own: readonly string[] = []): void => {
  test(before, () => assert.equal(redactor(own).text(before).text, after));
};

suite('whose machine it was is not told by paths, however they are written', () => {
  becomes('/home/mira/work/a.ts', '~/work/a.ts');
  becomes('cd /home/mira', 'cd ~');
  becomes('/Users/mira.k/Library', '~/Library');
  becomes('/var/home/mira/a and /export/home/mira/b', '~/a and ~/b');
  becomes('C:\\Users\\mira\\work', '~\\work');
  becomes('c:/Users/mira/work', '~/work');
  becomes('C:\\Users\\Mira Kent\\work\\a.ts', '~\\work\\a.ts');
  becomes('\\\\?\\C:\\Users\\mira\\work', '~\\work');
  becomes('"C:\\\\Users\\\\mira\\\\work"', '"~\\\\work"');
  becomes('\\"C:\\\\\\\\Users\\\\\\\\mira\\\\\\\\a\\"', '\\"~\\\\\\\\a\\"');
  becomes('/mnt/c/Users/mira/work', '~/work');
  becomes('/c/Users/mira/work and /cygdrive/c/Users/mira', '~/work and ~');
  becomes('\\\\wsl$\\Ubuntu\\home\\mira\\a', '~\\a');
  becomes('\\\\wsl.localhost\\Ubuntu-24.04\\home\\mira\\a', '~\\a');
  becomes('file:///home/mira/a.ts', 'file:///~/a.ts');
  becomes('file:///c%3A/Users/mira/a.ts', 'file:///~/a.ts');
  becomes('file:///c:/Users/mira/a.ts', 'file:///~/a.ts');
  becomes('vscode-remote://wsl%2Bubuntu/home/mira/a', 'vscode-remote://wsl%2Bubuntu/~/a');
  becomes('?folder=%2Fhome%2Fmira%2Fwork', '?folder=~%2Fwork');
  becomes('~/.claude/projects/-home-mira-work', '~/.claude/projects/~-work');
  becomes('projects\\C--Users-mira-work', 'projects\\~-work');
  becomes('-Users-mira-work/1.jsonl', '~-work/1.jsonl');
  becomes('/home/mira and -home-mira-work', '~ and ~-work');
  becomes('/home/jo-ann/x in -home-jo-ann-x', '~/x in ~-x');
  becomes('at f (/home/mira/a.ts:1:2)', 'at f (~/a.ts:1:2)');
  becomes('PATH=/usr/bin:/home/mira/bin', 'PATH=/usr/bin:~/bin');
});

suite('homes of this machine that lie elsewhere', () => {
  becomes('/data/people/mira/x', '~/x', ['/data/people/mira']);
  becomes('/root/x and /roots', '~/x and /roots', ['/root']);
  becomes('D:\\Profiles\\mira\\x', '~\\x', ['D:\\Profiles\\mira']);
  becomes('D:/Profiles/mira/x', '~/x', ['D:\\Profiles\\mira']);
  becomes('-data-people-mira-x', '~-x', ['/data/people/mira']);
});

suite('names of users go where a machine wrote them', () => {
  const knows = ['/home/mira'];
  becomes('mira@laptop:~$ ls', '~@laptop:~$ ls', knows);
  becomes('USER=mira LOGNAME="mira"', 'USER=~ LOGNAME="~"', knows);
  becomes('drwxr-xr-x 2 mira mira 4096 a', 'drwxr-xr-x 2 ~ ~ 4096 a', knows);
  becomes('uid=1000(mira) gid=1000(mira)', 'uid=1000(~) gid=1000(~)', knows);
  becomes('Author: mira <mira@example.com>', 'Author: ~ <~@example.com>', knows);
  becomes('/media/mira/disk /tmp/claude-mira/x', '/media/~/disk /tmp/claude-~/x', knows);
  becomes('on mira/fix-login', 'on ~/fix-login', knows);
  becomes('see /home/mira/a, then /srv/mira/b', 'see ~/a, then /srv/~/b');
});

suite('what is no home and no name stays', () => {
  for (const text of [
    'GET /users/123/posts',
    'app.get("/users/:id")',
    'src/home/header/a.ts',
    'https://example.com/home/mira/x',
    '/home/$USER/x ${HOME} /home/<name>/x',
    'C:\\Users\\Public\\x /Users/Shared/x',
    'href="/home/about"',
    'the home-page-title and users-list-view',
    'lib/Users/UserController.php',
  ]) {
    test(text, () => assert.equal(redactor().text(text).text, text));
  }
  test('a name in prose, in the address of a project, in a longer word', () => {
    const text = 'mira said: https://github.com/mira/app is git@host:mira/app, admiral miracle';
    assert.equal(redactor(['/home/mira']).text(text).text, text);
  });
});

test('a secret in a path is still a secret', () => {
  const token = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');
  assert.equal(redactor().text(`/home/mira/${token}/x`).text, '~/[REDACTED:github-token#1]/x');
});

test('homes are counted, and are no findings', () => {
  const run = redactor();
  const { findings, homes } = run.text('/home/mira/a /home/mira/b');
  assert.deepEqual([findings.length, homes.length, run.report.homes], [0, 2, 2]);
});
