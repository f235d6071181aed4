import { agentName } from '../thread/names.js';
import { actKindOf } from '../tools/act.js';
import { fold } from './fold.js';
import type { SearchRow } from './rows.js';
import type { SearchFilters, SearchRole } from './types.js';

const folded = (text: string): string => fold(text).text;
const squeezed = (text: string): string => folded(text).replace(/[\s_-]/g, '');

/** Whether one of the values is met; none at all is met by everything. */
const some = (values: readonly string[] | undefined, meets: (value: string) => boolean): boolean =>
  values === undefined || values.length === 0 || values.some(meets);

export const meetsAgent = ({ agent }: SearchFilters, id: string): boolean =>
  some(agent, (value) => {
    const wanted = squeezed(value);
    return squeezed(id).startsWith(wanted) || squeezed(agentName(id)).startsWith(wanted);
  });

export const meetsSession = ({ session }: SearchFilters, ids: readonly string[]): boolean =>
  some(session, (value) => ids.some((id) => id.startsWith(value.toLowerCase())));

export const meetsBranch = ({ branch }: SearchFilters, branches: readonly string[]): boolean =>
  some(branch, (value) => branches.some((name) => folded(name) === folded(value)));

export const meetsTime = ({ after, before }: SearchFilters, at: number | undefined): boolean => {
  if (after === undefined && before === undefined) return true;
  return at !== undefined && at >= (after ?? -Infinity) && at < (before ?? Infinity);
};

/** Who said it. */
export function roleOf({ kind, role }: Pick<SearchRow, 'kind' | 'role'>): SearchRole {
  if (kind === 'toolInput' || kind === 'toolResult') return 'tool';
  return kind === 'thinking' ? 'thinking' : role;
}

export const meetsRole = (
  { role }: SearchFilters,
  row: Pick<SearchRow, 'kind' | 'role'>,
): boolean =>
  role === undefined ||
  role.length === 0 ||
  role.some((wanted) => wanted === roleOf(row) || wanted === row.role);

/** `bash` is Bash, and `edit` is every tool that edits. */
export const meetsTool = ({ tool }: SearchFilters, name: string | undefined): boolean =>
  some(tool, (value) => {
    if (name === undefined) return false;
    const wanted = squeezed(value);
    return squeezed(name).includes(wanted) || actKindOf(name)?.toLowerCase() === wanted;
  });

export const meetsFile = ({ file }: SearchFilters, paths: readonly string[]): boolean =>
  some(file, (value) => paths.some((path) => isWithin(path, value)));

/** Whether a path ends with another one, or has it among its folders. */
function isWithin(path: string, wanted: string): boolean {
  const whole = `/${slashed(path)}/`;
  const part = slashed(wanted).replace(/^\.?\/+|\/+$/g, '');
  return part !== '' && whole.includes(`/${part}/`);
}

const slashed = (path: string): string => folded(path).replaceAll('\\', '/');

/** The filters that one row is held against; the others are a conversation's. */
export const meetsRow = (filters: SearchFilters, row: SearchRow): boolean =>
  meetsTime(filters, row.at) &&
  meetsRole(filters, row) &&
  meetsTool(filters, row.tool) &&
  meetsFile(filters, row.files ?? []);

/** Filters of a call with those that were typed: of two of one kind the typed one holds, and of two times both. */
export function bothFilters(one: SearchFilters, other: SearchFilters): SearchFilters {
  const later = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
  const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  return {
    agent: other.agent ?? one.agent,
    session: other.session ?? one.session,
    role: other.role ?? one.role,
    tool: other.tool ?? one.tool,
    file: other.file ?? one.file,
    branch: other.branch ?? one.branch,
    after: later(one.after, other.after),
    before: earlier(one.before, other.before),
    in: other.in ?? one.in,
  };
}
