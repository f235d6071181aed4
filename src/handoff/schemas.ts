import { z } from 'zod';
import { changesSchema, repositoryChangesSchema } from '../core/model/changes.js';
import { editorsSchema } from '../core/model/editors.js';
import { sessionStatusSchema } from '../core/model/session.js';
import { snapshotSchema, threadPointSchema, workbenchSchema } from '../core/model/snapshot.js';
import { environmentSchema } from '../core/model/workbench.js';

/*
 * What a handoff file holds: docs/format.md says it in words, docs/handoff.schema.json is made of this.
 * Fields that a schema does not name are dropped where the file is used, and kept as data beside it.
 */

/** The format that is written. A reader takes every minor version of its major one. */
export const formatVersion = '1.0';

const id = z.string().min(1).max(300);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const words = z.string().max(100_000);
const count = z.int().nonnegative();
/** Milliseconds since the epoch, as far as a date goes: nothing can show what is beyond. */
const time = z.number().min(-8.64e15).max(8.64e15);

/** The first line of a file that is not encrypted. */
export const headerSchema = z.object({
  format: z.literal('keepthread'),
  /** `<major>.<minor>` */
  version: z.string().regex(/^\d{1,4}\.\d{1,4}$/),
  encryption: z.literal('none'),
  compression: z.enum(['none', 'deflate', 'zstd']),
});
export type Header = z.infer<typeof headerSchema>;

/** What a project is called beyond its path. */
export const projectSchema = z.object({
  /** Oldest commit of its git history. */
  rootCommit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  /** Without credentials. */
  remote: words.optional(),
});

export const sessionEntrySchema = z.object({
  kind: z.literal('session'),
  id,
  /** Fingerprint of the key that signs the file; the manifest says the same. */
  signedBy: z.string().max(100).optional(),
  title: words,
  goal: words,
  status: sessionStatusSchema,
  tags: z.array(words).max(1000),
  createdAt: time,
  updatedAt: time,
  workspace: words.optional(),
  project: projectSchema.optional(),
  /** Ids of the sessions that this one goes on from, the oldest first. */
  lineage: z.array(id).max(100).optional(),
});

export const threadEntrySchema = z.object({
  kind: z.literal('thread'),
  /** `<agent>:<the agent's own id>` */
  id: z
    .string()
    .max(300)
    .regex(/^[a-z0-9][a-z0-9-]*:.+$/s),
  /** Id of the thread that started this one as a subagent. */
  parent: id.optional(),
  /** The generations that follow and how many records each has, the newest last. */
  generations: z.array(z.object({ generation: count, records: count })).max(10_000),
  /** For people: what the parsers of the sender made of the records. */
  title: words.optional(),
  turns: count.optional(),
  messages: count.optional(),
  firstAt: time.optional(),
  lastAt: time.optional(),
});

/** One record of an agent: its text; bytes that are no UTF-8; or a blob, for a record too long for a line. */
export const agentRecordSchema = z.union([
  z.string(),
  z.object({ base64: z.base64() }),
  z.object({ blob: hash }),
]);

/** A run of a thread's records; runs of a generation follow one another without gap. */
export const recordsEntrySchema = z.object({
  kind: z.literal('records'),
  thread: id,
  generation: count,
  /** Index of the first record in its generation. */
  first: count,
  records: z.array(agentRecordSchema),
});

/** A part of a content, named by the SHA-256 of the whole. Parts of one blob follow one another. */
export const blobEntrySchema = z.object({
  kind: z.literal('blob'),
  id: hash,
  /** It is a record of an agent that is too long for a line; the next run of records names it. */
  record: z.boolean().optional(),
  size: count,
  /** Byte offset of this part. */
  at: count,
  /** UTF-8 text, or else `base64`. */
  text: z.string().optional(),
  base64: z.base64().optional(),
});

/** What was replaced on a machine stays there. */
const sentChangesSchema = changesSchema.extend({
  repositories: z.array(repositoryChangesSchema.omit({ replaced: true, restaged: true })),
});

/** One part of snapshots, named by them under `id`. */
export const partEntrySchema = z.discriminatedUnion('part', [
  z.object({ kind: z.literal('part'), id, part: z.literal('editors'), value: editorsSchema }),
  z.object({ kind: z.literal('part'), id, part: z.literal('workbench'), value: workbenchSchema }),
  z.object({ kind: z.literal('part'), id, part: z.literal('changes'), value: sentChangesSchema }),
  z.object({
    kind: z.literal('part'),
    id,
    part: z.literal('environment'),
    value: environmentSchema,
  }),
]);

/** The parts of a snapshot that this version knows, by name. */
export const snapshotPartsShape = snapshotSchema.shape.parts.shape;

/** A snapshot as the vault has it, but for the version of the vault's own record. */
export const snapshotEntrySchema = z.object({
  kind: z.literal('snapshot'),
  snapshot: snapshotSchema.omit({ schemaVersion: true }).extend({
    id,
    sessionId: id,
    at: time,
    threads: z.array(threadPointSchema.extend({ generation: count, records: count })),
  }),
});

/** Why something of the session is not in the file. */
export const leftOutSchema = z.object({
  /** A path below its repository, or the name of a document. */
  what: words,
  reason: z.enum(['secrets', 'binary', 'notAsked', 'tooLarge', 'missing', 'notScanned']),
});

const findingsSchema = z.object({ kind: words, count });

export const redactionSchema = z.object({
  /** `share`: looked at by all rules; `none`: not looked at. */
  lane: z.enum(['share', 'none']),
  /** How many secrets of each kind were masked. */
  masked: z.array(findingsSchema).max(1000).readonly(),
  /** Secrets in files that travel as they are, because a person said so. */
  kept: z.array(findingsSchema).max(1000).readonly(),
  /** Home folders and names of users that became `~`. */
  homes: count,
  /** Signed or encrypted for a vendor: left out, since an edit would break them. */
  sealed: count,
  images: count,
  /** Tool outputs that were shortened. */
  shortened: count,
  leftOut: z.array(leftOutSchema),
});

/** The last entry but for the signature: what the file holds, and the hash of every entry. */
export const manifestEntrySchema = z.object({
  kind: z.literal('manifest'),
  version: headerSchema.shape.version,
  tool: z.object({ name: words, version: words }),
  createdAt: time,
  author: z.object({
    name: words.optional(),
    /** `SHA256:…` of the key that signs; then a signature follows. */
    key: z.string().max(100).optional(),
  }),
  contents: z.object({
    sessions: count,
    snapshots: count,
    threads: count,
    records: count,
    parts: count,
    /** Contents of files, patches and drafts. */
    blobs: count,
    /** Bytes of all lines before compression. */
    bytes: count,
  }),
  chosen: z.object({
    /** The snapshots that bound it, where not the whole session was asked for. */
    from: id.optional(),
    to: id.optional(),
    files: z.boolean(),
    images: z.boolean(),
    toolOutputs: z.enum(['whole', 'bounded']),
  }),
  /** The commits that the changes lie on. */
  bases: z
    .array(
      z.object({
        /** Name of the repository's folder. */
        name: words,
        remote: words.optional(),
        branch: words.optional(),
        head: words.optional(),
      }),
    )
    .max(1000),
  redaction: redactionSchema,
  /** SHA-256 of the first line, without its line feed. */
  header: hash,
  /** SHA-256 of each entry before this one, a line without its line feed, in order: 32 bytes each, in base64. */
  hashes: z.base64(),
  /** SHA-256 of those hashes. */
  root: hash,
});

/** The last line of a signed file: an Ed25519 signature (RFC 8032) of the manifest's line as it stands. */
export const signatureEntrySchema = z.object({
  kind: z.literal('signature'),
  /** The raw public key. */
  key: z.base64().max(44),
  signature: z.base64().max(88),
});

export const entrySchema = z.union([
  sessionEntrySchema,
  threadEntrySchema,
  recordsEntrySchema,
  blobEntrySchema,
  partEntrySchema,
  snapshotEntrySchema,
  manifestEntrySchema,
  signatureEntrySchema,
]);

export type SessionEntry = z.infer<typeof sessionEntrySchema>;
export type ThreadEntry = z.infer<typeof threadEntrySchema>;
export type AgentRecord = z.infer<typeof agentRecordSchema>;
export type RecordsEntry = z.infer<typeof recordsEntrySchema>;
export type BlobEntry = z.infer<typeof blobEntrySchema>;
export type PartEntry = z.infer<typeof partEntrySchema>;
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
export type ManifestEntry = z.infer<typeof manifestEntrySchema>;
export type SignatureEntry = z.infer<typeof signatureEntrySchema>;
export type Redaction = z.infer<typeof redactionSchema>;
export type LeftOut = z.infer<typeof leftOutSchema>;

/** What comes before the manifest. */
export type ContentEntry =
  SessionEntry | ThreadEntry | RecordsEntry | BlobEntry | PartEntry | SnapshotEntry;
