import { textOf, type Fields } from './json.js';

/**
 * What the records of a file say about its session as a whole, where each carries the session's id and
 * hangs on another: Claude Code and Qwen Code. The newest says it best, but for where it began.
 */
export class ChainedSession {
  cwd: string | undefined;
  branch: string | undefined;
  version: string | undefined;
  private sessionId: string | undefined;
  private agentId: string | undefined;
  private hasMain = false;
  private hasSide = false;

  constructor(private readonly nativeId: string) {}

  note(record: Fields): void {
    this.sessionId ??= textOf(record['sessionId']);
    this.agentId ??= textOf(record['agentId']);
    this.cwd ??= textOf(record['cwd']);
    this.branch = textOf(record['gitBranch']) ?? this.branch;
    this.version = textOf(record['version']) ?? this.version;
  }

  /** A message of the session itself, or of a subagent's side conversation. */
  noteMessage(record: Fields): void {
    if (isSidechain(record)) this.hasSide = true;
    else this.hasMain = true;
  }

  /** A subagent's own file holds nothing but a side conversation: there it is the main one. */
  get isSubagent(): boolean {
    return this.hasSide && !this.hasMain;
  }

  get id(): string {
    if (this.nativeId !== '') return this.nativeId;
    const fromAgent = this.agentId === undefined ? undefined : `agent-${this.agentId}`;
    return (this.isSubagent ? fromAgent : undefined) ?? this.sessionId ?? '';
  }

  /** A subagent's records carry the id of the session that started it. */
  get parent(): string | undefined {
    return this.isSubagent && this.id !== this.sessionId ? this.sessionId : undefined;
  }
}

export const isSidechain = (record: Fields): boolean => record['isSidechain'] === true;
