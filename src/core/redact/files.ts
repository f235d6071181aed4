import type { Finding } from './finding.js';
import { valuesOf } from './secretFiles.js';

export interface FileScan {
  /** Offsets are in the file's text, in UTF-16 units; all of it for a store of keys. Empty: nothing was found. */
  readonly findings: readonly Finding[];
  /** The file's text, for showing what is around a finding; undefined for what is not text. */
  readonly text?: string | undefined;
  /** The scan did not end: nobody knows what the file holds. */
  readonly withheld: boolean;
}

/** Undefined when a text could not be looked at. `sureOnly`: what is likely only is not worth it. */
type Find = (text: string, sureOnly: boolean) => readonly Finding[] | undefined;

/** Stores of keys and passwords, whose bytes tell nothing. */
const keyStore =
  /\.(?:p12|pfx|jks|keystore|bks|kdbx?|ppk|agilekeychain|opvault|gnucash|tfplan|ovpn|mobileprovision)$|(?:^|[/\\])(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|secring\.gpg|login\.keychain(?:-db)?|cookies\.sqlite|key4\.db|logins\.json|master\.key|\.vault[-_]pass(?:word)?(?:\.txt)?)$/i;
/** Files in which every value is a secret unless it is plain. */
const settingsFile =
  /(?:^|[/\\])(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.npmrc|\.yarnrc(?:\.yml)?|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.pypirc|\.git-credentials|\.htpasswd|\.s3cfg|\.boto|credentials|hosts\.yml|secrets?\.(?:ya?ml|toml|json|ini|properties|env))$/i;
const template = /\.(?:example|sample|template|dist|tpl)$/i;

/** Looks for secrets in a file by its name, its text or, for what is no text, the words in it. */
export function scanFile(path: string, bytes: Uint8Array, find: Find): FileScan {
  const text = decode(bytes);
  if (keyStore.test(path) && bytes.length > 0) {
    const length = text?.length ?? bytes.length;
    return { findings: [{ kind: 'key-store', start: 0, end: length }], text, withheld: false };
  }
  const findings = find(text ?? wordsIn(bytes), text === undefined);
  if (!findings) return { findings: [], text, withheld: true };
  const named = text !== undefined && isSettingsFile(path) ? namedValues(text, findings) : [];
  return { findings: inOrder([...findings, ...named]), text, withheld: false };
}

const isSettingsFile = (path: string): boolean => settingsFile.test(path) && !template.test(path);

function namedValues(text: string, known: readonly Finding[]): readonly Finding[] {
  return valuesOf(text).flatMap((value) => {
    const start = text.indexOf(value);
    const end = start + value.length;
    const isKnown = start < 0 || known.some((other) => start < other.end && other.start < end);
    return isKnown ? [] : [{ kind: 'secret', start, end }];
  });
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => a.start - b.start);

/** UTF-8 or, by its mark, UTF-16; undefined for what is no text. */
function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, HEAD).includes(0)) return undefined;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const HEAD = 8192;
const MIN_WORD = 8;

/** Runs of printable ASCII, also of two bytes a character, a line each; as long as what they stand for. */
function wordsIn(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (const step of [1, 2]) {
    let from = 0;
    for (let at = 0; at <= bytes.length; at += step) {
      const byte = bytes[at];
      const isInWord =
        byte !== undefined && byte >= 32 && byte < 127 && (step === 1 || bytes[at + 1] === 0);
      if (isInWord) continue;
      if ((at - from) / step >= MIN_WORD) lines.push(ascii(bytes, from, at, step));
      from = at + step;
    }
  }
  return lines.join('\n');
}

function ascii(bytes: Uint8Array, from: number, to: number, step: number): string {
  let text = '';
  for (let at = from; at < to; at += step) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}
