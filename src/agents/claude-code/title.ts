import { textOf, type Fields } from '../json.js';
import { shortened } from '../titles.js';

/** Names of a thread in the agent's own order: given by a person, made by a model, an old summary. */
export class Titles {
  private custom: string | undefined;
  private generated: string | undefined;
  private agentName: string | undefined;
  private readonly summaries: { readonly text: string; readonly leaf: string | undefined }[] = [];

  add(record: Fields): void {
    const { type } = record;
    if (type === 'custom-title') this.custom = textOf(record['customTitle']);
    else if (type === 'ai-title') this.generated = textOf(record['aiTitle']) ?? this.generated;
    else if (type === 'agent-name') this.agentName = textOf(record['agentName']) ?? this.agentName;
    else if (type === 'summary') {
      const text = textOf(record['summary']);
      if (text !== undefined) this.summaries.push({ text, leaf: textOf(record['leafUuid']) });
    }
  }

  /** A summary may be about another session: only one whose leaf is in this file counts. */
  title(has: (uuid: string) => boolean, firstPrompt: string | undefined): string | undefined {
    const own = this.summaries.findLast(({ leaf }) => leaf !== undefined && has(leaf));
    return this.custom ?? this.generated ?? this.agentName ?? own?.text ?? shortened(firstPrompt);
  }
}
