import type { ConversionReport, ReportLine } from '../model/conversion.js';

const things: Readonly<Record<ReportLine['what'], readonly [one: string, many: string]>> = {
  record: ['record', 'records'],
  prompt: ['prompt', 'prompts'],
  answer: ['answer', 'answers'],
  toolCall: ['tool call', 'tool calls'],
  result: ['tool result', 'tool results'],
  thinking: ['piece of thinking', 'pieces of thinking'],
  image: ['image', 'images'],
  attachment: ['attachment', 'attachments'],
  summary: ['summary', 'summaries'],
  notice: ['notice', 'notices'],
  turn: ['turn', 'turns'],
};

const reasons: Readonly<Record<string, string>> = {
  ownRecords: "the agent's own records, byte for byte",
  inPlace: 'it goes on where it is, nothing is written',
  toolMapped: 'as the tool that does the same there',
  ownName: 'under its own name: no tool there takes these arguments',
  argumentsWrapped: 'its arguments were not an object and got a name',
  unanswered: 'it was never answered; an interruption stands in its place',
  thinkingIsTheVendors:
    "thinking belongs to the agent that thought it and is not sent as another's",
  thinkingQuoted: 'as quoted text in the answer',
  imagesNotTaken: 'images are not taken there; a line names each',
  imageNotHere: 'the image itself is not in the record; a line names it',
  attachmentNamed: 'named in the prompt',
  shellAsPrompt: 'a command that the person ran, told in words',
  summaryOwn: 'as a summary of its own: what came before it stays in the file and is not sent',
  summaryAsPrompt: 'as a marked prompt',
  missingStart: 'the conversation began with an answer; a prompt says so',
  notForTheModel: 'it was shown to the person and no part of what the model was told',
  afterFork: 'after the point that it goes on from',
  failureInWords: 'that the tool failed is said in words there',
};

/** One line of a report in plain words, `3 tool calls: Bash → bash (as the tool that does the same there)`. */
export function lineWords({ what, count, why, detail }: ReportLine): string {
  const [one, many] = things[what];
  const about = detail === undefined ? '' : `: ${detail}`;
  const reason = why === undefined ? '' : ` (${reasons[why] ?? why})`;
  return `${count} ${count === 1 ? one : many}${about}${reason}`;
}

/** A report in plain words, a line for each of its lines, with what became of it before. */
export const reportWords = ({ lines }: ConversionReport): readonly string[] =>
  lines.map((line) => `${line.fate.padEnd(9)} ${lineWords(line)}`);
