import type { NoticeKind, Part, Tokens, Turn } from '../core/model/thread.js';

export type OpenTurn = Omit<Turn, 'parts' | 'tokens'> & {
  readonly parts: Part[];
  tokens?: Tokens | undefined;
};

/** Where a turn comes from: its record's id and time. */
export interface TurnOrigin {
  /** Absent: the turn's number stands for it. */
  readonly id?: string | undefined;
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  readonly tokens?: Tokens | undefined;
}

/** Turns in the making, in order. */
export class TurnList {
  readonly turns: OpenTurn[] = [];

  open(role: Turn['role'], origin: TurnOrigin, parts: readonly Part[] = []): OpenTurn {
    const { id, at, model, tokens } = origin;
    const turn: OpenTurn = {
      id: id ?? `#${this.turns.length}`,
      role,
      at,
      model,
      ...(tokens && { tokens }),
      parts: [...parts],
    };
    this.turns.push(turn);
    return turn;
  }

  notice(notice: NoticeKind, text: string, origin: TurnOrigin): void {
    this.open('system', { id: origin.id, at: origin.at }, [{ kind: 'notice', notice, text }]);
  }

  /** A boundary and the summary that follows it are one event. */
  compaction(text: string, origin: TurnOrigin): void {
    const last = this.turns.at(-1)?.parts;
    const [part] = last ?? [];
    if (last === undefined || part?.kind !== 'notice' || part.notice !== 'compaction') {
      this.notice('compaction', text, origin);
    } else if (part.text === '' || text === '') {
      last[0] = { ...part, text: part.text || text };
    } else this.notice('compaction', text, origin);
  }

  /** Takes back the last prompts of a person and all that followed them. */
  dropPrompts(count: number): void {
    if (count <= 0) return;
    const prompts = this.turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
    const from = prompts.at(-count) ?? prompts[0];
    if (from !== undefined) this.turns.length = from;
  }
}
