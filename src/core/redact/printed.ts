import { addIfSecret } from './assignments.js';
import { isDrawn } from './letters.js';
import { secretName } from './names.js';
import { isMadeOfWords } from './madeOfWords.js';
import { looksRandom } from './randomness.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isStrong } from './values.js';

/** What people ask for a secret with; it is printed on the next line, alone. */
const asks =
  /(?:terraform output|tofu output|pulumi (?:config get|stack output)|gcloud (?:secrets versions access|auth (?:application-default )?print-access-token|auth print-identity-token|sql generate-login-token)|aws (?:secretsmanager get-secret-value|ssm get-parameter|ecr get-login-password|codeartifact get-authorization-token|rds generate-db-auth-token)|az (?:keyvault secret show|account get-access-token|acr credential show|storage account keys list)|kubectl (?:get secrets?|create token)|oc whoami -t|vault (?:kv get|read|print token)|op (?:read|item get)|bw get|pass(?: show)?|gopass|security find-(?:generic|internet)-password|secret-tool lookup|gh auth token|glab auth token|heroku auth:token|fly(?:ctl)? auth token|doppler secrets get|infisical secrets get|chamber read|sops -d|age -d|gpg -d|keyring get|printenv|echo|cat|openssl rand|pwgen|apg|uuidgen|wg genkey|wg genpsk|cut|jq|base64 -d|npm token create|rails secret|php artisan key:generate|docker swarm join-token|consul acl bootstrap|consul kv get|etcdctl get|kubeadm token create|argocd admin initial-password)[^\n]{0,300}/y;

/** Say by themselves that what they print is a secret. */
const alwaysSecret =
  /^(?:gcloud (?:secrets|auth)|aws (?:ecr|code|rds)|aws secrets|az (?:keyvault|account)|kubectl (?:get secret|create token)|oc |vault |op read|bw get|pass |gopass|security |secret-tool|gh auth|glab auth|heroku auth|fly|doppler|infisical|chamber|keyring|wg gen|npm token|rails secret|pwgen|apg|docker swarm|consul acl|kubeadm|argocd|openssl rand)/;

const answer = /\r?\n["']?([!-~]{6,2000}?)["']?(?=\r?\n|$)/y;

const detectPrinted: Detector = (scan, at) => {
  if (!isStart(scan, at) || !scan.mayLook('printed', at, at + 100)) return;
  const command = scan.match(asks, at)?.[0];
  if (command === undefined) return;
  const match = scan.match(answer, at + command.length);
  const content = match?.[1];
  if (!match || content === undefined) return;
  const isAsked = alwaysSecret.test(command) || namesSecret(command);
  if (!isAsked || /^[/~.]|:\/\/|^[\w-]+\.[a-z]{2,4}$/.test(content)) return;
  if (!isStrong(content) && !looksRandom(content) && !isDrawn(content) && !isMadeOfWords(content)) {
    return;
  }
  const start = at + command.length + match[0].indexOf(content);
  addIfSecret(
    scan,
    { sort: 'password', kind: 'secret' },
    { start, end: start + content.length, style: 'line' },
  );
};

/** `>>> os.environ["NAME"]`, `ENV["NAME"]`, and what a console answers. */
const inspected =
  /(?:environ|ENV|getenv)(?:\.get|\.fetch)?[[(]["'](\w{3,60})["'][\])]\r?\n(?:=> )?["']([^"'\n]{6,300})["']/y;

const detectInspected: Detector = (scan, at) => {
  const match = scan.match(inspected, at);
  const [whole, name, content] = match ?? [];
  const found = name === undefined ? undefined : secretName(name);
  if (whole === undefined || content === undefined || !found) return;
  const end = at + whole.length - 1;
  addIfSecret(scan, found, { start: end - content.length, end, style: 'quoted' });
};

const namesSecret = (command: string): boolean =>
  /^cat [^\n|]{0,200}\.(?:key|secret|token|pw|pass|pwd|password)$/.test(command) ||
  (command.match(/[A-Za-z][\w.-]{2,60}/g) ?? []).slice(0, 20).some((word) => {
    const found = secretName(word.replace(/\.\w{2,4}$/, ''));
    return found !== undefined && found.sort !== 'key';
  });

/** At the start of a line, behind a prompt or a pipe. */
const isStart = ({ text }: Scan, at: number): boolean =>
  /(?:^|\n|[$#>%❯|(;&] |sudo )$/.test(text.slice(Math.max(0, at - 5), at));

export const printedOpeners: readonly Opener[] = [
  ...openers('environ ENV getenv', detectInspected),
  ...openers(
    'terraform tofu pulumi gcloud aws kubectl vault pass gopass security secret-tool glab heroku fly doppler infisical chamber sops gpg keyring printenv echo cat openssl pwgen apg cut base64 npm rails php docker consul etcdctl kubeadm age argocd',
    detectPrinted,
  ),
  // Literals of two letters and a blank: an opener has at least three characters.
  ...['az ', 'oc ', 'op ', 'bw ', 'gh ', 'jq ', 'wg '].map((literal) => ({
    literal,
    detect: detectPrinted,
  })),
];
