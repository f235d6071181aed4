import assert from 'node:assert/strict';
import type { SessionSummary } from '../../core/model/session.js';
import { groupSessions } from './groups.js';

const now = new Date(2026, 2, 18, 14, 30).getTime();

/** `name day [flags]`: a session of this March (or "m-d" of another month); flags: finished, archived. */
function session(line: string): SessionSummary {
  const [id = '', when = '', flag] = line.split(' ');
  const [month, day] = when.includes('-') ? when.split('-').map(Number) : [3, Number(when)];
  const at = new Date(2026, (month ?? 3) - 1, day, 12).getTime();
  return {
    id,
    title: id,
    goal: '',
    status: flag === 'finished' ? 'finished' : 'paused',
    tags: [],
    archived: flag === 'archived',
    createdAt: at,
    updatedAt: at,
    agents: [],
    snapshots: 1,
    threads: 0,
  };
}

const date = (start: number): string => {
  const at = new Date(start);
  return `${at.getMonth() + 1}-${at.getDate()} ${at.getHours()}h`;
};

function show(lines: readonly string[], activeId?: string): string {
  const { active, groups } = groupSessions(lines.map(session), activeId, now);
  return [
    ...(active ? [`active: ${active.id}`] : []),
    ...groups.map((group) => {
      const ids = group.sessions.map(({ id }) => id).join(' ');
      return 'start' in group
        ? `${group.kind} ${date(group.start)}: ${ids}`
        : `${group.kind}: ${ids}`;
    }),
  ].join(', ');
}

suite('groupSessions', () => {
  const lists = (title: string, lines: readonly string[], expected: string, active?: string) =>
    test(title, () => assert.equal(show(lines, active), expected));

  lists('nothing for nothing', [], '');
  lists(
    'the active session stands first, whatever its age',
    ['a 18', 'b 1'],
    'active: b, day 3-18 0h: a',
    'b',
  );
  lists('the active session stays first when it is finished', ['a 18 finished'], 'active: a', 'a');
  lists('an active id that is not there hides nothing', ['a 18'], 'day 3-18 0h: a', 'gone');
  lists(
    'newest day first, newest session first within it',
    ['a 16', 'b 18', 'c 17'],
    'day 3-18 0h: b, day 3-17 0h: c, day 3-16 0h: a',
  );
  lists(
    'finished ones come last, in one group',
    ['a 18 finished', 'b 17', 'c 2-1 finished'],
    'day 3-17 0h: b, finished: a c',
  );
  lists(
    'archived ones come after them, when they are shown at all',
    ['a 18 archived', 'b 17 finished', 'c 16'],
    'day 3-16 0h: c, finished: b, archived: a',
  );
  lists('the last 30 days have a group each', ['a 2-17'], 'day 2-17 0h: a');
  lists(
    'older ones share a group a month',
    ['a 2-16', 'b 2-1', 'c 1-31'],
    'month 2-1 0h: a b, month 1-1 0h: c',
  );
});
