import { createWriteStream, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { encodeFolder } from '../src/agents/claude-code/folders.js';
import { prose } from './project.js';

export interface Transcripts {
  /** The home that Claude Code's folder is in. */
  readonly home: string;
  /** The working folder of all conversations. */
  readonly cwd: string;
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

/** Conversations of Claude Code: prompts, answers, and tool calls with results of all lengths. Answers with their paths. */
export const writeTranscripts = async ({
  home,
  cwd,
  files,
  bytes,
}: Transcripts): Promise<readonly string[]> => {
  const folder = path.join(home, '.claude', 'projects', encodeFolder(cwd));
  mkdirSync(folder, { recursive: true });
  const paths: string[] = [];
  for (let file = 0; file < files; file += 1) {
    const sessionId = uuid(file, 0);
    const target = path.join(folder, `${sessionId}.jsonl`);
    await writeTranscript(target, { cwd, sessionId, file, bytes: bytes / files });
    paths.push(target);
  }
  return paths;
};

const writeTranscript = async (
  target: string,
  about: {
    readonly cwd: string;
    readonly sessionId: string;
    readonly file: number;
    readonly bytes: number;
  },
): Promise<void> => {
  const { cwd, sessionId, file, bytes } = about;
  const out = createWriteStream(target);
  // Of the last days, as what is older joins no session.
  const begun = Date.now() - 6 * 86_400_000 + file * 1_800_000;
  for (let at = 0; out.bytesWritten + out.writableLength < bytes; at += 1) {
    const record = {
      parentUuid: at === 0 ? null : uuid(file, at),
      isSidechain: false,
      ...{ cwd, sessionId, version: '2.1.332', uuid: uuid(file, at + 1) },
      timestamp: new Date(begun + at * 1000).toISOString(),
      ...turn(file, at),
    };
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
};

/** By turns: a prompt, a call, its result, an answer. */
const turn = (file: number, at: number): object => {
  const call = `toolu_${file}_${at - (at % 4)}`;
  const assistant = (content: object) => ({
    type: 'assistant',
    message: {
      id: `msg_${file}_${at}`,
      role: 'assistant',
      model: 'claude-opus-4-7',
      content: [content],
    },
  });
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  switch (at % 4) {
    case 0:
      return user(prose(300));
    case 1:
      return assistant({
        type: 'tool_use',
        id: call,
        name: 'Bash',
        input: { command: prose(120) },
      });
    case 2:
      return user([
        { type: 'tool_result', tool_use_id: call, content: prose(2000 + (at % 7) * 1500) },
      ]);
    default:
      return assistant({ type: 'text', text: prose(1200) });
  }
};

const uuid = (file: number, at: number): string =>
  `00000000-0000-4000-8000-${String(file * 10_000_000 + at).padStart(12, '0')}`;
