import { sources } from '../../agents/registry.js';
import { fileUri } from '../../changes/fileUri.js';
import { agentName } from '../../core/thread/names.js';
import type { EveryProject } from '../everyProject.js';
import { plain } from '../output.js';
import type { Kind, Value } from './wanted.js';

/** Ids come from other programs' files. One that a shell could take for more than a word is not offered. */
const harmless = /^[A-Za-z0-9][\w.:@-]{0,199}$/;

const most = 200;

/**
 * Values of a kind, the newest first: of the current folder's project, or of all where it has none.
 *
 * @param given what is typed before it, such as the session that a snapshot is of
 */
export async function lookUp(
  kind: Kind,
  store: string,
  given: string | undefined,
): Promise<readonly Value[]> {
  const values = await valuesOf(kind, store, given);
  return values.filter(({ value }) => harmless.test(value)).slice(0, most);
}

async function valuesOf(
  kind: Kind,
  store: string,
  given: string | undefined,
): Promise<readonly Value[]> {
  switch (kind) {
    case 'agent':
      return sources.map(({ agent }) => ({ value: agent, about: agentName(agent) }));
    case 'project': {
      const { readProjects } = await import('../../vault/projectFile.js');
      return (await readProjects(store)).map(({ key }) => ({ value: key, about: '' }));
    }
    default: {
      const all = await openNearest(store);
      try {
        return await fromStore(kind, all, given);
      } finally {
        await all.close();
      }
    }
  }
}

async function fromStore(
  kind: 'session' | 'snapshot' | 'thread',
  all: EveryProject,
  given: string | undefined,
): Promise<readonly Value[]> {
  const sessions = all.sessions();
  const meant = given === undefined ? [] : sessions.filter(({ id }) => id.startsWith(given));
  const some = (meant.length > 0 ? meant : sessions).slice(0, most);
  switch (kind) {
    case 'session':
      return sessions.map(({ id, title }) => ({ value: id, about: about(title) }));
    case 'snapshot':
      return some
        .flatMap(({ id }) => all.snapshots(id))
        .map(({ id, at, reason, label }) => ({
          value: id,
          about: about(`${new Date(at).toISOString().slice(0, 16)} ${label ?? reason}`),
        }));
    case 'thread': {
      const threads: Value[] = [];
      for (const { id } of some) {
        if (threads.length >= most) break;
        for (const { nativeId, agent, title } of await all.threads(id)) {
          threads.push({ value: nativeId, about: about(`${agentName(agent)}: ${title}`) });
        }
      }
      return threads;
    }
  }
}

async function openNearest(store: string): Promise<EveryProject> {
  const { openEveryProject } = await import('../everyProject.js');
  const { projectOf } = await import('../projectOf.js');
  const own = await projectOf(store, fileUri(process.cwd())).catch(() => undefined);
  if (own !== undefined) {
    const all = await openEveryProject(store, ({ key }) => key === own.key);
    if (all.sessions().length > 0) return all;
    await all.close();
  }
  return openEveryProject(store);
}

const about = (text: string): string => plain(text, 60);
