import { homePathsIn, type Span } from './homePaths.js';

/** Everybody has one of these; they name nobody. */
const common = new Set(
  `root user users admin administrator runner node ubuntu debian fedora centos vscode codespace app git
  www http https test tests dev home nobody system guest local build ci docker jenkins ec2-user vagrant pi
  oracle postgres mysql redis nginx coder developer agent bot service src main master work project data
  default public shared me you name username owner group staff wheel daemon`.split(/\s+/),
);

const MAX_USERS = 64;

/**
 * Home folders and names of users, in any way that a path is written: of this machine, and of every
 * machine whose paths stand in what was looked at. Names of people are looked for only where a path, a
 * prompt, a variable or an author of git has them, since prose is full of words that are names.
 */
export class Homes {
  private readonly own: readonly string[];
  private readonly users = new Set<string>();

  /** @param own paths of this machine's home folders, for homes that lie elsewhere than usual */
  constructor(own: readonly string[] = []) {
    this.own = unique(own.filter((home) => home.length > 3).flatMap(formsOf));
    for (const home of own) this.learn(home.split(/[/\\]/).at(-1) ?? '');
  }

  /** Remembers whose homes stand in a text, for texts that are looked at later. */
  study(text: string): void {
    for (const { user } of homePathsIn(text)) this.learn(user);
  }

  /** In order and apart from each other. */
  find(text: string): readonly Span[] {
    const paths = homePathsIn(text);
    for (const { user } of paths) this.learn(user);
    const found: Span[] = paths.map((path) => this.widened(text, path));
    for (const form of this.own) found.push(...placesOf(text, form));
    for (const user of this.users) {
      for (const span of wordsOf(text, user)) {
        if (isNameHere(text, span)) found.push(span);
      }
    }
    return apart(found);
  }

  private learn(user: string): void {
    if (user.length < 3 || common.has(user.toLowerCase()) || /^\d+$/.test(user)) return;
    if (this.users.size < MAX_USERS) this.users.add(user);
  }

  /** In `-home-mary-ann-project` only who knows the name sees where it ends. */
  private widened(text: string, { start, end, user }: Span & { readonly user: string }): Span {
    const from = end - user.length;
    for (const known of this.users) {
      const dashed = known.replace(/[^A-Za-z0-9]/g, '-');
      if (dashed.length > user.length && text.startsWith(dashed, from)) {
        return { start, end: from + dashed.length };
      }
    }
    return { start, end };
  }
}

/** The ways in which one folder is written. */
function formsOf(home: string): readonly string[] {
  const slashed = home.replaceAll('\\', '/');
  return [
    home,
    slashed,
    home.replaceAll('\\', '\\\\'),
    home.replaceAll('\\', '\\\\\\\\'),
    encodeURIComponent(home),
    slashed.split('/').map(encodeURIComponent).join('/'),
    home.replace(/[^A-Za-z0-9]/g, '-'),
  ];
}

/** Where a path begins and ends with no letter beside it. */
function* placesOf(text: string, path: string): Iterable<Span> {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + path.length)) {
    const end = at + path.length;
    const isAlone = !/[\w.~]/.test(text[at - 1] ?? '') && !/[\w]/.test(text[end] ?? '');
    if (isAlone) yield { start: at, end };
  }
}

function* wordsOf(text: string, word: string): Iterable<Span> {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (!/[\p{L}\d]/u.test(text[at - 1] ?? '') && !/[\p{L}\d]/u.test(text[end] ?? '')) {
      yield { start: at, end };
    }
  }
}

const LOOK = 160;
/** A variable, a member, a role of git, a column of `ls -l` or `ps` before a name. */
const introduces =
  /(?:\b(?:USER|LOGNAME|USERNAME|SUDO_USER|user|username|login|logname|whoami|owner)["']?\s{0,2}[:=]\s{0,2}["']?|\buid=\d{1,8}\(|\bgid=\d{1,8}\(|\b(?:Author|Committer|Commit|Signed-off-by|Co-authored-by|Reviewed-by|Tagger|author|committer)["']?:?\s{1,8}["']?|[-dlcbps][-rwxsStT]{9}[.+@]?\s{1,8}\d{1,8}\s{1,8}(?:[\w.-]{1,32}\s{1,8})?)$/;
/** The name is a whole step of a path on a disk, not of an address on the web. */
const stepBefore =
  /(?:^|[\s"'`(=:,[<>|])(?:[A-Za-z]:|~|\.{1,2})?(?:[/\\][^\s"'`()<>|:]{0,100})?[/\\][\w.]{0,20}-?$/;

function isNameHere(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - LOOK), start);
  const next = text[end] ?? '';
  // `bob@laptop:~$`, `bob@example.com`
  if (next === '@' && /[A-Za-z\d]/.test(text[end + 1] ?? '') && !/[\w./:@+-]$/.test(before)) {
    return true;
  }
  if (introduces.test(before)) return true;
  // A branch of one's own: `bob/fix-login`
  if (
    next === '/' &&
    /[\w]/.test(text[end + 1] ?? '') &&
    /(?:^|[\s"'`(])$|heads\/$|origin\/$/.test(before)
  ) {
    return true;
  }
  const isOnWeb = /(?<!\bfile):\/\/[^\s"'`()<>]{0,150}$/.test(before);
  return !isOnWeb && /^(?:[/\\\s"'`)\]:,;]|$)/.test(next) && stepBefore.test(before);
}

function apart(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Span[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (!last || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { start: last.start, end: span.end };
  }
  return result;
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
