import type {
  Inspection,
  InspectedBase,
  InspectedFile,
  InspectedThread,
  SignatureState,
} from '../core/handoff.js';
import type { Changes } from '../core/model/changes.js';
import { changesSchema } from '../core/model/changes.js';
import { placeLabel, uriPath } from '../core/restore/places.js';
import type { FileEnd, RawEntry } from './decode.js';
import type { FileLook } from './handoffFile.js';
import { ImportedIds } from './importedIds.js';
import type { KnownSigner } from './knownSigners.js';
import { mergeFields } from './mergeFields.js';
import type { SessionSink, Unknown } from './readSession.js';
import {
  formatVersion,
  type PartEntry,
  type RecordsEntry,
  type SessionEntry,
  type SnapshotEntry,
  type ThreadEntry,
} from './schemas.js';
import type { ImportTarget } from './target.js';
import { UnknownData } from './unknownData.js';

/** What an inspection is told of this machine. */
export interface Surroundings {
  readonly target: Pick<ImportTarget, 'session' | 'origin' | 'isDeleted'>;
  readonly signers: readonly KnownSigner[];
  readonly isKnownAgent: (agent: string) => boolean;
  /** Where a base commit would be: its folder, and whether its repository has it. */
  readonly findBase: (
    base: Omit<InspectedBase, 'folder' | 'isHere'>,
  ) => Promise<Pick<InspectedBase, 'folder' | 'isHere'>>;
}

const most = { files: 5_000, commands: 500 };

/** Gathers what a person wants to know before anything happens; keeps no content. */
export class SessionInspector implements SessionSink {
  private entry: SessionEntry | undefined;
  private readonly threads = new Map<string, InspectedThread>();
  private readonly sizes = new Map<string, number>();
  private readonly parts = new Map<string, PartEntry>();
  private newest: SnapshotEntry['snapshot'] | undefined;
  private snapshots = 0;
  private readonly unknownData = new UnknownData();

  constructor(private readonly around: Surroundings) {}

  session(entry: SessionEntry, unknown: Unknown): void {
    this.entry = entry;
    this.unknownData.session(unknown);
  }

  thread(entry: ThreadEntry, unknown: Unknown): void {
    const { id, parent, title, turns = 0, lastAt } = entry;
    const agent = id.slice(0, id.indexOf(':'));
    const newest = entry.generations.at(-1);
    this.threads.set(id, {
      id,
      agent,
      isKnownAgent: this.around.isKnownAgent(agent),
      title: title ?? '',
      turns,
      records: newest?.records ?? 0,
      bytes: 0,
      lastAt,
      parent,
    });
    this.unknownData.thread(id, unknown);
  }

  records({ thread }: RecordsEntry, records: readonly Uint8Array[]): void {
    const size = records.reduce((sum, { length }) => sum + length, 0);
    this.sizes.set(thread, (this.sizes.get(thread) ?? 0) + size);
  }

  part(entry: PartEntry): void {
    // Of all but these nothing is shown; a draft's text is not in its part.
    if (entry.part !== 'environment') this.parts.set(entry.id, entry);
  }

  snapshot(snapshot: SnapshotEntry['snapshot']): void {
    this.snapshots += 1;
    if (!this.newest || snapshot.at >= this.newest.at) this.newest = snapshot;
  }

  other(entry: RawEntry): void {
    this.unknownData.entry(entry);
  }

  async finish(file: string, look: FileLook, end: FileEnd): Promise<Inspection> {
    const { entry } = this;
    if (!entry) throw new Error('The session comes first.');
    const { manifest } = end;
    return {
      file,
      bytes: look.bytes,
      plainBytes: manifest.contents.bytes,
      version: end.header.version,
      isNewer: end.header.version !== formatVersion && minorOf(end.header.version) > 0,
      encryption: look.encryption,
      tool: `${manifest.tool.name} ${manifest.tool.version}`.trim(),
      createdAt: manifest.createdAt,
      root: manifest.root,
      author: this.author(end),
      session: {
        id: entry.id,
        title: entry.title,
        goal: entry.goal,
        status: entry.status,
        tags: entry.tags,
        createdAt: entry.createdAt,
        updatedAt: entry.updatedAt,
        snapshots: this.snapshots,
      },
      threads: [...this.threads.values()].map((thread) => ({
        ...thread,
        bytes: this.sizes.get(thread.id) ?? 0,
      })),
      files: this.files().slice(0, most.files),
      commands: this.commands().slice(0, most.commands),
      bases: await this.bases(end),
      redaction: manifest.redaction,
      here: this.here(entry, manifest.createdAt),
      unknown: this.unknownData.names,
    };
  }

  private author({ manifest, signature }: FileEnd): Inspection['author'] {
    const { name } = manifest.author;
    const { fingerprint } = signature;
    const known = this.around.signers.find((signer) => signer.fingerprint === fingerprint);
    const state: SignatureState =
      signature.state !== 'valid' ? signature.state : known ? 'verified' : 'unknown';
    const isNameOfOther =
      !known && name !== undefined && this.around.signers.some((signer) => signer.name === name);
    return { name, signature: state, fingerprint, knownSince: known?.since, isNameOfOther };
  }

  private partOf(name: PartEntry['part']): PartEntry | undefined {
    const entry = this.parts.get(this.newest?.parts[name] ?? '');
    return entry?.part === name ? entry : undefined;
  }

  private files(): readonly InspectedFile[] {
    const changes = this.partOf('changes');
    const editors = this.partOf('editors');
    const drafts = editors?.part === 'editors' ? editors.value.drafts : [];
    return [
      ...(changes?.part === 'changes' ? changedFiles(changes.value) : []),
      ...drafts.map(({ place }): InspectedFile => {
        return { path: place.path ?? placeLabel(place), what: 'draft', hasContent: true };
      }),
    ];
  }

  private commands(): readonly string[] {
    const workbench = this.partOf('workbench');
    if (workbench?.part !== 'workbench') return [];
    return workbench.value.terminals.flatMap(({ commands }) => commands.map(({ line }) => line));
  }

  private async bases({ manifest }: FileEnd): Promise<readonly InspectedBase[]> {
    const bases: InspectedBase[] = [];
    for (const base of manifest.bases) {
      bases.push({ ...base, ...(await this.around.findBase(base)) });
    }
    return bases;
  }

  private here(entry: SessionEntry, createdAt: number): Inspection['here'] {
    const { target } = this.around;
    const sessionId = new ImportedIds(entry.id, entry.signedBy).session;
    const before = target.isDeleted(sessionId) ? undefined : target.origin(sessionId);
    if (before === undefined) {
      const own = [entry.id, ...(entry.lineage ?? []).toReversed()].find((id) => {
        return target.session(id) !== undefined && !target.isDeleted(id);
      });
      return { state: own === undefined ? 'new' : 'beside', sessionId: own, ...agreed };
    }
    const { createdAt: last } = before.file;
    const state = createdAt > last ? 'newer' : createdAt < last ? 'older' : 'imported';
    if (state !== 'newer') return { state, sessionId, ...agreed };
    const now = target.session(sessionId);
    const { conflicts, differences } = mergeFields(entry, before.said, now, false);
    return { state, sessionId, conflicts, differences };
  }
}

const agreed = { conflicts: [], differences: [] };

const minorOf = (version: string): number => Number(version.split('.')[1]);

function changedFiles(changes: Changes): readonly InspectedFile[] {
  return changesSchema.parse(changes).repositories.flatMap((repository) => {
    const name = uriPath(repository.root).split('/').at(-1);
    const hasPatch = repository.staged !== undefined || repository.unstaged !== undefined;
    return [
      ...repository.files.map(({ path, content, status }): InspectedFile => {
        const hasContent = hasPatch || content !== undefined;
        return { path, repository: name, what: whatOf(status), hasContent };
      }),
      ...repository.untracked.map(({ path, content, size }): InspectedFile => {
        const hasContent = content !== undefined;
        return { path, repository: name, what: 'untracked', hasContent, bytes: size };
      }),
    ];
  });
}

/** By the two letters of `git status`: https://git-scm.com/docs/git-status#_short_format */
function whatOf(status: string): InspectedFile['what'] {
  if (status === 'UU' || status === 'AA') return 'changed';
  if (status.includes('D')) return 'deleted';
  if (status.includes('R')) return 'moved';
  return status.includes('A') ? 'new' : 'changed';
}
