/** What is taken out of an agent's records before they are shared. */
export interface LightenOptions {
  /** Keep images and other binary data, which cannot be looked through for secrets. */
  readonly images: boolean;
  /** Characters of one tool output; absent: whole. */
  readonly toolOutput?: number | undefined;
}

export interface LightenTally {
  images: number;
  shortened: number;
}

export const imageNote = '[binary data left out]';

/** Shorter strings of base64 letters are words and ids. */
const BINARY_FROM = 512;

/**
 * A record's value without what cannot be looked through or must not travel; the very same value when
 * there was nothing of it. JSON inside strings is looked into, since some agents keep it so.
 */
export function lighten(value: unknown, options: LightenOptions, tally: LightenTally): unknown {
  return new Lightener(options, tally).value(value, false);
}

class Lightener {
  constructor(
    private readonly options: LightenOptions,
    private readonly tally: LightenTally,
  ) {}

  value(value: unknown, isOutput: boolean): unknown {
    if (typeof value === 'string') return this.text(value, isOutput);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.items(value, isOutput) : this.fields(value, isOutput);
  }

  private items(before: readonly unknown[], isOutput: boolean): unknown {
    const items = before.map((item) => this.value(item, isOutput));
    return items.some((item, at) => item !== before[at]) ? items : before;
  }

  private fields(before: object, isOutput: boolean): unknown {
    const entries: [string, unknown][] = Object.entries(before);
    const type: unknown = entries.find(([key]) => key === 'type' || key === 'role')?.[1];
    const inOutput = isOutput || (typeof type === 'string' && outputType.test(type));
    const after: [string, unknown][] = [];
    let isSame = true;
    for (const [key, value] of entries) {
      const lighter = this.value(value, inOutput || outputKeys.has(key));
      isSame &&= lighter === value;
      after.push([key, lighter]);
    }
    return isSame ? before : Object.fromEntries(after);
  }

  private text(text: string, isOutput: boolean): string {
    const nested = this.nested(text, isOutput);
    if (nested !== undefined) return nested;
    const lighter = this.options.images ? text : this.withoutBinary(text);
    const { toolOutput } = this.options;
    if (!isOutput || toolOutput === undefined || lighter.length <= toolOutput) return lighter;
    this.tally.shortened += 1;
    return shortened(lighter, toolOutput);
  }

  private nested(text: string, isOutput: boolean): string | undefined {
    const begin = text.charCodeAt(0);
    const isJson =
      text.length > 40 &&
      ((begin === 0x7b && text.endsWith('}')) || (begin === 0x5b && text.endsWith(']')));
    if (!isJson) return undefined;
    try {
      const parsed: unknown = JSON.parse(text);
      const lighter = this.value(parsed, isOutput);
      return lighter === parsed ? undefined : JSON.stringify(lighter);
    } catch {
      return undefined;
    }
  }

  private withoutBinary(text: string): string {
    if (text.length < BINARY_FROM) return text;
    if (isBinary(text)) {
      this.tally.images += 1;
      return imageNote;
    }
    if (!text.includes(';base64,')) return text;
    return text.replace(dataUri, (whole, data: string) => {
      if (!isBinary(data)) return whole;
      this.tally.images += 1;
      return imageNote;
    });
  }
}

const dataUri = /data:[\w.+/-]{1,100};base64,([A-Za-z0-9+/]{512,}={0,2})/g;

/** Results of tools, as the agents' records name them. */
const outputType =
  /^(?:tool|function|custom_tool_call_output|function_call_output|tool[_-]?result)$/i;
const outputKeys = new Set([
  'toolUseResult',
  'tool_result',
  'toolResult',
  'functionResponse',
  'resultDisplay',
  'output',
  'stdout',
  'stderr',
  'aggregated_output',
  'formatted_output',
  'rawOutput',
]);

/** Base64 of something that is no text. */
function isBinary(text: string): boolean {
  const data = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  if (data.length < BINARY_FROM || !/^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(data)) return false;
  const bytes = Buffer.from(data.slice(0, 4096), 'base64');
  // At its end a character may be cut.
  const text8 = bytes.toString('utf8').slice(0, -1);
  return text8.includes('\0') || text8.includes('\ufffd');
}

/** The beginning and the end, with a word on what was between. */
function shortened(text: string, length: number): string {
  const head = Math.ceil(length * 0.7);
  const tail = length - head;
  const left = text.length - length;
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${text.slice(text.length - tail)}`;
}
