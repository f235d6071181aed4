import { findInStores, type StoreFound } from '../agents/everywhere.js';
import { sourceOf } from '../agents/registry.js';
import type { FoundThread, Source } from '../agents/source.js';
import { ExpectedError } from '../core/errors.js';
import { splitThreadId, threadId } from '../core/model/ids.js';
import type { KeptThreads } from '../library/keptThreads.js';
import type { EveryProject } from './everyProject.js';
import type { Progress } from './progress.js';
import { scopeOf, sourcesOf } from './stores.js';

/** `claude-code` of `claude-code:1234`. */
const agentIn = (id: string): string | undefined => {
  const { agent } = splitThreadId(id);
  return sourceOf(agent) === undefined ? undefined : agent;
};

const toList = 'Run "keepthread thread list --all" to see the ids.';

export interface Chosen {
  readonly id: string;
  readonly inStore?: { readonly source: Source; readonly found: FoundThread } | undefined;
}

interface Asked {
  readonly agent?: string;
  readonly home: Readonly<Record<string, readonly string[]>>;
}

/**
 * The conversation of any folder on this machine that an id, or the start of one, stands for.
 *
 * @throws ExpectedError `threadMissing` or `ambiguous`
 */
export async function chooseThread(
  id: string,
  { agent, home }: Asked,
  projects: EveryProject,
  progress: Progress,
): Promise<Chosen> {
  const asked = sourcesOf(agent ?? agentIn(id));
  const scope = scopeOf([process.cwd(), ...projects.folders], true, home);
  const stores = await findInStores(asked, scope, ({ name }) => progress.say(`Looking at ${name}`));
  progress.end();
  return choose(id, asked, stores, projects.kept);
}

function choose(
  asked: string,
  sources: readonly Source[],
  stores: readonly StoreFound[],
  kept: KeptThreads,
): Chosen {
  const all = new Map<string, Chosen>();
  for (const { id, agent } of kept.list()) {
    if (sources.some((source) => source.agent === agent)) all.set(id, { id });
  }
  for (const { source, threads } of stores) {
    for (const found of threads) {
      const id = threadId(source.agent, found.nativeId);
      all.set(id, { id, inStore: { source, found } });
    }
  }
  const files = stores.reduce((sum, { filesLookedAt }) => sum + filesLookedAt, 0);
  const template = 'There is no conversation {0} ({1} files looked at).';
  return oneOf(
    asked,
    [...all.values()],
    () => new ExpectedError('threadMissing', template, [asked, files], { next: toList }),
  );
}

/**
 * The conversation of the vault that an id, or the start of one, stands for.
 *
 * @throws ExpectedError `threadMissing` or `ambiguous`
 */
export const chooseKept = (
  asked: string,
  ids: readonly string[],
  missing = 'There is no conversation {0} in the vault.',
  next = `${toList.slice(0, -1)}, or "keepthread vault forgotten" to see those that were forgotten.`,
): string =>
  oneOf(
    asked,
    ids.map((id) => ({ id })),
    () => new ExpectedError('threadMissing', missing, [asked], { next }),
  ).id;

function oneOf<T extends Chosen>(
  asked: string,
  all: readonly T[],
  missing: () => ExpectedError,
): T {
  const named = all.map((chosen) => ({
    chosen,
    names: [chosen.id, splitThreadId(chosen.id).nativeId],
  }));
  const exact = named.filter(({ names }) => names.includes(asked));
  const matching =
    exact.length > 0
      ? exact
      : named.filter(({ names }) => names.some((name) => name.startsWith(asked)));
  const [first, ...others] = matching;
  if (first === undefined) throw missing();
  if (others.length === 0) return first.chosen;
  throw new ExpectedError(
    'ambiguous',
    '{0} conversations begin with {1}.',
    [matching.length, asked],
    {
      next: `Use one of: ${matching
        .slice(0, 10)
        .map(({ chosen }) => chosen.id)
        .join(', ')}.`,
    },
  );
}
