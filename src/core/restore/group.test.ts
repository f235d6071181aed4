import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Tab } from '../model/editors.js';
import { planGroup } from './group.js';
import { tabKey } from './tabs.js';
import type { RestoreStep } from './types.js';

/** Distinct text tabs, pinned ones first and at most one preview, as VS Code keeps a group. */
const group: fc.Arbitrary<readonly Tab[]> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 7 }),
    fc.nat(7),
    fc.option(fc.nat(7)),
    fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  )
  .map(([names, pins, preview, dirty]) =>
    names.map((name, index) => ({
      kind: 'text' as const,
      place: { uri: `file:///${name}` },
      label: name,
      pinned: index < pins,
      preview: index >= pins && index === preview,
      dirty: dirty[index] === true && index !== preview,
    })),
  );

/** What VS Code 1.139 does to a group's tabs at each step, as seen in the real one. */
function play(tabs: readonly Tab[], steps: readonly RestoreStep[]): readonly Tab[] {
  return steps.reduce<readonly Tab[]>((before, step) => {
    if (!('tab' in step) || step.tab === undefined) return before;
    const { tab } = step;
    const pins = before.filter((one) => one.pinned === true).length;
    const old = before.find((one) => tabKey(one) === tabKey(tab));
    const rest = before.filter((one) => one !== old);
    const put = (index: number, one: Tab) => rest.toSpliced(index, 0, one);
    switch (step.kind) {
      case 'open': {
        if (old !== undefined) {
          return before.map((one) => (one === old ? { ...one, preview: false } : one));
        }
        assert.ok(step.index >= pins, 'a new tab never stands among the pinned ones');
        assert.ok(!(tab.preview === true && rest.some((one) => one.preview === true)));
        return put(step.index, { ...tab, pinned: false });
      }
      case 'close':
        assert.notEqual(old?.dirty, true, 'unsaved work is never closed');
        return rest;
      case 'pin':
        return put(pins, { ...(old ?? tab), pinned: true, preview: false });
      case 'unpin':
        return put(pins - 1, { ...(old ?? tab), pinned: false });
      case 'move': {
        const stays = old?.pinned === true ? step.index < pins : step.index >= pins;
        assert.ok(stays, 'a move never pins or unpins');
        return put(step.index, { ...(old ?? tab), preview: false });
      }
      default:
        return before;
    }
  }, tabs);
}

const state = (tabs: readonly Tab[]): string =>
  tabs
    .map(
      ({ label, pinned, preview }) => `${label}${pinned ? '[pin]' : ''}${preview ? '[pre]' : ''}`,
    )
    .join(' ');

suite('planGroup', () => {
  test('any group becomes any other, and unsaved tabs stay', () => {
    fc.assert(
      fc.property(group, group, (wanted, present) => {
        const plan = planGroup({ group: 0, wanted: wanted.map((tab) => ({ tab })), present });
        const after = play(present, [...plan.open, ...plan.arrange]);
        const keys = new Set(wanted.map(tabKey));
        const extra = after.filter((tab) => !keys.has(tabKey(tab)));
        assert.ok(extra.every((tab) => tab.dirty === true));
        assert.equal(
          extra.length,
          present.filter((tab) => !keys.has(tabKey(tab)) && tab.dirty === true).length,
        );
        const ours = after.filter((tab) => keys.has(tabKey(tab)));
        const wasFixed = (tab: Tab) =>
          present.some((one) => tabKey(one) === tabKey(tab) && one.preview !== true);
        const expected = wanted.map((tab) =>
          tab.preview === true && (wasFixed(tab) || wasMoved(plan.arrange, tab))
            ? { ...tab, preview: false }
            : tab,
        );
        assert.equal(state(ours), state(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test('a second restore has nothing left to do', () => {
    fc.assert(
      fc.property(group, group, (wanted, present) => {
        const items = wanted.map((tab) => ({ tab }));
        const first = planGroup({ group: 0, wanted: items, present });
        const after = play(present, [...first.open, ...first.arrange]);
        const second = planGroup({ group: 0, wanted: items, present: after });
        assert.deepEqual([...second.open, ...second.arrange], []);
      }),
      { numRuns: 2000 },
    );
  });
});

const wasMoved = (steps: readonly RestoreStep[], tab: Tab): boolean =>
  steps.some((step) => step.kind === 'move' && tabKey(step.tab) === tabKey(tab));
