import { basename, dirname, join } from 'node:path';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { withHome } from '../places.js';
import type { SmallFiles } from '../smallFiles.js';
import type { SourceQuery } from '../source.js';
import type { ThreadSearch } from '../threadSearch.js';
import { isWanted } from '../wanted.js';

/** `KIRO_HOME` replaces `~/.kiro`, where the command line and the newer editors keep sessions. */
export const cliHomes = ({ env, userHome, homes }: SourceQuery): readonly string[] =>
  [...new Set([withHome(env['KIRO_HOME'] || join('~', '.kiro'), userHome), ...homes])].map((home) =>
    join(home, 'sessions'),
  );

/** What stands beside a session's lines: `<id>.json`, or `session.json`. */
export interface SessionFacts {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly parent?: string | undefined;
  readonly model?: string | undefined;
}

export function factsIn(text: string | undefined): SessionFacts {
  const about = parsed(text);
  const state = fieldsOf(about['session_state']);
  const model = fieldsOf(fieldsOf(state?.['rts_model_state'])?.['model_info']);
  const paths = about['workspacePaths'];
  return {
    id: textOf(about['session_id']) ?? textOf(about['id']),
    title: textOf(about['title']),
    cwd: textOf(about['cwd']) ?? (Array.isArray(paths) ? paths.find(isString) : undefined),
    parent: textOf(about['parent_session_id']),
    model: textOf(model?.['model_id']) ?? textOf(about['modelId']),
  };
}

/** The file beside the lines of a session. */
export const factsFile = (path: string): string =>
  basename(path) === 'messages.jsonl'
    ? join(dirname(path), 'session.json')
    : path.replace(/\.jsonl$/, '.json');

/** Lists sessions of lines; which folder one belongs to stands beside it. */
export async function searchCli(
  query: SourceQuery,
  search: ThreadSearch,
  files: SmallFiles,
): Promise<void> {
  for (const home of cliHomes(query)) {
    for (const entry of await search.list(home)) {
      const folder = join(home, entry.name);
      for (const { name } of await search.list(folder)) {
        const path =
          entry.name === 'cli' ? join(folder, name) : join(folder, name, 'messages.jsonl');
        const isSession = entry.name === 'cli' ? name.endsWith('.jsonl') : name.startsWith('sess_');
        if (!isSession) continue;
        const facts = factsIn(await files.read(factsFile(path)));
        if (!isWanted(facts.cwd, query)) continue;
        const nativeId = facts.id ?? basename(name, '.jsonl');
        const { cwd, parent } = facts;
        await search.look(path, () => Promise.resolve({ nativeId, cwd, parent }));
      }
    }
  }
}

function parsed(text: string | undefined): Fields {
  try {
    return objectsOf([JSON.parse(text ?? '')])[0] ?? {};
  } catch {
    return {};
  }
}
