import { agentName } from '../thread/names.js';
import { roles } from './types.js';

/** What a filter that is being typed may become. */
export interface Completion {
  readonly filter: string;
  readonly about?: string | undefined;
  /** The whole query with it. */
  readonly query: string;
}

const starters = ['agent:', 'role:', 'tool:', 'file:', 'branch:', 'after:', 'before:'];

/**
 * Ways to go on with a query: every kind of filter for an empty one, and the values of the filter at its end, where
 * there are few.
 *
 * @param agents ids of the agents that there are
 */
export function completions(query: string, agents: readonly string[]): readonly Completion[] {
  if (query.trim() === '') return starters.map((filter) => ({ filter, query: filter }));
  const begin = query.search(/\S*$/);
  const word = query.slice(begin).toLowerCase();
  const values = [
    ...agents.map((id) => ({ filter: `agent:${id}`, about: agentName(id) })),
    ...roles.map((role) => ({ filter: `role:${role}` })),
    ...['today', '7d', '30d'].map((when) => ({ filter: `after:${when}` })),
  ];
  return values
    .filter(({ filter }) => /^[a-z]+:/.test(word) && filter.startsWith(word) && filter !== word)
    .map((value) => ({ ...value, query: `${query.slice(0, begin)}${value.filter} ` }));
}
