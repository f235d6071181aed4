import type { Skipped } from '../../core/model/thread.js';
import { isFields } from '../json.js';

/**
 * The state of a chat session, rebuilt from the lines of VS Code's mutation log
 * (microsoft/vscode, chat/common/model/objectMutationLog.ts):
 *
 *     {kind: 0, v}            the whole state
 *     {kind: 1, k: path, v}   sets a value
 *     {kind: 2, k: path, v?, i?}   cuts the array to `i` items if given, then appends `v`
 *     {kind: 3, k: path}      deletes a value
 *
 * VS Code throws the session away at the first bad line; here a bad line changes nothing.
 */
export type ChatState = Record<string, unknown>;

export interface Edit {
  readonly kind: number;
  readonly k?: unknown;
  readonly v?: unknown;
  readonly i?: unknown;
}

export interface Applied {
  readonly state: ChatState | undefined;
  /** Index in `requests` of the request that changed; undefined: any of them may have. */
  readonly request?: number | undefined;
  readonly failed?: Skipped['reason'] | undefined;
}

const isPath = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) &&
  value.every((step) => typeof step === 'string' || (Number.isInteger(step) && step >= 0));

/** Paths through these would reach objects that every object shares. */
const forbidden = new Set<string | number>(['__proto__', 'constructor', 'prototype']);

/** Applies one line to the state, changing it in place. */
export function applyEdit(state: ChatState | undefined, edit: Edit): Applied {
  const failed: Applied = { state, failed: 'badEdit', request: -1 };
  if (edit.kind === 0) return isFields(edit.v) ? { state: { ...edit.v } } : failed;
  if (state === undefined || !isPath(edit.k) || edit.k.some((step) => forbidden.has(step))) {
    return failed;
  }
  const key = edit.k.at(-1);
  if (key === undefined) {
    return edit.kind === 1 && isFields(edit.v) ? { state: { ...edit.v } } : failed;
  }
  const parent = descend(state, edit.k.slice(0, -1));
  if (parent === undefined) return failed;
  const done = changeAt(parent, key, edit);
  return done ? { state, request: requestOf(edit.k) } : failed;
}

type Container = Record<string | number, unknown>;

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

function descend(state: ChatState, path: readonly (string | number)[]): Container | undefined {
  let current: unknown = state;
  for (const step of path) {
    if (!isContainer(current) || !Object.hasOwn(current, step)) return undefined;
    current = current[step];
  }
  return isContainer(current) ? current : undefined;
}

function changeAt(parent: Container, key: string | number, edit: Edit): boolean {
  // An index far behind an array's end would make a hole that no writer meant.
  if (Array.isArray(parent) && (typeof key !== 'number' || key > parent.length)) return false;
  switch (edit.kind) {
    case 1:
      parent[key] = edit.v;
      return true;
    case 2:
      return appendTo(parent, key, edit);
    case 3:
      // Items keep their places, as in VS Code, which sets `undefined`.
      if (Array.isArray(parent)) parent[key] = undefined;
      else Reflect.deleteProperty(parent, key);
      return true;
    default:
      return false;
  }
}

function appendTo(parent: Container, key: string | number, { v, i }: Edit): boolean {
  const array = parent[key] ?? [];
  if (!Array.isArray(array)) return false;
  if (v !== undefined && v !== null && !Array.isArray(v)) return false;
  if (i !== undefined && i !== null) {
    if (typeof i !== 'number' || !Number.isInteger(i) || i < 0) return false;
    array.length = Math.min(array.length, i);
  }
  // One by one: spreading a very long array into the arguments of a call overflows the stack.
  for (const item of v ?? []) array.push(item);
  parent[key] = array;
  return true;
}

/** Which request a path is in; -1 when it is in none, undefined when it names all of them. */
function requestOf(path: readonly (string | number)[]): number | undefined {
  if (path[0] !== 'requests') return -1;
  return typeof path[1] === 'number' ? path[1] : undefined;
}
