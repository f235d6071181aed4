import { addIfSecret } from './assignments.js';
import { Rank } from './finding.js';
import { secretName } from './names.js';
import { openers, type Detector, type Opener } from './scan.js';
import { isFillIn, isStrong } from './values.js';

const MAX_ROWS = 50;
const columns =
  /(?:INSERT|REPLACE)\s{1,4}(?:IGNORE\s{1,4})?INTO\s{1,4}[\w.`"[\]]{1,80}\s{0,4}\(([^()]{3,600})\)\s{0,20}VALUES\s{0,20}/iy;
const row =
  /\(((?:[^()'"]|'(?:[^'\\]|\\.|''){0,400}'|"[^"]{0,400}"|\([^()]{0,80}\)){1,1000}?)\)\s{0,8},?\s{0,40}/y;
const item =
  /\s{0,20}(N?'((?:[^'\\]|\\.|''){0,400})'|"([^"]{0,400})"|(?:[^,()'"]|\([^()]{0,80}\)|'[^']{0,80}'){1,400})\s{0,20}(?:,|$)/y;

/** The values of columns whose names say that secrets stand in them. */
const detectInsert: Detector = (scan, at) => {
  const head = scan.match(columns, at);
  if (!head || !scan.mayLook('insert', at, at + head[0].length)) return;
  const names = (head[1] ?? '')
    .split(',')
    .map((name) => secretName(name.replace(/[`"[\]\s]/g, '')));
  if (names.every((found) => !found)) return;
  let from = at + head[0].length;
  for (let count = 0; count < MAX_ROWS; count += 1) {
    const match = scan.match(row, from);
    if (!match) return;
    const items = scan.text.slice(0, from + 1 + (match[1] ?? '').length);
    let start = from + 1;
    for (const found of names) {
      item.lastIndex = start;
      const cell = item.exec(items);
      if (!cell) break;
      const content = cell[2] ?? cell[3];
      if (found && content !== undefined && content !== '') {
        const open = start + cell[0].indexOf(content, cell[0].search(/['"]/));
        addIfSecret(scan, found, { start: open, end: open + content.length, style: 'quoted' });
      }
      start += cell[0].length;
    }
    from += match[0].length;
  }
};

const key =
  /(?:pgp_sym_(?:en|de)crypt(?:_bytea)?|aes_(?:en|de)crypt|encryptbypassphrase|sp_addlogin|sp_password)\s{0,2}\(?\s{0,4}[^()\n;]{1,200}?,\s{0,8}N?'([^'\n]{6,300})'/iy;

/** `pgp_sym_encrypt(x, '...')`, `EXEC sp_addlogin 'ann', '...'` */
const detectKey: Detector = (scan, at) => {
  const match = scan.match(key, at);
  const content = match?.[1];
  if (!match || content === undefined || isFillIn(content) || !isStrong(content)) return;
  const end = at + match[0].length - 1;
  scan.add('key', end - content.length, end, Rank.structure);
};

export const sqlOpeners: readonly Opener[] = [
  ...openers('insert replace', detectInsert, true),
  ...openers('pgp_sym_ aes_ encryptbypassphrase sp_addlogin sp_password', detectKey, true),
];
