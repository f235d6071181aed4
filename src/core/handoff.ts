import type { OriginMark } from './model/origin.js';
import type { ReviewFinding } from './redact/review.js';
import type { SessionStatus } from './model/session.js';

/*
 * What the window and the command line ask for when a session is sent or comes in; see docs/format.md for
 * what is in the file.
 */

export const exportFormats = ['keepthread', 'markdown', 'json', 'html', 'atif', 'otel'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What of a session goes out. */
export interface ExportChoice {
  /** Snapshots from this one and up to that one, by id, both included; absent: from the first, up to now. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Ids of threads; their subagents come with them. Absent: all. */
  readonly threads?: readonly string[] | undefined;
  /** Contents of files: drafts, patches, untracked files. */
  readonly files: boolean;
  /** Images and other binary data, which cannot be looked through for secrets. */
  readonly images: boolean;
  /** Characters of one tool output; absent: whole. */
  readonly toolOutput?: number | undefined;
  /** Let files travel in which secrets were found. */
  readonly filesWithSecrets: boolean;
  /** Values that are no secrets, or that a person wants to be seen. */
  readonly keep?: readonly string[] | undefined;
}

export interface ExportRequest {
  readonly sessionId: string;
  /** Absolute path of the file to be written. */
  readonly output: string;
  readonly format: ExportFormat;
  readonly choice: ExportChoice;
  /** The name that the file says it is from. */
  readonly author?: string | undefined;
  /** Recipients (`age1…`) that can open it, or a passphrase; absent: not encrypted. */
  readonly lock?:
    { readonly recipients: readonly string[] } | { readonly passphrase: string } | undefined;
  /** The private key to sign with, raw, in base64; absent: not signed. */
  readonly signingKey?: string | undefined;
  /** A name of the caller's for this work, to be told of its progress and to cancel it. */
  readonly job?: string | undefined;
}

/** What an export would mask. */
export interface ExportReview {
  readonly findings: readonly ReviewFinding[];
  /** So many more were found than are listed; they are masked. */
  readonly more: number;
  /** About the size of the file before compression, in bytes. */
  readonly bytes: number;
}

/** How much of a kind was found. */
export interface KindCount {
  readonly kind: string;
  readonly count: number;
}

/** What redaction did to a session that goes out, or says to have done to one that came in. */
export interface RedactionSummary {
  readonly lane: 'share' | 'none';
  readonly masked: readonly KindCount[];
  /** Secrets in files that travel as they are, because a person said so. */
  readonly kept: readonly KindCount[];
  /** Home folders and names of users that became `~`. */
  readonly homes: number;
  readonly sealed: number;
  readonly images: number;
  readonly shortened: number;
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly what: string;
  readonly reason: 'secrets' | 'binary' | 'notAsked' | 'tooLarge' | 'missing' | 'notScanned';
}

export interface ExportResult {
  readonly file: string;
  readonly bytes: number;
  readonly snapshots: number;
  readonly threads: number;
  readonly records: number;
  readonly redaction: RedactionSummary;
  /** Of the key that it was signed with. */
  readonly fingerprint?: string | undefined;
}

/** What opens an encrypted file. */
export interface Unlock {
  /** `AGE-SECRET-KEY-1…` */
  readonly identities?: readonly string[] | undefined;
  readonly passphrase?: string | undefined;
}

export interface InspectRequest {
  /** Absolute path. */
  readonly file: string;
  readonly unlock?: Unlock | undefined;
  /** Look through it for secrets as well, which takes longer. */
  readonly findings?: boolean | undefined;
  readonly job?: string | undefined;
}

/**
 * `verified`: signed with a key that is known here; `unknown`: with one that was never seen; `broken`: the
 * signature is not of this content, or missing; `none`: not signed.
 */
export type SignatureState = 'verified' | 'unknown' | 'broken' | 'none';

/** What is in a session file, found out without writing anything of it anywhere. */
export interface Inspection {
  readonly file: string;
  readonly bytes: number;
  /** Bytes of everything in it. */
  readonly plainBytes: number;
  readonly version: string;
  /** It was made by a newer version, so some of it is not understood; that is kept as data. */
  readonly isNewer: boolean;
  readonly encryption: 'none' | 'passphrase' | 'recipients';
  readonly tool: string;
  readonly createdAt: number;
  /** Hash over everything in it; what is imported has to have the same. */
  readonly root: string;
  readonly author: {
    readonly name?: string | undefined;
    readonly signature: SignatureState;
    readonly fingerprint?: string | undefined;
    /** When a file signed with this key was first taken. */
    readonly knownSince?: number | undefined;
    /** The key is unknown, and the name is one that is known with another key. */
    readonly isNameOfOther?: boolean | undefined;
  };
  readonly session: {
    readonly id: string;
    readonly title: string;
    readonly goal: string;
    readonly status: SessionStatus;
    readonly tags: readonly string[];
    readonly createdAt: number;
    readonly updatedAt: number;
    readonly snapshots: number;
  };
  readonly threads: readonly InspectedThread[];
  /** Of the newest snapshot: files with changes, drafts. */
  readonly files: readonly InspectedFile[];
  /** Commands that ran in terminals: shown, never run. */
  readonly commands: readonly string[];
  readonly bases: readonly InspectedBase[];
  readonly redaction: RedactionSummary;
  /** What an import would do here. */
  readonly here: {
    /** `beside`: it goes on from a session of one's own, and comes in beside it. */
    readonly state: 'new' | 'beside' | 'imported' | 'newer' | 'older';
    /** The session here that it is or goes on from. */
    readonly sessionId?: string | undefined;
    /** Fields that were changed both here and by the sender since the last import. */
    readonly conflicts: readonly SessionField[];
    /** What those say. */
    readonly differences: readonly FieldDifference[];
  };
  /** What our own rules find in it; absent where they were not asked. */
  readonly findings?: HandoffFindings | undefined;
  /** Fields and entries that this version does not know. */
  readonly unknown: readonly string[];
}

export const sessionFields = ['title', 'goal', 'status', 'tags'] as const;
export type SessionField = (typeof sessionFields)[number];

export interface FieldDifference {
  readonly field: SessionField;
  readonly here: string;
  readonly theirs: string;
}

/** Secrets that are in a file although its sender may have looked for them. */
export interface HandoffFindings {
  readonly kinds: readonly KindCount[];
  /** Bytes that were looked through. */
  readonly bytes: number;
  /** False: there was more than is looked through, or some of it took too long. */
  readonly isWhole: boolean;
}

export interface InspectedThread {
  readonly id: string;
  readonly agent: string;
  /** Whether this version reads that agent's records. */
  readonly isKnownAgent: boolean;
  readonly title: string;
  readonly turns: number;
  readonly records: number;
  readonly bytes: number;
  readonly lastAt?: number | undefined;
  readonly parent?: string | undefined;
}

export interface InspectedFile {
  /** A label, never a place to write to. */
  readonly path: string;
  readonly repository?: string | undefined;
  readonly what: 'changed' | 'new' | 'moved' | 'deleted' | 'untracked' | 'draft';
  /** Whether its content is in the file. */
  readonly hasContent: boolean;
  readonly bytes?: number | undefined;
}

export interface InspectedBase {
  readonly name: string;
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly head?: string | undefined;
  /** The folder here that it is mapped to, if one is. */
  readonly folder?: string | undefined;
  /** Whether that folder's repository has the commit; absent when there is no folder or no commit. */
  readonly isHere?: boolean | undefined;
}

export interface ImportRequest extends InspectRequest {
  /** The {@link Inspection.root} that a person looked at: anything else is not taken. */
  readonly expect?: string | undefined;
  /** Of what was changed here and by the sender, take the sender's: all of it, or these fields. */
  readonly takeTheirs?: boolean | readonly SessionField[] | undefined;
}

export interface ImportResult {
  readonly outcome: 'new' | 'updated' | 'unchanged';
  readonly sessionId: string;
  readonly origin: OriginMark;
  /** What was not here before. */
  readonly added: {
    readonly snapshots: number;
    readonly threads: number;
    readonly records: number;
    readonly contents: number;
  };
  /** Fields that stay as they are here although the sender changed them too. */
  readonly conflicts: Inspection['here']['conflicts'];
  readonly inspection: Inspection;
}

/** How far long work is, in a unit of its own. */
export interface JobProgress {
  readonly done: number;
  readonly total: number;
}

/** The part of the engine that sends sessions and takes them in. */
export interface HandoffEngine {
  /** Writes a session to a file that can be sent, every secret that is found masked. */
  readonly exportSession: (request: ExportRequest) => Promise<ExportResult>;
  /** What an export would mask; writes nothing. */
  readonly reviewExport: (
    request: Pick<ExportRequest, 'sessionId' | 'choice' | 'job'>,
  ) => Promise<ExportReview>;
  /** Says what is in a session file; nothing of it is kept. */
  readonly inspectHandoff: (request: InspectRequest) => Promise<Inspection>;
  /** Takes a session file in, whole or not at all; taking it again changes nothing. */
  readonly importHandoff: (request: ImportRequest) => Promise<ImportResult>;
  /** How far work with this name is; undefined once it is over. */
  readonly progressOf: (job: string) => Promise<JobProgress | undefined>;
  /** Lets work with this name fail with an `AbortError`; what it wrote goes. */
  readonly cancel: (job: string) => Promise<void>;
}
