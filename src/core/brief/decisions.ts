import { oneLine } from '../thread/text.js';

/** Words that a decision, or the reason for one, is told with. A sentence without them is not taken. */
const cues = [
  /\b(?:decided|decision|chose|settled on|going with|went with|opted)\b/i,
  /\b(?:I['’]ll|I will|we['’]ll|we will|let['’]s) (?:use|keep|go|stick|switch|leave|avoid|store|move)\b/i,
  /\b(?:instead of|rather than|root cause|turns out|trade-?off|on purpose|deliberately)\b/i,
  /(?:决定|改用|选择了|采用|根本原因|而不是|決め|採用|代わりに|原因は)/,
  /\b(?:entschieden|statt|Ursache|décidé|au lieu de|decidido|en lugar de)\b/i,
];

/** A dot within a word (`a.ts`, `1.2`) ends no sentence. */
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])|\n+/;
const longest = 300;

/** The sentences of an answer that tell what was decided, or why. Code blocks are not looked at. */
export function decisionsIn(answer: string): readonly string[] {
  const prose = answer.slice(0, 100_000).replace(/^(`{3,}|~{3,})[^]*?^\1[`~]*\s*$/gm, '');
  return prose
    .split(sentenceEnd)
    .filter((text) => text.length > 10 && text.length < 1000 && cues.some((cue) => cue.test(text)))
    .map((text) => oneLine(text.replace(/^[\s>*#-]+/, ''), longest));
}
