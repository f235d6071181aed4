import type { Layout } from '../model/editors.js';
import { strict as assert } from 'node:assert';
import { planRestore } from './plan.js';
import {
  at,
  check,
  editors,
  planOf,
  row,
  saved,
  show,
  showSkipped,
  window,
  without,
} from './fixture.test.js';

suite('planRestore: tabs', () => {
  const does = (title: string, before: string, now: string, steps: string, skipped = '') =>
    test(title, () => check(before, window(now), steps, skipped));

  does('asks nothing of a window that looks the same', 'a[pin] b* | c*', 'a[pin] b* | c*', '');
  does(
    'opens tabs in saved order, one place after the other',
    'a b c*',
    '',
    'open a in 1:0; open b in 1:1; open c in 1:2; focus c in 1',
  );
  does('puts a tab between those that are there', 'a b* c', 'a* c', 'open b in 1:1; focus b in 1');
  does(
    'moves as few tabs as it can',
    'a b c*',
    'b c* a',
    'move b to 1:2; move c to 1:2; focus c in 1',
  );
  does(
    'closes what is clean and not in the snapshot, after the opens',
    'a*',
    'x*',
    'open a in 1:0; close x in 1; focus a in 1',
  );
  does('keeps unsaved work open', 'a*', 'a* x[dirty]', '', 'tab x dirty');
  does(
    'keeps what no restore could bring back',
    'a*',
    'a* web(Claude) term(zsh) other(Settings)',
    '',
    'tab Claude kept; tab zsh kept; tab Settings kept',
  );
  does(
    'pins in saved order, behind nothing else',
    'a[pin] b[pin] c*',
    '',
    'open a in 1:0; open b in 1:1; open c in 1:2; pin a in 1; pin b in 1; focus c in 1',
  );
  does(
    'turns pins round that are in another order',
    'a[pin] b[pin]*',
    'b[pin]* a',
    'pin a in 1; move b to 1:1; focus b in 1',
  );
  does(
    'unpins what was not pinned, before anything counts on it',
    'a* b[pin]',
    'a[pin]* b',
    'unpin a in 1; pin b in 1; focus a in 1',
  );
  does(
    'opens the preview tab last, so that no open replaces it',
    'p[preview]* a',
    '',
    'open a in 1:0; open p[preview] in 1:0; focus p[preview] in 1',
  );
  does(
    'keeps a preview tab that the next preview would replace',
    'a p[preview]*',
    'a[preview]*',
    'open a in 1:0; open p[preview] in 1:1; focus p[preview] in 1',
  );
  does('leaves a tab alone that is no preview any more', 'a[preview]*', 'a*', '');
  does(
    'moves a tab to another group by opening it there',
    'a* | b c*',
    'a b* | c*',
    'open b in 2:0; close b in 1; focus c in 2; focus a in 1',
  );
  does(
    'shows the tab that was shown and returns to the active group',
    'a* b | c d*',
    'a b* | c* d',
    'focus d in 2; focus a in 1',
  );
  does(
    'names what VS Code gives no way to open',
    'a* web(Claude) other(Settings)',
    'a*',
    '',
    'tab Claude notRestorable; tab Settings notRestorable',
  );
  does(
    'tells kinds of tab on the same file apart',
    'a diff(a,b) nb(n) custom(i)*',
    '',
    'open a in 1:0; open a↔b in 1:1; open n in 1:2; open i in 1:3; focus i in 1',
  );

  test('skips a file that is gone, says so, and restores the rest', () => {
    check(
      'a gone diff(gone,a) b*',
      window('', { exists: without('gone') }),
      'open a in 1:0; open b in 1:1; focus b in 1',
      'tab gone missing; tab gone,a missing',
    );
  });

  test('opens a diff whose old side is in git although the file is gone', () => {
    const git = 'git:/w/app/gone?%7B%7D';
    const place = { uri: git, git: { ref: 'HEAD', path: '/w/app/gone' } };
    const tab = { kind: 'diff', original: place, modified: at('a'), label: 'gone' } as const;
    const content = editors('', { groups: [{ tabs: [tab] }] });
    const now = window('', { exists: without('gone') });
    assert.match(show(planOf(content, now)), /^open gone↔a in 1:0/);
    assert.equal(showSkipped(planOf(content, { ...now, trusted: false })), 'tab gone untrusted');
  });
});

suite('planRestore: a window that came back', () => {
  test('keeps what VS Code remembers beyond the snapshot', () => {
    const plan = planRestore({
      content: saved(editors('a b*')),
      scope: 'all',
      now: window('a x*'),
      addsOnly: true,
    });
    assert.equal(show(plan), 'open b in 1:1; focus b in 1');
    assert.equal(showSkipped(plan), '');
  });
});

suite('planRestore: layout', () => {
  const grid: Layout = {
    orientation: 0,
    groups: [{ size: 0.5 }, { size: 0.5, groups: [{ size: 0.6 }, { size: 0.4 }] }],
  };

  test('a grid comes back as a grid, before the tabs', () => {
    check(
      'a* | b* | c*',
      window('a*'),
      'layout x (x x); open b in 2:0; open c in 3:0; focus b in 2; focus c in 3; focus a in 1',
      '',
      { layout: grid },
    );
  });

  test('sizes that differ by rounding are the same', () => {
    check(
      'a* | b*',
      window('', {
        editors: editors('a* | b*', {
          layout: { orientation: 0, groups: [{ size: 0.51 }, { size: 0.49 }] },
        }),
      }),
      '',
    );
  });

  test('one group has no orientation', () => {
    check(
      'a*',
      window('', { editors: editors('a*', { layout: { orientation: 1, groups: [{ size: 1 }] } }) }),
      '',
    );
  });

  test('tabs of groups that go away are counted where VS Code merges them', () => {
    check('a b*', window('a* | b*'), 'layout x; focus b in 1');
  });

  test('a layout that could not be read becomes groups beside each other', () => {
    check('a* | b*', window('a*'), 'layout x x; open b in 2:0; focus b in 2; focus a in 1', '', {
      layout: undefined,
    });
  });

  test('tabs of another window come into the last group, unless that window still shows them', () => {
    const before = { layout: row(1) };
    check('a* | far', window('a*'), 'open far in 1:1; focus a in 1', '', before);
    check('a* | far', window('', { editors: editors('a* | far', before) }), '', '', before);
  });
});
