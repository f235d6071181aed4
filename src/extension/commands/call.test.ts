import assert from 'node:assert/strict';
import { isExpected } from '../../core/errors.js';
import type { Node } from '../views/nodes.js';
import { readCall, sessionTargetSchema } from './call.js';

const node: Node = { kind: 'group', group: { kind: 'others', count: 1 } };
const other: Node = { kind: 'older', sessionId: 's', hidden: 1 };

suite('readCall', () => {
  const reads = (title: string, args: readonly unknown[], expected: object) =>
    test(title, () => assert.deepEqual(readCall(args, sessionTargetSchema), expected));

  reads('the palette asks', [], { from: 'palette' });
  reads('a button of the view asks', [undefined, undefined], { from: 'palette' });
  reads('a tree item is meant itself', [node], { from: 'tree', node, selected: [node] });
  reads('all selected items are meant', [node, [node, other]], {
    from: 'tree',
    node,
    selected: [node, other],
  });
  reads('an item outside of the selection is meant alone', [node, [other]], {
    from: 'tree',
    node,
    selected: [node],
  });
  reads('a program is not asked', [{ sessionId: 'a' }], {
    from: 'program',
    options: { sessionId: 'a' },
  });

  const refuses = (title: string, argument: unknown) =>
    test(title, () =>
      assert.throws(
        () => readCall([argument], sessionTargetSchema),
        (error) => isExpected(error, 'badArguments'),
      ),
    );

  refuses('a wrong type is said, not guessed at', { sessionId: 1 });
  refuses('a missing field is said', {});
  refuses('a string is no argument', 'a');
});
