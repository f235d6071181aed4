import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeFolder } from '../src/agents/claude-code/folders.js';

const source = path.join(import.meta.dirname, '..', 'test', 'sample');
const halfAnHour = 30 * 60_000;

export interface Sample {
  /** A git repository with two commits and uncommitted changes. */
  readonly folder: string;
  /** The home folder that holds the conversation about it. */
  readonly home: string;
  readonly transcript: string;
}

/** Makes a copy of the sample workspace, and the conversation that was had in it; see its README. */
export const makeSample = (folder: string, home: string): Sample => {
  mkdirSync(folder, { recursive: true });
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Sam Sample', '-c', 'user.email=sam@example.com'];
    const settings = [...identity, '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];
    execFileSync('git', [...settings, ...args], { cwd: folder, stdio: 'ignore' });
  };
  const lay = (part: string): void => cpSync(path.join(source, part), folder, { recursive: true });
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };

  git('init', '--quiet', '--initial-branch=main');
  lay('first');
  commit('Keep todos in a file and serve them');
  lay('second');
  commit('Search todos by title');
  lay('uncommitted');
  return { folder, home, transcript: writeTranscript(realpathSync(folder), home) };
};

const writeTranscript = (folder: string, home: string): string => {
  const template = readFileSync(path.join(source, 'transcript.jsonl'), 'utf8');
  const inJson = JSON.stringify(folder).slice(1, -1);
  const times = [...template.matchAll(/"timestamp":"([^"]+)"/g)].map(([, time]) =>
    Date.parse(time ?? ''),
  );
  const last = new Date(Date.now() - halfAnHour);
  const shift = last.getTime() - Math.max(...times);
  const text = template
    .replaceAll('{{cwd}}', () => inJson)
    .replace(/"timestamp":"([^"]+)"/g, (_match, time: string) => {
      const moved = new Date(Date.parse(time) + shift).toISOString();
      return `"timestamp":"${moved}"`;
    });
  const { sessionId } = JSON.parse(text.split('\n')[1] ?? '') as { readonly sessionId: string };
  const projects = path.join(home, '.claude', 'projects', encodeFolder(folder));
  mkdirSync(projects, { recursive: true });
  const file = path.join(projects, `${sessionId}.jsonl`);
  writeFileSync(file, text);
  utimesSync(file, last, last);
  return file;
};
