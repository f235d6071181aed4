import type { ToolCall } from '../model/thread.js';
import type { Takes } from './conversation.js';
import type { ReportBuilder } from './report.js';
import type { Arguments } from './toolOps.js';
import { mapCall } from './tools.js';

/** Says each call in the target's words: its tools, its ids, arguments that are an object. */
export class CallNames {
  private readonly used = new Set<string>();
  private count = 0;

  constructor(
    private readonly from: string,
    private readonly to: string,
    private readonly takes: Takes,
    private readonly report: ReportBuilder,
  ) {}

  call({ id, name, input }: ToolCall) {
    const mapped = mapCall(this.from, this.to, { name, input });
    if (mapped !== undefined) {
      this.report.note('mapped', 'toolCall', 'toolMapped', `${name} → ${mapped.name}`);
    }
    return {
      id: this.idOf(id),
      ...(mapped ?? { name: this.ownName(name), input: this.object(name, input) }),
    };
  }

  private ownName(name: string): string {
    const { allowed, longest } = this.takes.toolName;
    const cleaned = name.replace(allowed, '_').slice(0, longest) || 'tool';
    const isSame = cleaned === name;
    const detail = isSame ? name : `${name} → ${cleaned}`;
    this.report.note(isSame ? 'kept' : 'rewritten', 'toolCall', 'ownName', detail);
    return cleaned;
  }

  /** Arguments that are no object, such as a patch, get a name: no interface takes bare ones. */
  private object(name: string, input: unknown): Arguments {
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      return input as Arguments;
    }
    if (input === undefined || input === null) return {};
    this.report.note('rewritten', 'toolCall', 'argumentsWrapped', name);
    return { input };
  }

  private idOf(id: string): string {
    this.count += 1;
    const isFit = this.takes.callId.test(id) && !this.used.has(id);
    let own = isFit ? id : `call_${String(this.count).padStart(6, '0')}`;
    while (this.used.has(own)) own = `${own}_`;
    this.used.add(own);
    return own;
  }
}
