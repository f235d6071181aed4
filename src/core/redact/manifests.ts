import { Rank } from './finding.js';
import { decodeText } from './encoded.js';
import { openers, type Opener, type Scan } from './scan.js';
import { isHarmless } from './values.js';

const MAX_DOCUMENT = 8 * 1024;
const kind = /kind["']?\s{0,4}:\s{0,4}["']?(?:Sealed)?Secret["']?(?![\w-])/y;
const block = /(?:^|\n)([ \t]*)["']?(data|stringData)["']?:[ \t]*(?:\{[^\S\n]*)?\n/g;
const entry = /^([ \t]*)["']?[\w.-]{1,80}["']?:[ \t]+["']?([^\s"',{}|>]{2,4096})/;
const inline = /["'](?:data|stringData)["']\s{0,3}:\s{0,3}\{([^{}]{0,4000})\}/g;
const inlineEntry = /:\s{0,3}["']([^"'\s]{2,2000})["']/g;

/** Everything in the data of a Kubernetes Secret, whatever it is called. */
function detectSecretManifest(scan: Scan, at: number): void {
  const head = scan.match(kind, at);
  if (!head || head[0].includes('Sealed') || !scan.mayLook('manifest', at, at + MAX_DOCUMENT)) {
    return;
  }
  const [from, document] = documentAround(scan.text, at);
  for (const match of document.matchAll(block)) {
    const indent = (match[1] ?? '').length;
    addEntries(scan, document, from, match.index + match[0].length, indent, match[2] === 'data');
  }
  for (const match of document.matchAll(inline)) {
    const body = from + match.index + match[0].indexOf('{') + 1;
    for (const item of (match[1] ?? '').matchAll(inlineEntry)) {
      const value = item[1] ?? '';
      const end = body + item.index + item[0].length - 1;
      if (!isHarmless(value)) {
        scan.add('kubernetes-secret', end - value.length, end, Rank.structure);
      }
    }
  }
}

function documentAround(text: string, at: number): readonly [number, string] {
  const low = Math.max(0, at - MAX_DOCUMENT);
  const before = text.slice(low, at).lastIndexOf('\n---');
  const after = text.slice(at, at + MAX_DOCUMENT).indexOf('\n---');
  const from = before < 0 ? low : low + before;
  return [from, text.slice(from, after < 0 ? at + MAX_DOCUMENT : at + after)];
}

function addEntries(
  scan: Scan,
  document: string,
  offset: number,
  from: number,
  indent: number,
  isEncoded: boolean,
): void {
  for (let at = from; at < document.length;) {
    const newline = document.indexOf('\n', at);
    const lineEnd = newline < 0 ? document.length : newline;
    const line = document.slice(at, lineEnd);
    const match = entry.exec(line);
    if (!match && line.trim() !== '') return;
    if (match && (match[1] ?? '').length <= indent) return;
    const value = match?.[2] ?? '';
    const end = offset + at + (match?.[0].length ?? 0);
    if (isEncoded ? isBase64(value) : !isHarmless(value)) {
      scan.add('kubernetes-secret', end - value.length, end, Rank.structure);
    }
    at = lineEnd + 1;
  }
}

const isBase64 = (value: string): boolean =>
  /^[A-Za-z0-9+/]{4,}={0,2}$/.test(value) &&
  (decodeText(value) !== undefined || value.length >= 40);

export const manifestOpeners: readonly Opener[] = openers('kind', detectSecretManifest);
