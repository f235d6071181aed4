import { version } from '../../package.json';
import { sourceOf } from '../agents/registry.js';
import type {
  ExportRequest,
  ExportResult,
  ExportReview,
  ImportRequest,
  ImportResult,
  InspectRequest,
  Inspection,
  Unlock,
} from '../core/handoff.js';
import { ExpectedError } from '../core/errors.js';
import { snapshotSchema } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { ReviewCollector } from '../core/redact/review.js';
import { noRedactionSettings, type RedactionSettings } from '../core/redact/settings.js';
import { encrypted } from '../handoff/age.js';
import { encodeHandoff } from '../handoff/encode.js';
import { ReadableExport, type ParserOf } from '../handoff/exportReadable.js';
import { SessionExport } from '../handoff/exportSession.js';
import { FindingsSink } from '../handoff/findings.js';
import { readableFormats } from '../handoff/formats/formats.js';
import { writeStream } from '../handoff/handoffFile.js';
import type { Surroundings } from '../handoff/inspectSession.js';
import { keysInFile } from '../handoff/keys.js';
import { readSigners, type KnownSigner } from '../handoff/knownSigners.js';
import { inspectFile, takeFile } from '../handoff/receive.js';
import { Sharing } from '../handoff/sharing.js';
import { signerOf } from '../handoff/signing.js';
import type { SessionSource } from '../handoff/source.js';
import type { ImportTarget } from '../handoff/target.js';
import { hashesIn } from '../vault/needed.js';
import { readProjects } from '../vault/projectFile.js';
import { baseFinder } from './handoffBases.js';
import type { JobControl } from './jobs.js';
import { createSaveRedactor, createShareRedactor } from './redaction/redactors.js';
import type { Store } from './store.js';

/** What sending and taking in needs to know of a project. */
export interface HandoffContext {
  /** Root of all vaults. */
  readonly root: string;
  readonly store: Store;
  /** Absolute paths of the project's folders on this machine. */
  readonly folders: readonly string[];
  readonly redaction?: RedactionSettings | undefined;
}

export interface ExportContext extends HandoffContext {
  /** A session's threads with what they mean. */
  readonly threads: (sessionId: string) => Promise<readonly ThreadSummary[]>;
}

const tool = { name: 'keepthread', version };

/** @throws ExpectedError `sessionMissing`, `notScanned`, `noRecipient`, `diskFull` and others; see handoff/ */
export async function exportSession(
  context: ExportContext,
  request: ExportRequest,
  control: JobControl,
): Promise<ExportResult> {
  const { choice, sessionId, signingKey } = request;
  const redactor = await createShareRedactor({
    settings: context.redaction ?? noRedactionSettings,
    folders: context.folders,
    keep: choice.keep,
  });
  const signer = signingKey === undefined ? undefined : signerOf(signingKey);
  const source = sourceIn(context);
  const sharing = new Sharing(redactor, choice);
  const about = {
    sessionId,
    choice,
    project: await projectOf(context, sessionId),
    author: { name: request.author, key: signer?.fingerprint },
    tool,
    ...control,
  };
  if (request.format !== 'keepthread') {
    if (request.lock || signer) throw onlySessionFiles();
    const readable = new ReadableExport(source, sharing, about, parserOf);
    const bytes = readable.bytes(readableFormats[request.format]);
    const written = await writeStream(request.output, bytes, control.signal);
    return { file: request.output, bytes: written, ...readable.result };
  }
  const session = new SessionExport(source, sharing, about);
  const plain = encodeHandoff(session.entries(), () => session.facts(), { signer });
  const bytes = request.lock === undefined ? plain : encrypted(plain, request.lock);
  const written = await writeStream(request.output, bytes, control.signal);
  const { contents, redaction } = session.facts();
  const { snapshots, threads, records } = contents;
  const fingerprint = signer?.fingerprint;
  return {
    file: request.output,
    bytes: written,
    snapshots,
    threads,
    records,
    redaction,
    fingerprint,
  };
}

const parserOf: ParserOf = (agent, nativeId, options) => sourceOf(agent)?.parser(nativeId, options);

const onlySessionFiles = (): ExpectedError =>
  new ExpectedError('onlySessionFiles', 'Only session files can be encrypted and signed.', [], {
    next: 'Choose the format keepthread, or encrypt the file yourself.',
  });

/**
 * What an export would mask, with the text around it, for a person to see before a byte is written.
 *
 * @throws ExpectedError as {@link exportSession}
 */
export async function reviewExport(
  context: ExportContext,
  { sessionId, choice }: Pick<ExportRequest, 'sessionId' | 'choice'>,
  control: JobControl,
): Promise<ExportReview> {
  const collector = new ReviewCollector();
  const redactor = await createShareRedactor({
    settings: context.redaction ?? noRedactionSettings,
    folders: context.folders,
    keep: choice.keep,
    observe: collector.observe,
  });
  const sharing = new Sharing(redactor, choice, (place) => {
    collector.place = place;
  });
  const request = { sessionId, choice, author: {}, tool, ...control };
  let bytes = 0;
  for await (const entry of new SessionExport(sourceIn(context), sharing, request).entries()) {
    bytes += JSON.stringify(entry).length;
  }
  return { findings: collector.findings, more: collector.more, bytes };
}

/** @throws ExpectedError `damaged`, `handoffRefused`, `handoffNewer`, `handoffLocked`, `fileUnreadable` */
export async function inspectHandoff(
  context: HandoffContext,
  request: InspectRequest,
  control: JobControl,
): Promise<Inspection> {
  const unlock = await withOwnIdentity(context.root, request.unlock);
  const findings =
    request.findings === true
      ? await FindingsSink.create((observe) =>
          createShareRedactor({
            settings: context.redaction ?? noRedactionSettings,
            folders: context.folders,
            keepsPaths: true,
            observe,
          }),
        )
      : undefined;
  return inspectFile({
    ...request,
    unlock,
    findings,
    around: await surroundings(context),
    ...control,
  });
}

export interface ImportContext extends HandoffContext {
  /** URI of the folder or workspace that the session is to belong to. */
  readonly workspace: string | undefined;
  /** Whether secrets of known kinds are masked on the way into the vault. */
  readonly redact: boolean;
}

/** @throws ExpectedError as {@link inspectHandoff}; `handoffChanged`, `diskFull`, `notWritable`, `vaultTooNew` */
export async function importHandoff(
  context: ImportContext,
  request: ImportRequest,
  control: JobControl,
): Promise<ImportResult> {
  const { store, root, workspace } = context;
  const { redactor } = createSaveRedactor(context.redaction ?? noRedactionSettings);
  const result = await takeFile({
    file: request.file,
    unlock: await withOwnIdentity(root, request.unlock),
    around: await surroundings(context),
    store: root,
    target: targetIn(store),
    redact: context.redact ? (record) => redactor.record(record).record : undefined,
    workspace,
    takeTheirs: request.takeTheirs,
    expect: request.expect,
    ...control,
  });
  await store.refresh(() => undefined);
  return result;
}

const sourceIn = ({ store, threads }: ExportContext): SessionSource => ({
  session: (id) => store.index.session(id),
  origin: (id) => store.index.origin(id),
  snapshots: (id) => store.index.snapshots(id),
  threads,
  snapshotJson: (id) => store.readSnapshotJson(id),
  blob: (hash) => store.readBlob(hash),
  records: (id, generation, count) => store.records(id, generation, count),
});

const targetIn = (store: Store): ImportTarget => ({
  session: (id) => store.index.session(id),
  isDeleted: (id) => store.index.deletedSessions().has(id),
  origin: (id) => store.index.origin(id),
  hasSnapshot: (id) => store.index.snapshotRef(id) !== undefined,
  contents: (id) => contentsOf(store, id),
  generations: (id) => store.recordCounts(id),
  records: (id, generation, count) => store.records(id, generation, count),
  keeps: (hash, sessionId) => store.keeps(hash, sessionId),
  stage: (folder, sessionId) => store.stage(folder, sessionId),
});

async function contentsOf(store: Store, snapshotId: string): Promise<number> {
  const { parts } = snapshotSchema.parse(await store.readSnapshotJson(snapshotId));
  let count = 0;
  for (const hash of Object.values(parts)) {
    if (hash !== undefined) count += hashesIn(await store.readBlob(hash)).length;
  }
  return count;
}

const surroundings = async ({ root, store, folders }: HandoffContext): Promise<Surroundings> => ({
  target: targetIn(store),
  signers: [...(await readSigners(root)), ...(await ownSigner(root))],
  isKnownAgent: (agent) => sourceOf(agent) !== undefined,
  findBase: baseFinder(folders),
});

/** What was encrypted for one's own key opens without being asked for it. */
async function withOwnIdentity(root: string, unlock: Unlock | undefined): Promise<Unlock> {
  if (unlock?.identities?.length) return unlock;
  // Keys that cannot be read open nothing; a file that needs none opens without them.
  const keys = await keysInFile(root)
    .read()
    .catch(() => undefined);
  return keys ? { ...unlock, identities: [keys.identity] } : (unlock ?? {});
}

/** What one has signed oneself on this machine needs no first use. */
async function ownSigner(root: string): Promise<readonly KnownSigner[]> {
  const keys = await keysInFile(root).read();
  if (!keys) return [];
  const { fingerprint } = signerOf(keys.signing);
  return [{ fingerprint, name: keys.name, since: keys.createdAt }];
}

/** What the session's project is called beyond its path. */
async function projectOf({ root, store }: HandoffContext, sessionId: string) {
  const workspace = store.index.session(sessionId)?.workspace;
  const projects = await readProjects(root);
  const history = projects.flatMap((project) =>
    project.state === 'known' && project.identities.folders.some(({ uri }) => uri === workspace)
      ? project.identities.histories
      : [],
  )[0];
  return history && { rootCommit: history.rootCommit, remote: history.remote };
}
