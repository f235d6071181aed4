import { strict as assert } from 'node:assert';
import type { Now } from './now.js';
import type { TerminalState } from '../model/workbench.js';
import { planRestore } from './plan.js';
import {
  at,
  editors,
  saved,
  show,
  showSkipped,
  window,
  without,
  workbench,
} from './fixture.test.js';

suite('planRestore: workbench', () => {
  const terminal = (name: string, cwd?: string) => ({ name, cwd, commands: [] });
  const planned = (
    saw: Parameters<typeof workbench>[0],
    now: Now,
    tabs = 'a*',
    scope: 'all' | 'editors' = 'all',
  ) => planRestore({ content: saved(editors(tabs), { workbench: workbench(saw) }), scope, now });

  test('starts terminals that are not there, and no second of those that VS Code revived', () => {
    const now = window('a*', { terminals: [{ name: 'zsh', cwd: '/w/app' }, { name: 'build' }] });
    const plan = planned(
      {
        terminals: [
          terminal('zsh', '/w/app/src'),
          terminal('zsh', '/w/app'),
          terminal('build', '/w/app'),
        ],
      },
      now,
    );
    assert.equal(show(plan), 'terminal zsh');
    assert.ok(plan.steps[0]?.kind === 'terminal' && plan.steps[0].terminal.cwd === '/w/app/src');
  });

  test('a shell of a window that came back counts under any name', () => {
    const content = saved(editors('a*'), {
      workbench: workbench({ terminals: [terminal('node', '/w/app'), terminal('zsh', '/w')] }),
    });
    const now = window('a*', { terminals: [{ name: 'bash', cwd: '/w/app' }] });
    assert.equal(show(planRestore({ content, scope: 'all', now, addsOnly: true })), 'terminal zsh');
    assert.equal(show(planRestore({ content, scope: 'all', now })), 'terminal node; terminal zsh');
  });

  test('a terminal in the editor area keeps its group', () => {
    const plan = planned(
      { terminals: [terminal('zsh', '/w/app')] },
      window('a*'),
      'a* | term(zsh)*',
    );
    assert.equal(show(plan), 'layout x x; terminal zsh in 2:0; focus zsh in 2; focus a in 1');
  });

  test('a terminal in the editor area that is there is not started again', () => {
    const now = window('a* | term(zsh)*', { terminals: [{ name: 'zsh' }] });
    assert.equal(
      show(planned({ terminals: [terminal('zsh', '/w/app')] }, now, 'a* | term(zsh)*')),
      '',
    );
  });

  test('a terminal whose folder is gone is not started', () => {
    const now = window('a*', { folderExists: () => false });
    assert.equal(
      showSkipped(planned({ terminals: [terminal('zsh', '/w/app')] }, now)),
      'terminal zsh missing',
    );
  });

  test('starts no program and no command, only shells that wait for a person', () => {
    const started = (more: Partial<TerminalState>) =>
      show(planned({ terminals: [{ ...terminal('t'), ...more }] }, window('a*'))) !== '';
    assert.ok(started({ shellPath: '/bin/zsh', shellArgs: ['-l'] }));
    assert.ok(started({ shellPath: 'C:\\Windows\\System32\\cmd.exe', shellArgs: '' }));
    assert.ok(!started({ shellPath: '/usr/local/bin/claude', shellArgs: ['--resume', 'x'] }));
    assert.ok(!started({ shellPath: '/bin/bash', shellArgs: ['-c', 'make deploy'] }));
    assert.ok(!started({ shellPath: '/bin/bash', shellArgs: 'deploy.sh' }));
    assert.ok(!started({ namedOnly: true }));
  });

  test('a terminal of another clone starts in this one', () => {
    const now = window('a*', {
      folders: [{ name: 'copy', uri: 'file:///c/copy' }],
      editors: editors('a*', {}, { name: 'copy', uri: 'file:///c/copy' }),
    });
    const [step] = planned({ terminals: [terminal('zsh', '/w/app/src')] }, now).steps;
    assert.ok(step?.kind === 'terminal');
    assert.equal(step.terminal.cwd, '/c/copy/src');
  });

  test('adds breakpoints that are not set, and says which file is gone', () => {
    const breakpoint = (name: string, line: number) =>
      ({ kind: 'source', place: at(name), line, column: 0, enabled: true }) as const;
    const now = window('a*', { breakpoints: [breakpoint('a', 1)], exists: without('gone') });
    const plan = planned(
      {
        breakpoints: [
          breakpoint('a', 1),
          breakpoint('a', 2),
          breakpoint('gone', 3),
          { kind: 'function', functionName: 'main', enabled: true },
        ],
      },
      now,
    );
    assert.equal(show(plan), 'breakpoint /w/app/a; breakpoint main');
    assert.equal(showSkipped(plan), 'breakpoint gone:4 missing');
  });

  test('names tasks and debugging, and starts neither', () => {
    const plan = planned({ running: { tasks: ['watch'], debug: 'Server' } }, window('a*'));
    assert.equal(show(plan), '');
    assert.equal(showSkipped(plan), 'task watch notStarted; debug Server notStarted');
  });

  test('runs nothing in restricted mode', () => {
    const now = window('', { trusted: false });
    const plan = planned(
      {
        terminals: [terminal('zsh', '/w/app')],
        breakpoints: [{ kind: 'function', functionName: 'main', enabled: true }],
      },
      now,
      'a* term(zsh)',
    );
    assert.equal(show(plan), 'open a in 1:0; focus a in 1');
    assert.equal(
      showSkipped(plan),
      'tab zsh untrusted; terminal zsh untrusted; breakpoint main untrusted',
    );
  });

  test('restores editors alone when asked for editors', () => {
    const plan = planned(
      { terminals: [terminal('zsh', '/w/app')], running: { tasks: ['watch'] } },
      window(''),
      'a*',
      'editors',
    );
    assert.equal(show(plan), 'open a in 1:0; focus a in 1');
    assert.equal(showSkipped(plan), '');
  });

  test('restores what can be read of a damaged snapshot, and says what cannot', () => {
    const content = saved(undefined, {
      workbench: workbench({ terminals: [terminal('zsh')] }),
      missing: ['editors'],
    });
    const plan = planRestore({ content, scope: 'all', now: window('a*') });
    assert.equal(show(plan), 'terminal zsh');
    assert.equal(showSkipped(plan), 'part editors unreadable');
  });
});
