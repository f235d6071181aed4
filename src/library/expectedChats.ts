import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { agent as chatAgent, ChatParser } from '../agents/vscode-chat/parser.js';
import type { Continuation } from '../core/model/continuation.js';
import { splitThreadId } from '../core/model/ids.js';
import { lineageSchema, type Cursor, type Lineage } from '../core/model/records.js';
import { writeAtomic } from '../vault/writeAtomic.js';
import { noteLineage } from './lineage.js';
import type { Store } from './store.js';

/** Chats that were given to a window and never kept by it are forgotten, the oldest first. */
const most = 100;

/** A chat that was taken in has its requests from the beginning on: so many records tell. */
const beginning = 4;

/** Up to where a chat was read. */
type Read = Pick<Cursor, 'generation' | 'records'>;

/**
 * Conversations that a window's chat took in. VS Code gives a chat that it imports an id of its own, which it
 * tells nobody, and writes it down later, but leaves the ids of its requests as they are: by the first of them
 * the chat is known when it is found in VS Code's store.
 */
export class ExpectedChats {
  private readonly folder: string;

  /** @param root of all vaults */
  constructor(root: string) {
    this.folder = folderIn(root);
  }

  /** Notes where a chat goes on from, before the window takes it in. */
  async expect({ chat, prompts, report }: Continuation, from: string): Promise<void> {
    const request = chat === undefined ? undefined : firstRequest(chat);
    if (request === undefined) return;
    const lineage: Lineage = { thread: from, prompts, report };
    const name = `${Date.now()}-${nameOf(request)}`;
    await writeAtomic(join(this.folder, name), Buffer.from(JSON.stringify(lineage)));
    for (const old of (await this.names()).slice(0, -most)) await this.drop(old);
  }

  /** Notes where a chat that got records goes on from, if it is one of those. */
  async arrived(store: Store, id: string, head: Read): Promise<void> {
    const { agent, nativeId } = splitThreadId(id);
    const names = agent === chatAgent ? await this.names() : [];
    const request = names.length === 0 ? undefined : await firstTurn(store, id, head);
    if (request === undefined) return;
    const name = names.findLast((one) => one.endsWith(nameOf(request)));
    const lineage = name === undefined ? undefined : await this.read(name);
    // A chat of VS Code that goes on in a new one has the same requests.
    if (name === undefined || lineage === undefined || lineage.thread === id) return;
    const { thread, prompts, report } = lineage;
    await noteLineage(store, thread, { agent, sessionId: nativeId, prompts, report });
    await this.drop(name);
  }

  /** Oldest first. */
  private async names(): Promise<readonly string[]> {
    return (await readdir(this.folder).catch(() => [])).sort();
  }

  private async read(name: string): Promise<Lineage | undefined> {
    const text = await readFile(join(this.folder, name), 'utf8').catch(() => '');
    return lineageSchema.safeParse(jsonOf(text)).data;
  }

  private drop(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true });
  }
}

const folderIn = (root: string): string => join(root, 'chats');

/** Removes the notes: they name conversations that a person may want forgotten. */
export const dropExpectedChats = (root: string): Promise<void> =>
  rm(folderIn(root), { recursive: true, force: true });

async function firstTurn(store: Store, id: string, head: Read): Promise<string | undefined> {
  const parser = new ChatParser('');
  for await (const record of store.records(
    id,
    head.generation,
    Math.min(head.records, beginning),
  )) {
    parser.push(record);
    const [turn] = parser.thread().turns;
    if (turn !== undefined) return turn.id;
  }
  return undefined;
}

/** The id comes from records that anybody may have written. */
const nameOf = (request: string): string =>
  `${createHash('sha256').update(request).digest('hex')}.json`;

const chatSchema = z.object({ requests: z.array(z.looseObject({ requestId: z.string() })).min(1) });

const firstRequest = (chat: string): string | undefined =>
  chatSchema.safeParse(jsonOf(chat)).data?.requests[0]?.requestId;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
