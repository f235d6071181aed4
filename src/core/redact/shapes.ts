import { Rank } from './finding.js';
import { looksRandom } from './randomness.js';
import { isPlaceholder } from './values.js';
import { openers, type Detector, type Opener } from './scan.js';

const shape =
  (kind: string, pattern: RegExp): Detector =>
  (scan, at) => {
    const match = scan.match(pattern, at);
    if (match && !isPlaceholder(match[0])) scan.addMatch(kind, pattern, at, Rank.shape);
  };

const jwt =
  /eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ[A-Za-z0-9_-]{8,8000}|[A-Za-z0-9_-]{0,600}\.[A-Za-z0-9_-]{10,100}\.[A-Za-z0-9_-]{20,8000})\.[A-Za-z0-9_-]{10,2000}/y;

/** An opener has three characters. */
const twilioIds = Array.from('0123456789abcdef', (digit) => `AC${digit}`).join(' ');
const twilio = /AC[0-9a-f]{32}["']?[^\n]{1,60}?["'\s:=]([0-9a-f]{32})(?![0-9a-f])/y;

/** Tokens whose shape takes more than a mark and an alphabet. */
export const shapeOpeners: readonly Opener[] = [
  ...openers('eyJ', (scan, at) => {
    if (scan.mayLook('jwt', at, at + 150)) scan.addMatch('jwt', jwt, at, Rank.shape);
  }),
  ...openers('atlasv1.', (scan, at) => {
    const before = /[A-Za-z0-9]{14}\.$/.exec(scan.text.slice(Math.max(0, at - 15), at));
    const match = scan.match(/atlasv1\.[A-Za-z0-9_=-]{60,80}/y, at);
    if (before && match) scan.add('terraform-token', at - 15, at + match[0].length, Rank.shape);
  }),
  ...openers(
    'AAAAAAAAAAAAAAAAAAAAA',
    shape('twitter-bearer', /A{21}[A-Za-z0-9]{8,40}%2?[A-Za-z0-9%]{30,90}/y),
  ),
  ...openers(
    'AAAA',
    shape('firebase-messaging-key', /AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,200}/y),
  ),
  ...openers('00D', shape('salesforce-token', /00D[A-Za-z0-9]{12,15}![A-Za-z0-9._-]{60,140}/y)),
  ...openers(
    'WARNING:-DO-NOT-SHARE',
    shape('roblox-cookie', /WARNING:-DO-NOT-SHARE-THIS[^\s"']{60,2000}/y),
  ),
  ...openers(
    'https://hooks.slack.com',
    shape(
      'slack-webhook',
      /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/+-]{20,200}/y,
    ),
  ),
  ...openers(
    'https://hooks.zapier.com',
    shape(
      'zapier-webhook',
      /https:\/\/hooks\.zapier\.com\/hooks\/catch\/\d{4,12}\/[A-Za-z0-9]{5,40}/y,
    ),
  ),
  ...openers(
    'discord.com/api discordapp.com/api',
    shape(
      'discord-webhook',
      /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,25}\/[A-Za-z0-9_-]{40,100})/y,
    ),
  ),
  ...openers(twilioIds, (scan, at) => {
    // The account's id is no secret, what stands beside it is.
    const match = scan.match(twilio, at);
    const token = match?.[1];
    if (!match || token === undefined) return;
    const end = at + match[0].length;
    scan.add('twilio-auth-token', end - token.length, end, Rank.structure);
  }),
  ...openers('AKIA ASIA', (scan, at) => {
    // The secret half has no mark of its own; it stands beside the id.
    if (!scan.mayLook('aws', at, at + 200)) return;
    const near = scan.text.slice(at + 20, at + 220);
    for (const match of near.matchAll(
      /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])/g,
    )) {
      if (looksRandom(match[0], 40)) {
        const start = at + 20 + match.index;
        scan.add('aws-secret-access-key', start, start + 40, Rank.structure);
        return;
      }
    }
  }),
];

const azure = /(?<=[A-Za-z0-9_~.-]{3}\dQ)~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y;

/** Microsoft Entra's client secrets, at the tilde. */
export const detectTilde: Detector = (scan, at) => {
  const match = scan.match(azure, at);
  if (match) scan.add('azure-client-secret', at - 5, at + match[0].length, Rank.shape);
};
