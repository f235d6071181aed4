import { Rank } from './finding.js';
import { openers, type Opener, type Scan } from './scan.js';

/** Hashed passwords can be guessed from: crypt(3) and its kin, at the dollar sign. */
const crypt = [
  /\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}/y,
  /\$argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{16,256}/y,
  /\$(?:1|5|6|apr1|sm3|md5)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,22}\$[./A-Za-z0-9]{22,86}/y,
  /\$(?:y|gy|7)\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{4,86}(?:\$[./A-Za-z0-9]{30,86})?/y,
  /\$(?:scrypt|pbkdf2(?:-sha\d{1,3})?|PBKDF2(?:-sha\d{1,3})?|bcrypt-sha256|P|H|S|8|9|14|krb5\w{2,12})\$[^\s"'`[\]]{20,512}/y,
];

export function detectCrypt(scan: Scan, at: number): void {
  for (const pattern of crypt) if (scan.addMatch('password-hash', pattern, at, Rank.shape)) return;
}

const hashed = [
  /(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|argon2|scrypt|pbkdf2:sha\d{1,3}|sha\d{1,3}|md5)(?::\d{1,9}){0,3}\$[^\s"'`[\]]{20,512}/y,
  /SCRAM-SHA-\d{1,3}\$\d{3,7}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{20,90}:[A-Za-z0-9+/=]{20,90}/y,
  /(?:SSHA|SHA|SMD5|CRYPT|PBKDF2)[\dA-Z-]{0,12}\}[^\s"'`[\]]{20,200}/y,
];
const detectHashed = (scan: Scan, at: number): void => {
  for (const pattern of hashed) if (scan.addMatch('password-hash', pattern, at, Rank.shape)) return;
};

/** Hashes of Windows: `name:number:LM:NT:::`. */
const ntlm = /([0-9a-f]{32}:[0-9a-f]{32})(?=:::)/iy;

export const hashOpeners: readonly Opener[] = [
  ...openers(
    'pbkdf2 bcrypt_sha256$ argon2$ scrypt: SCRAM-SHA- SSHA CRYPT} SMD5} sha1$ sha256$ sha512$',
    detectHashed,
  ),
  ...openers(
    'aad3b435b51404eeaad3b435b51404ee',
    (scan, at) => void scan.addMatch('password-hash', ntlm, at),
    true,
  ),
];
