import { createHash } from 'node:crypto';

/**
 * What comes from a file gets ids of its own, made of the sender's and of the key that signed: the same
 * file always the same ones, so that it can be taken in again, and never those of anything else, so that a
 * file cannot name what is here.
 */
export class ImportedIds {
  private readonly scope: string;

  constructor(sessionId: string, signedBy: string | undefined) {
    this.scope = `${sessionId}\0${signedBy ?? ''}`;
    this.session = this.uuid('session', sessionId);
  }

  readonly session: string;

  snapshot(id: string): string {
    return this.uuid('snapshot', id);
  }

  /** Keeps the agent's own id readable. What is behind it makes it none that an agent would resume. */
  thread(id: string): string {
    return `${id}@from-${this.hash('thread', '').slice(0, 12)}`;
  }

  /** A UUID of version 8 (RFC 9562), whose other bits are free. */
  private uuid(kind: string, id: string): string {
    const hex = this.hash(kind, id);
    const variant = ((parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  }

  private hash(kind: string, id: string): string {
    return createHash('sha256').update(`${kind}\0${this.scope}\0${id}`).digest('hex');
  }
}
