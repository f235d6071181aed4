import type { ConversionReport, ReportLine } from '../model/conversion.js';

/** Puts values into a text, perhaps in another language; as `vscode.l10n`. */
export interface Words {
  t(template: string, ...values: (string | number)[]): string;
}

/** What became of a conversation, a line each, the kept first. */
export const describeReport = ({ lines }: ConversionReport, l10n: Words): readonly string[] =>
  lines.map((line) => describeLine(line, l10n));

function describeLine(line: ReportLine, l10n: Words): string {
  const what = things(line, l10n);
  const detail = line.detail === undefined ? '' : ` (${line.detail})`;
  return `${withFate(line, `${what}${detail}`, l10n)}${reason(line, l10n)}`;
}

function withFate({ fate }: ReportLine, what: string, l10n: Words): string {
  switch (fate) {
    case 'kept':
      return l10n.t('Kept: {0}', what);
    case 'mapped':
      return l10n.t('By its own means: {0}', what);
    case 'rewritten':
      return l10n.t('Rewritten: {0}', what);
    case 'dropped':
      return l10n.t('Left out: {0}', what);
  }
}

function things({ what, count }: ReportLine, l10n: Words): string {
  const one = count === 1;
  switch (what) {
    case 'record':
      return one ? l10n.t('1 record') : l10n.t('{0} records', count);
    case 'prompt':
      return one ? l10n.t('1 prompt') : l10n.t('{0} prompts', count);
    case 'answer':
      return one ? l10n.t('1 answer') : l10n.t('{0} answers', count);
    case 'toolCall':
      return one ? l10n.t('1 tool call') : l10n.t('{0} tool calls', count);
    case 'result':
      return one ? l10n.t('1 result') : l10n.t('{0} results', count);
    case 'thinking':
      return one ? l10n.t('1 piece of thinking') : l10n.t('{0} pieces of thinking', count);
    case 'image':
      return one ? l10n.t('1 image') : l10n.t('{0} images', count);
    case 'attachment':
      return one ? l10n.t('1 attachment') : l10n.t('{0} attachments', count);
    case 'summary':
      return one ? l10n.t('1 summary') : l10n.t('{0} summaries', count);
    case 'notice':
      return one ? l10n.t('1 notice') : l10n.t('{0} notices', count);
    case 'todo':
      return one
        ? l10n.t('1 entry of the list of todos')
        : l10n.t('{0} entries of the list of todos', count);
    case 'turn':
      return one ? l10n.t('1 turn') : l10n.t('{0} turns', count);
  }
}

/** Why, as a sentence of its own; nothing for a reason that says itself, or that this version does not know. */
function reason({ why }: ReportLine, l10n: Words): string {
  const text = why === undefined ? '' : sentence(why, l10n);
  return text === '' ? '' : `. ${text}`;
}

function sentence(why: string, l10n: Words): string {
  switch (why) {
    case 'ownRecords':
      return l10n.t('They are the agent’s own and stay as they are.');
    case 'inPlace':
      return l10n.t('The conversation goes on where it is; nothing is written.');
    case 'ownName':
      return l10n.t('No tool there takes the same arguments.');
    case 'callInWords':
      return l10n.t('This agent keeps no tool calls: the answers tell of them in words.');
    case 'linesHeld':
      return l10n.t('Lines that it would take for marks of its own begin with a space.');
    case 'failureInWords':
      return l10n.t('That they failed is said in words.');
    case 'summaryOwn':
      return l10n.t('What came before it is kept, but not sent.');
    case 'afterFork':
      return l10n.t('They come after the point that was chosen.');
    case 'beforeTail':
      return l10n.t('A summary stands for them.');
    case 'briefed':
      return l10n.t('A brief stands for them.');
    case 'argumentsWrapped':
      return l10n.t('Arguments that had no names got one.');
    case 'secretsMasked':
      return l10n.t('Secrets in them are masked: another agent reads them.');
    case 'cutByAgent':
      return l10n.t(
        'They are written whole, but the agent itself cuts the middle out when it goes on.',
      );
    case 'mayShorten':
      return l10n.t(
        'They are more than its usual model takes: it may refuse them, or sum them up.',
      );
    case 'unanswered':
      return l10n.t('They had no result; each got one that says so.');
    case 'attachmentNamed':
      return l10n.t('They are named; their content does not go along.');
    case 'thinkingQuoted':
      return l10n.t('It became quoted text.');
    case 'thinkingIsTheVendors':
      return l10n.t('Only the agent that thought it can use it.');
    case 'imageNotHere':
      return l10n.t('They are named; the pictures are not here.');
    case 'imagesNotTaken':
      return l10n.t('They are named; this agent takes no pictures.');
    case 'shellAsPrompt':
      return l10n.t('Commands that the person ran are told as prompts.');
    case 'notForTheModel':
      return l10n.t('The model was not told of it before either.');
    case 'summaryAsPrompt':
      return l10n.t('It is told as a prompt.');
    case 'todosInCalls':
      return l10n.t(
        'The calls that set them go along; the list that the agent shows is filled by its next such call.',
      );
    case 'missingStart':
      return l10n.t('The conversation began with an answer.');
    default:
      return '';
  }
}
