import assert from 'node:assert/strict';
import { isExpected } from '../core/errors.js';
import type { SessionSummary } from '../core/model/session.js';
import { findById } from './sessionCommands.js';

suite('naming a session by its id', () => {
  const sessions = ['abc1', 'abc2', 'abc', 'xyz'].map((id): SessionSummary => {
    return {
      id,
      title: '',
      goal: '',
      status: 'active',
      tags: [],
      createdAt: 0,
      updatedAt: 0,
      agents: [],
      snapshots: 0,
      threads: 0,
    };
  });
  const finds = (given: string, expected: string): void => {
    test(`${given}: ${expected}`, () => {
      try {
        assert.equal(findById(sessions, given).id, expected);
      } catch (error) {
        assert.ok(isExpected(error));
        assert.equal(error.reason, expected);
      }
    });
  };
  finds('xyz', 'xyz');
  finds('x', 'xyz');
  finds('abc', 'abc');
  finds('abc2', 'abc2');
  finds('ab', 'ambiguous');
  finds('XYZ', 'sessionMissing');
  finds('b', 'sessionMissing');
});
