import path from 'node:path';

/** Files in a home folder that hold keys of clouds, registries and hosts, with `/` between steps. */
const inHome = [
  '.npmrc',
  '.yarnrc.yml',
  '.netrc',
  '_netrc',
  '.pgpass',
  '.my.cnf',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.config/hub',
  '.aws/credentials',
  '.aws/config',
  '.azure/accessTokens.json',
  '.azure/msal_token_cache.json',
  '.config/gcloud/application_default_credentials.json',
  '.config/gcloud/access_tokens.db',
  '.config/gcloud/credentials.db',
  '.kube/config',
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.config/hcloud/cli.toml',
  '.config/doctl/config.yaml',
  '.config/op/config',
  '.fly/config.yml',
  '.vault-token',
  '.s3cfg',
  '.boto',
  '.databrickscfg',
  '.snowsql/config',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.config/openai/auth.json',
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.gemini/oauth_creds.json',
  '.config/configstore/firebase-tools.json',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.config/composer/auth.json',
  '.composer/auth.json',
  '.env',
];

/** Of a project's folder and the folders right in it: `.env` of any stage, what package managers read. */
const inProject =
  /^(?:\.env(?:\.[\w.-]+)?|[\w-]+\.env|\.envrc|\.dev\.vars|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.git-credentials|local\.settings\.json|secrets?\.(?:ya?ml|toml|json)|terraform\.tfvars|[\w-]+\.auto\.tfvars)$/;
const template = /\.(?:example|sample|template|dist|tpl|defaults?)$/;

export const isProjectSecret = (name: string): boolean =>
  inProject.test(name) && !template.test(name);

export const homeSecrets = (home: string): readonly string[] =>
  inHome.map((file) => path.join(home, ...file.split('/')));
