import { rowRecord } from '../../src/agents/sqlite/rowRecord.js';
import type { BranchSample } from './branchSamples.js';

const copilot = (id: string, parentId: string | null, type: string, data: object) => {
  const timestamp = '2026-11-30T05:00:00.000Z';
  return JSON.stringify({ type, data, id, parentId, timestamp });
};
const copilotSaid = (id: string, parentId: string | null, content: string) =>
  copilot(id, parentId, 'user.message', { content });
const copilotAnswer = (id: string, parentId: string, content: string) =>
  copilot(id, parentId, 'assistant.message', { messageId: id, content });
const droid = (id: string, parentId: string | undefined, role: string, text: string) => {
  const message = { role, content: [{ type: 'text', text }] };
  return JSON.stringify({ type: 'message', id, parentId, message });
};
const bubble = (id: string, place: number | null, type: number, text: string, minute: number) => {
  const createdAt = new Date(Date.UTC(2026, 10, 30, 5, minute)).toISOString();
  const value = JSON.stringify({ bubbleId: id, type, text, createdAt });
  return rowRecord('bubble', id, { id, place, value }).record;
};
const composer = rowRecord('composer', '*', { id: '*', value: '{"composerId":"c"}' }).record;

/** Of agents whose records name the one before, or whose rows stay after they were taken back. */
export const linkedSamples: readonly BranchSample[] = [
  {
    agent: 'copilot-cli',
    title: 'a prompt that goes on from an earlier event than the last',
    lines: [
      copilotSaid('u1', null, 'one'),
      copilotAnswer('a1', 'u1', 'ok'),
      copilotSaid('u2', 'a1', 'two'),
      copilotAnswer('a2', 'u2', 'no'),
      copilotSaid('u3', 'a1', 'three'),
      copilotAnswer('a3', 'u3', 'yes'),
    ],
    branches: ['two 1: one ok two no', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'copilot-cli',
    title: 'events that were not kept, and one that is there twice, make no branch',
    lines: [
      copilotSaid('u1', null, 'one'),
      copilotAnswer('a1', 'not kept', 'ok'),
      copilotAnswer('a1', 'not kept', 'ok'),
      copilotSaid('u2', null, 'two'),
      copilotAnswer('a2', 'u2', 'done'),
    ],
    branches: [],
    active: 'one ok two done',
  },
  {
    agent: 'factory-droid',
    title: 'a prompt that was edited',
    lines: [
      droid('1', undefined, 'user', 'one'),
      droid('2', '1', 'assistant', 'ok'),
      droid('3', '2', 'user', 'two'),
      droid('4', '3', 'assistant', 'no'),
      droid('5', '2', 'user', 'three'),
      droid('6', '5', 'assistant', 'yes'),
    ],
    branches: ['two 1: one ok two no', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'factory-droid',
    title: 'answers that hang on one record, as those to parallel calls do, are one line',
    lines: [
      droid('1', undefined, 'user', 'one'),
      droid('2', '1', 'assistant', 'first'),
      droid('3', '1', 'assistant', 'second'),
    ],
    branches: [],
    active: 'one first second',
  },
  {
    agent: 'cursor',
    title: 'what was left over before the conversation was first read',
    lines: [
      composer,
      bubble('b3', null, 1, 'two', 2),
      bubble('b4', null, 2, 'no', 3),
      bubble('b1', 0, 1, 'one', 0),
      bubble('b2', 1, 2, 'ok', 1),
      bubble('b5', 2, 1, 'three', 4),
      bubble('b6', 3, 2, 'yes', 5),
    ],
    branches: ['two 1: one ok two no', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'cursor',
    title: 'a prompt that was edited while we read along',
    lines: [
      composer,
      bubble('b1', 0, 1, 'one', 0),
      bubble('b2', 1, 2, 'ok', 1),
      bubble('b3', 2, 1, 'two', 2),
      bubble('b4', 3, 2, 'no', 3),
      bubble('b3', null, 1, 'two', 2),
      bubble('b4', null, 2, 'no', 3),
      bubble('b5', 2, 1, 'three', 4),
      bubble('b6', 3, 2, 'yes', 5),
    ],
    branches: ['two 1: one ok two no', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
];
