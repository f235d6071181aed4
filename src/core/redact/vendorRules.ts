/**
 * The shape of one vendor's secret: `pattern` finds it, as its first group where there is one. `hint`
 * is the source of a cheaper pattern that matches wherever `pattern` can, tried first and for all
 * rules at once. Every quantifier is bounded, so that no input makes a pattern slow.
 */
export interface SecretRule {
  readonly kind: string;
  readonly hint: string;
  readonly pattern: RegExp;
}

/** A token that begins with its vendor's mark and ends where its alphabet ends. */
const token = (
  kind: string,
  mark: string,
  alphabet: string,
  min: number,
  max = 512,
): SecretRule => ({
  kind,
  hint: `${escapeRegExp(mark)}[${alphabet}]{${Math.min(min, 10)}}`,
  pattern: new RegExp(
    `(?<![A-Za-z0-9_])${escapeRegExp(mark)}[${alphabet}]{${min},${max}}(?![${alphabet}])`,
    'g',
  ),
});

const word = 'A-Za-z0-9';
const wordDash = 'A-Za-z0-9_-';
const hex = 'a-f0-9';

/** From the vendors' own documentation of their token formats. */
export const vendorRules: readonly SecretRule[] = [
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((mark) =>
    token('aws-access-key-id', mark, 'A-Z2-7', 16, 16),
  ),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((mark) =>
    token('github-token', mark, word, 36, 255),
  ),
  token('github-token', 'github_pat_', 'A-Za-z0-9_', 22, 255),
  ...['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glsoat-', 'glcbt-', 'glft-', 'glagent-'].map((mark) =>
    token('gitlab-token', mark, 'A-Za-z0-9_.-', 20),
  ),
  token('anthropic-key', 'sk-ant-', wordDash, 20),
  ...['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-'].map((mark) =>
    token('openai-key', mark, wordDash, 20),
  ),
  token('openai-key', 'sk-', word, 32, 128),
  ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'whsec_'].map((mark) =>
    token('stripe-key', mark, word, 16),
  ),
  token('google-api-key', 'AIza', wordDash, 35, 35),
  token('google-oauth-secret', 'GOCSPX-', wordDash, 24, 64),
  token('google-oauth-token', 'ya29.', 'A-Za-z0-9_.-', 20),
  ...['xoxb-', 'xoxa-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xapp-'].map((mark) =>
    token('slack-token', mark, 'A-Za-z0-9%.-', 10),
  ),
  {
    kind: 'slack-webhook',
    hint: 'hooks\\.slack\\.com/',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/+-]{20,200})/g,
  },
  {
    kind: 'discord-webhook',
    hint: '/api/webhooks/',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{15,25}\/[A-Za-z0-9_-]{40,100})/g,
  },
  token('npm-token', 'npm_', word, 36, 64),
  token('pypi-token', 'pypi-AgE', wordDash, 30),
  token('huggingface-token', 'hf_', word, 30, 64),
  token('sendgrid-key', 'SG.', 'A-Za-z0-9_.-', 50, 100),
  token('digitalocean-token', 'dop_v1_', hex, 64, 64),
  token('digitalocean-token', 'doo_v1_', hex, 64, 64),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((mark) =>
    token('shopify-token', mark, 'a-fA-F0-9', 32, 64),
  ),
  token('square-token', 'sq0atp-', wordDash, 20, 64),
  token('square-token', 'sq0csp-', wordDash, 40, 64),
  token('databricks-token', 'dapi', hex, 32, 40),
  token('linear-key', 'lin_api_', word, 40, 64),
  token('notion-token', 'ntn_', word, 40, 64),
  token('supabase-token', 'sbp_', hex, 40, 40),
  token('doppler-token', 'dp.pt.', word, 40, 64),
  token('postman-key', 'PMAK-', 'a-f0-9-', 50, 80),
  token('newrelic-key', 'NRAK-', word, 27, 32),
  token('grafana-token', 'glsa_', 'A-Za-z0-9_', 32, 64),
  token('grafana-token', 'glc_', 'A-Za-z0-9+/=', 32, 400),
  token('groq-key', 'gsk_', word, 40, 64),
  token('replicate-token', 'r8_', word, 35, 64),
  token('perplexity-key', 'pplx-', word, 40, 64),
  token('xai-key', 'xai-', word, 40, 128),
  token('pinecone-key', 'pcsk_', 'A-Za-z0-9_', 40, 128),
  token('atlassian-token', 'ATATT3', 'A-Za-z0-9_=-', 100, 400),
  token('age-secret-key', 'AGE-SECRET-KEY-1', 'A-Z0-9', 50, 70),
  token('tailscale-key', 'tskey-', wordDash, 20, 100),
  token('planetscale-token', 'pscale_tkn_', 'A-Za-z0-9_.-', 30, 64),
  token('planetscale-password', 'pscale_pw_', 'A-Za-z0-9_.-', 30, 64),
  token('sentry-token', 'sntrys_', 'A-Za-z0-9_+/=-', 60, 400),
  token('sentry-token', 'sntryu_', hex, 64, 64),
  token('netlify-token', 'nfp_', word, 36, 64),
  token('fly-token', 'FlyV1 fm', 'A-Za-z0-9_+/=,-', 40, 2000),
  token('vault-token', 'hvs.', wordDash, 20, 200),
  token('vault-token', 'hvb.', wordDash, 20, 300),
  {
    kind: 'terraform-token',
    hint: '\\.atlasv1\\.',
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/g,
  },
  token('onepassword-token', 'ops_eyJ', 'A-Za-z0-9_+/=-', 50, 4000),
  token('contentful-token', 'CFPAT-', wordDash, 40, 64),
  token('figma-token', 'figd_', wordDash, 36, 64),
  token('rubygems-key', 'rubygems_', hex, 48, 48),
  token('brevo-key', 'xkeysib-', 'a-f0-9A-Za-z-', 64, 100),
  token('dropbox-token', 'sl.', wordDash, 130, 400),
  token('airtable-token', 'pat', 'A-Za-z0-9.', 79, 79),
  token('heroku-key', 'HRKU-', wordDash, 36, 80),
  token('mailgun-key', 'key-', hex, 32, 32),
  token('mapbox-token', 'sk.eyJ', 'A-Za-z0-9_.-', 60, 200),
  token('telegram-token', ':AA', wordDash, 32, 34),
  token('facebook-token', 'EAAC', word, 60, 300),
  token('alibaba-key', 'LTAI', word, 16, 24),
  token('buildkite-token', 'bkua_', hex, 40, 40),
  token('clojars-token', 'CLOJARS_', hex, 60, 60),
  token('prefect-key', 'pnu_', word, 36, 36),
  token('readme-key', 'rdme_', 'a-z0-9', 70, 70),
  token('twilio-key', 'SK', hex, 32, 32),
  {
    kind: 'jwt',
    hint: 'eyJ[A-Za-z0-9_-]{10}',
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}/g,
  },
  {
    kind: 'private-key',
    hint: '-----BEGIN [A-Z ]{0,30}PRIVATE KEY',
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{20,20000}?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    kind: 'azure-storage-key',
    hint: 'AccountKey=|SharedAccessKey=',
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})/g,
  },
  {
    kind: 'url-password',
    hint: '://[^\\s:/?#@]{1,100}:[^\\s/?#@]{3,200}@',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@'"`<>{}$]{1,100}:([^\s/?#@'"`<>{}$]{3,200})@[A-Za-z0-9[]/g,
  },
];

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
