type Fields = Readonly<Record<string, unknown>>;

export const created = 1_796_000_000_000;

/** A conversation as Cursor's editor keeps it: a composer and its bubbles, by key. */
export class ComposerWriter {
  private readonly bubbles: Fields[] = [];
  private readonly leftOver: Fields[] = [];

  constructor(
    readonly id: string,
    private readonly composer: Fields = {},
  ) {}

  add(bubble: Fields): this {
    this.bubbles.push(this.made(bubble));
    return this;
  }

  user(text: string, more: Fields = {}): this {
    return this.add({ type: 1, text, ...more });
  }

  say(text: string, more: Fields = {}): this {
    return this.add({ type: 2, text, ...more });
  }

  call(toolCallId: string, more: Fields = {}): this {
    const tool = {
      name: 'run_terminal_cmd',
      toolCallId,
      rawArgs: '{"command":"ls"}',
      status: 'completed',
      result: JSON.stringify({ output: `out ${toolCallId}` }),
      ...more,
    };
    return this.add({ type: 2, text: '', capabilityType: 15, toolFormerData: tool });
  }

  /** A bubble that the conversation does not name any more. */
  lose(bubble: Fields): this {
    this.leftOver.push(this.made(bubble));
    return this;
  }

  rows(): Readonly<Record<string, string>> {
    const all = [...this.bubbles, ...this.leftOver];
    return {
      [`composerData:${this.id}`]: JSON.stringify({
        _v: 10,
        composerId: this.id,
        createdAt: created,
        lastUpdatedAt: created + all.length * 1000,
        fullConversationHeadersOnly: this.bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
        ...this.composer,
      }),
      ...Object.fromEntries(
        all.map((bubble) => [
          `bubbleId:${this.id}:${String(bubble['bubbleId'])}`,
          JSON.stringify(bubble),
        ]),
      ),
    };
  }

  /** The same before bubbles had rows of their own. */
  inlineRows(): Readonly<Record<string, string>> {
    const [key = ''] = Object.keys(this.rows());
    const data = {
      composerId: this.id,
      createdAt: created,
      conversation: this.bubbles,
      ...this.composer,
    };
    return { [key]: JSON.stringify(data) };
  }

  private made(bubble: Fields): Fields {
    const count = this.bubbles.length + this.leftOver.length;
    // Their ids are random: only the composer knows their order.
    const bubbleId = `${String((count * 7919) % 9973).padStart(4, '0')}-${this.id}`;
    return {
      _v: 3,
      bubbleId,
      createdAt: new Date(created + count * 1000).toISOString(),
      ...bubble,
    };
  }
}

export const stateScript = (
  table: 'cursorDiskKV' | 'ItemTable',
  rows: Readonly<Record<string, string | null>>,
): string => {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const inserts = Object.entries(rows).map(
    ([key, value]) =>
      `INSERT INTO ${table} VALUES (${quoted(key)}, ${value === null ? 'NULL' : quoted(value)})`,
  );
  return [
    `CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
    ...inserts,
  ].join(';\n');
};
