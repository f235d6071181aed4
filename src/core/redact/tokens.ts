import { base64, base64Url, endOfRun, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { isHex, isUuid, looksRandom } from './randomness.js';
import type { Detector } from './scan.js';
import { isPlaceholder } from './values.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** A token of an unknown vendor says in its mark what it is for. */
const telling = words(
  `sk key apikey apitoken token tok pat secret sec pass pw auth access refresh priv private cred rk ak
  bearer oauth accesstoken accesskey secretkey ukey skey svckey apk st`,
);
/** Of these, a mark alone says too little. */
const stages = words('api live prod production test sandbox dev staging admin service svc');
/** Names of things, of which agents and services write many into transcripts. */
const ids = words(
  `toolu srvtoolu msg msgbatch call req resp rs fc ctc run thread asst file org proj user usr cus cs pi pm
  sub price prod evt ch in seti si txn acct card src re cn ws item ig wrk wr step vs batch ftjob
  chatcmpl cmpl gen conv conversation session sess container cntr event id uuid trace span job task
  build dpl prj team project deployment commit sha sha1 sha256 sha512 md5 hash cache deps etag rev chunk
  css sc jsx svelte astro emotion styled makestyles module node linux darwin win32 macos windows bundle
  index main vendor vendors assets static img image font icon sprite blob data ssr hash digest integrity
  checksum pk publishable public pub anon bc bubbleid chat ckpt snapshot snap vol i ami subnet sg vpc
  eni rtb igw acl lt tgw subnetid arn doc page block db ds wf exec execution pod rs deploy replicaset
  revision rel release v ver version tag pkg mod lock patch pull branch ref head tree object pack
  test-results request response rid cid tid sid cfray ray kind type name claude gpt gemini llama
  codex diff opus sonnet haiku model`,
);

const MAX_MARK = 24;

/**
 * A token with a mark of its own that no table holds: a few short words, then at least 20 characters
 * drawn at random (`acme_sk_live_...`). Without a telling word it takes 32 of mixed case and digits.
 */
export const detectMarked: Detector = (scan, start) => {
  const { text } = scan;
  const end = endOfRun(text, start, base64Url, start + 300);
  if (end - start < 24 || end - start >= 300 || !mayBeMarked(text, start, end)) return;
  const run = text.slice(start, end);
  const body = bodyOf(run);
  if (body === undefined) return;
  const mark = run.slice(0, run.length - body.length - 1);
  const isInBlob =
    /[+/]/.test(text[start - 1] ?? '') && start - startOfRun(text, start, base64, start - 40) > 24;
  if (
    !isInBlob &&
    isMarkedSecret(mark, body) &&
    !/^\.[a-z]{2,4}\b/.test(text.slice(end, end + 6))
  ) {
    scan.add('token', start, end, Rank.structure);
  }
};

const MAX_FIRST = 16;
const MIN_BODY = 20;

/**
 * Whether the run begins with a short word, and what can follow it is not of small letters or capitals
 * alone with signs between them: such names are many, and none of them looks drawn at random.
 */
function mayBeMarked(text: string, start: number, end: number): boolean {
  let sign = start;
  let kinds = 0;
  let longest = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DASH || code === BAR) {
      if (sign === start && at - start > MAX_FIRST) return false;
      longest = Math.max(longest, at - sign);
      sign = at;
    } else kinds |= code > 96 ? LOWER : code > 64 ? UPPER : DIGIT;
  }
  if (sign === start) return false;
  return (kinds & (kinds - 1)) !== 0 || Math.max(longest, end - sign) > MIN_BODY;
}

const DASH = 45;
const BAR = 95;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;

/** Whether it is the name of a thing as agents and services give them: `toolu_...`, `call_...`. */
export function isThingId(value: string): boolean {
  const mark = /^([A-Za-z0-9]{1,16})[_-]/.exec(value)?.[1];
  return mark !== undefined && ids.has(mark.toLowerCase());
}

/** What follows the short words at the front. */
function bodyOf(run: string): string | undefined {
  const match = /^(?:[A-Za-z]{1,12}\d{0,2}[A-Za-z]{0,2}[_-]){1,4}/.exec(run);
  if (!match) return undefined;
  let length = Math.min(match[0].length, MAX_MARK + 1);
  // A part that looks drawn at random is the body's own.
  for (const part of match[0].matchAll(/[A-Za-z0-9]+[_-]/g)) {
    if (part[0].length > 8 && looksRandom(part[0].slice(0, -1), 8)) {
      length = Math.min(length, part.index);
      break;
    }
  }
  while (length > 0 && !/[_-]/.test(run[length - 1] ?? '')) length -= 1;
  return length === 0 ? undefined : run.slice(length);
}

function isMarkedSecret(mark: string, body: string): boolean {
  if (body.length < 20 || isPlaceholder(body)) return false;
  const parts = mark.toLowerCase().split(/[_-]/);
  const isTelling = parts.some(
    (part) => telling.has(part) || /(?:token|secret|apikey|key)$/.test(part),
  );
  if (ids.has(parts[0] ?? '') && !isTelling) return false;
  if (
    parts.some((part) =>
      /^(?:cache|hash|public|publishable|pk|sha\d*|deps|modules|commit|id|ids|pub.*|\w*pubk)$/.test(
        part,
      ),
    )
  ) {
    return false;
  }
  if (isUuid(body)) return isTelling;
  if (!looksRandom(body, 20) || isDated(body)) return false;
  const isStaged = parts.some((part) => stages.has(part));
  // `acme_test_` and hex is a key; `acme-test-` and hex may be the image of a commit.
  if (isHex(body)) return (isTelling || (isStaged && mark.includes('_'))) && body.length >= 32;
  if (isTelling) return true;
  if (!isStaged && !isMark(mark, body)) return false;
  return body.length >= (isStaged ? 24 : 32) && hasAllClasses(body);
}

/** Dates, times, UUIDs: groups of digits and hex. */
function isDated(body: string): boolean {
  const parts = body.split(/[_-]/);
  return (
    parts.length >= 3 &&
    parts.every((part) => part.length <= 12 && (isHex(part) || /^\d+T\d+$/.test(part)))
  );
}

/** Encoded data has separators too; a mark is a word, and a short one ends in an underscore. */
const isMark = (mark: string, body: string): boolean =>
  /^(?:[a-z]{3,12}\d?|[A-Z]{3,12}\d?|[a-z]\d[a-z]?)(?:[_-]|$)/.test(mark) ||
  (/^[a-z]{2}$/.test(mark) && !/[_-]/.test(body));

const hasAllClasses = (body: string): boolean =>
  /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body);
