import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { decode } from '../decode.js';
import { fieldsOf, isString } from '../json.js';
import { jsonLines, linesOf, withMember } from '../jsonLines.js';
import type { NewFile, NewSession, OwnRecords, Target } from '../target.js';
import { homesOf } from './find.js';
import { hashOf } from './projects.js';

/**
 * A new session of Gemini CLI, in the log form of 0.58 and later. What its loader wants was tried on 0.61:
 * an id and a project on the first line, a name that begins with `session-`, and each call's result
 * beside it, since it sends what is there.
 */
export const geminiTarget: Target = {
  agent: 'gemini-cli',
  name: 'Gemini CLI',
  getIt: 'npm install -g @google/gemini-cli',
  takes: {
    images: true,
    summaries: false,
    callId: /^[A-Za-z0-9_.:-]{1,128}$/,
    toolName: { allowed: /[^A-Za-z0-9_.:-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => homesOf({ ...query, folders: [], homes: [] })[0] ?? '',
  look: lookForProject,
  write: (conversation, place) => filesOf(place, jsonLines(recordsOf(conversation, place))),
  rewrite: (own, place) => {
    const bytes = rewriteRecords(own, place);
    return bytes && filesOf(place, bytes);
  },
  resume: ({ id }) => ['gemini', '--resume', id],
};

/** A project that the program does not know yet is told by a marker, from which it makes its registry whole. */
function filesOf(place: NewSession, bytes: Uint8Array): readonly NewFile[] {
  const { id, now, cwd, facts } = place;
  const project = join('tmp', facts['project'] ?? '');
  const minute = new Date(now).toISOString().slice(0, 16).replace(':', '-');
  const session = join(project, 'chats', `session-${minute}-${id.slice(0, 8)}.jsonl`);
  const marker = { path: join(project, '.project_root'), bytes: Buffer.from(cwd) };
  return [...(facts['known'] === undefined ? [marker] : []), { path: session, bytes }];
}

/** The name of the project's folder: of the registry, of a marker, or a new one in the program's own way. */
async function lookForProject(
  home: string,
  cwd: string,
): Promise<Readonly<Record<string, string>>> {
  const registry = parsed(await readFile(join(home, 'projects.json'), 'utf8').catch(() => ''));
  const projects = fieldsOf(fieldsOf(registry)?.['projects']) ?? {};
  const key = resolve(cwd);
  const listed = projects[process.platform === 'win32' ? key.toLowerCase() : key];
  const names = new Set(await readdir(join(home, 'tmp')).catch((): string[] => []));
  const marked = new Map<string, string>();
  for (const name of names) {
    const marker = await readFile(join(home, 'tmp', name, '.project_root'), 'utf8').catch(() => '');
    if (marker !== '') marked.set(name, marker.trim());
  }
  if (isString(listed)) {
    return { project: listed, ...(marked.has(listed) && { known: 'yes' }) };
  }
  const own = [...marked].find(([, folder]) => folder === key)?.[0];
  if (own !== undefined) return { project: own, known: 'yes' };
  const taken = new Set([...names, ...Object.values(projects).filter(isString)]);
  const slug = slugOf(key);
  let project = slug;
  for (let count = 1; taken.has(project); count += 1) project = `${slug}-${count}`;
  return { project };
}

const slugOf = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'project';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordsOf({ messages }: Conversation, place: NewSession): readonly unknown[] {
  const first = new Date(messages[0]?.at || place.now).toISOString();
  const lastUpdated = new Date(place.now).toISOString();
  return [
    {
      sessionId: place.id,
      projectHash: hashOf(place.cwd),
      startTime: first,
      lastUpdated,
      kind: 'main',
    },
    ...messages.flatMap((message) => recordOf(message, place)),
    { $set: { lastUpdated } },
  ];
}

function recordOf(message: Message, { now, uuid }: NewSession): readonly unknown[] {
  const timestamp = new Date(message.at || now).toISOString();
  if (message.role === 'summary') return [];
  const common = { id: uuid(), timestamp };
  if (message.role === 'user') {
    return [{ ...common, type: 'user', content: message.content.map(partOf) }];
  }
  const { content, calls, model } = message;
  const text = content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  const toolCalls = calls.map((call) => ({ ...toolCall(call), timestamp }));
  return [
    {
      ...common,
      type: 'gemini',
      content: text,
      thoughts: [],
      model: model ?? 'unknown',
      ...(calls.length > 0 && { toolCalls }),
    },
  ];
}

const partOf = (part: Content): object =>
  part.kind === 'text'
    ? { text: part.text }
    : { inlineData: { mimeType: part.mediaType, data: part.data } };

function toolCall({ id, name, input, result }: AnsweredCall): object {
  const { text, isError, images } = result;
  const response = isError ? { error: text } : { output: text };
  return {
    id,
    name,
    args: input,
    result: [{ functionResponse: { id, name, response } }, ...images.map(partOf)],
    status: isError ? 'error' : 'success',
    resultDisplay: text,
    description: '',
    displayName: name,
  };
}

/**
 * Its own messages byte for byte under another id. Undefined for a cut: later lines replace earlier ones, and
 * the program never sends thoughts, so nothing is lost where the turns are written anew.
 */
function rewriteRecords(own: OwnRecords, { id }: NewSession): Uint8Array | undefined {
  const { records, nativeId, turns } = own;
  if (turns !== undefined) return undefined;
  // A session that is one object has its facts behind its messages; a log begins with them.
  const isFacts = (record: Uint8Array): boolean =>
    decode(record).fields?.['sessionId'] === nativeId;
  const facts = records.filter(isFacts);
  const rest = records.filter((record) => !isFacts(record));
  if (facts.length === 0) return undefined;
  return linesOf(
    [...facts, ...rest].map((record) => withMember(record, 'sessionId', nativeId, id)),
  );
}
