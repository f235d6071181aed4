import { z } from 'zod';

/** A file that git does not track; `content` is absent when a limit left it out, and `left` says which. */
export const untrackedSchema = z.object({
  path: z.string(),
  size: z.number(),
  mode: z.number().optional(),
  /** SHA-256 (hex) of the whole content in the vault. */
  content: z.string().optional(),
  left: z.enum(['tooLarge', 'tooMany', 'unreadable', 'notAFile', 'notShared']).optional(),
});
export type Untracked = z.infer<typeof untrackedSchema>;

export const changedFileSchema = z.object({
  path: z.string(),
  /** Path before a rename. */
  from: z.string().optional(),
  /** The two letters of `git status --porcelain`: index and working tree. */
  status: z.string(),
  /** SHA-256 (hex) of the working file, where git converts it (line endings, filters) and a patch alone would lose its bytes. */
  content: z.string().optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** A file that a session's changes were laid on, as it was before: to put it back. */
export const replacedSchema = z.object({
  path: z.string(),
  /** SHA-256 (hex) of the whole content in the vault; absent: there was no file. */
  content: z.string().optional(),
  mode: z.number().optional(),
  /** SHA-256 (hex) of what it became; absent: it went. */
  becomes: z.string().optional(),
});
export type Replaced = z.infer<typeof replacedSchema>;

const indexEntrySchema = z.object({
  mode: z.string(),
  /** The name that git has for the content. */
  object: z.string(),
  /** 0, or 1 to 3 in the middle of a merge: https://git-scm.com/docs/git-ls-files#_output */
  stage: z.number(),
  /** SHA-256 (hex) of the content in the vault. */
  content: z.string().optional(),
});

/** What the index had of a path before a session's changes were laid on files; an empty list: nothing. */
export const restagedSchema = z.object({
  path: z.string(),
  before: z.array(indexEntrySchema),
  becomes: z.array(indexEntrySchema),
});
export type Restaged = z.infer<typeof restagedSchema>;

/** One git repository's difference from its HEAD commit. */
export const repositoryChangesSchema = z.object({
  /** URI of the repository's root. */
  root: z.string(),
  /** Without credentials. */
  remote: z.string().optional(),
  branch: z.string().optional(),
  /** Absent before the first commit. */
  head: z.string().optional(),
  /** SHA-256 (hex) of `git diff --binary` texts in the vault. */
  staged: z.string().optional(),
  unstaged: z.string().optional(),
  files: z.array(changedFileSchema),
  untracked: z.array(untrackedSchema),
  /** Of the snapshot taken before changes were laid on files here; stays on this machine. */
  replaced: z.array(replacedSchema).optional(),
  restaged: z.array(restagedSchema).optional(),
  /** What could not be taken, in words. */
  problems: z.array(z.string()),
});
export type RepositoryChanges = z.infer<typeof repositoryChangesSchema>;

export const changesSchema = z.object({ repositories: z.array(repositoryChangesSchema) });
export type Changes = z.infer<typeof changesSchema>;

/**
 * A changes part without what was replaced on the machine that it is of: that is nobody else's, and an undo
 * must not do what a file from somebody else says. The very same value when there was nothing of it.
 */
export function withoutReplaced(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('repositories' in part)) return part;
  const { repositories } = part;
  if (!Array.isArray(repositories)) return part;
  const rest = repositories.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return one;
    if (!('replaced' in one || 'restaged' in one)) return one;
    return { ...one, replaced: undefined, restaged: undefined };
  });
  return rest.some((one, at) => one !== repositories[at]) ? { ...part, repositories: rest } : part;
}
