import { ExpectedError, isExpected, messageOf } from '../core/errors.js';

/**
 * Errors between threads. Structured clone keeps an error's message and stack and drops everything
 * else, so an expected error would arrive as a bug; here it keeps its reason, words and next step.
 */
interface WireError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly expected?:
    | {
        readonly reason: string;
        readonly template: string;
        readonly args: readonly (string | number)[];
        readonly next: string | undefined;
      }
    | undefined;
}

/** A response of birpc: `e` holds what the called function threw. */
interface Message {
  readonly e?: unknown;
}

export function packMessage(message: Message): Message {
  return message.e === undefined ? message : { ...message, e: pack(message.e) };
}

export function unpackMessage(message: Message): Message {
  return message.e === undefined ? message : { ...message, e: unpack(message.e as WireError) };
}

function pack(error: unknown): WireError {
  const stack = error instanceof Error ? error.stack : undefined;
  const wire = { message: messageOf(error), stack };
  if (!isExpected(error)) return wire;
  const { reason, template, args, next } = error;
  return { ...wire, expected: { reason, template, args, next } };
}

function unpack(wire: WireError): Error {
  const { expected } = wire;
  const error = expected
    ? new ExpectedError(
        expected.reason,
        expected.template,
        expected.args,
        expected.next === undefined ? {} : { next: expected.next },
      )
    : new Error(wire.message);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}
