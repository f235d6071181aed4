import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redactor } from '../../core/redact/redactor.js';
import { readKnownSecrets } from './knownSecrets.js';
import { createShareRedactor } from './redactors.js';

// Words that no rule would take for a secret: only who read the file knows.
const secret = (place: string): string => `Quiet ${place} Otter`.replaceAll(/[ ./]/g, '-');

suite('what this machine keeps secret does not leave it in any form', () => {
  let home: string;
  let project: string;
  setup(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'keepthread-known-'));
    project = path.join(home, 'work', 'project');
    mkdirSync(project, { recursive: true });
  });
  teardown(() => rmSync(home, { recursive: true, force: true }));

  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const hides = async (value: string, env: Readonly<Record<string, string>> = {}) => {
    const knownValues = await readKnownSecrets({ folders: [project], home, env });
    const redactor = new Redactor({ lane: 'share', knownValues });
    for (const text of [`we use ${value} here`, `q=${encodeURIComponent(`x ${value} y`)}`]) {
      assert.ok(!redactor.text(text).text.includes(value), text);
    }
    const encoded = Buffer.from(`zz${value}zz`).toString('base64');
    assert.notEqual(redactor.text(encoded).text, encoded);
  };

  const inHome: Readonly<Record<string, (value: string) => string>> = {
    '.npmrc': (value) => `//registry.example/:_authToken=${value}`,
    '.netrc': (value) => `machine a login b password ${value}`,
    '.aws/credentials': (value) => `[default]\naws_secret_access_key = ${value}`,
    '.config/gcloud/application_default_credentials.json': (value) =>
      JSON.stringify({ client_secret: value }),
    '.kube/config': (value) => `users:\n- name: a\n  user:\n    token: ${value}\n`,
    '.docker/config.json': (value) =>
      JSON.stringify({ auths: { a: { password: value, auth: btoa(`me:${value}`) } } }),
    '.git-credentials': (value) => `https://me:${value}@example.com`,
    '.pypirc': (value) => `[pypi]\nusername = a\npassword = ${value}`,
    '.config/gh/hosts.yml': (value) => `github.com:\n    oauth_token: ${value}\n`,
    '.pgpass': (value) => `db.example:5432:app:me:${value}`,
  };
  for (const [file, content] of Object.entries(inHome)) {
    test(`~/${file}`, async () => {
      write(path.join(home, file), content(secret(file)));
      await hides(secret(file));
    });
  }
  for (const file of ['.env', '.env.production.local', 'api/.env', '.envrc', '.npmrc']) {
    test(`${file} of the project`, async () => {
      write(path.join(project, file), `CODE_NAME=${secret(file)}\n`);
      await hides(secret(file));
    });
  }
  test('variables with secret names', () => hides(secret('var'), { MY_TOKEN: secret('var') }));
  test('files that variables name', async () => {
    const file = path.join(home, 'elsewhere');
    write(file, `[default]\naws_secret_access_key = ${secret('there')}`);
    await hides(secret('there'), { AWS_SHARED_CREDENTIALS_FILE: file });
  });

  test('a template, a pipe, a folder and a huge file of those names are no obstacle', async () => {
    write(path.join(project, '.env.example'), `CODE_NAME=${secret('template')}`);
    mkdirSync(path.join(home, '.netrc'));
    write(path.join(home, '.npmrc'), 'x'.repeat(2_000_000));
    if (process.platform !== 'win32') execFileSync('mkfifo', [path.join(project, '.env')]);
    const known = await readKnownSecrets({ folders: [project, '/missing'], home, env: {} });
    assert.equal(known.isEmpty, true);
  });

  test('the redactor for sharing knows them, and hides the home', async () => {
    write(path.join(project, '.env'), `CODE_NAME=${secret('env')}`);
    const settings = { rules: [], allow: [] };
    const redactor = await createShareRedactor({ settings, folders: [project], home, env: {} });
    assert.equal(
      redactor.text(`${project} ${secret('env')}`).text,
      '~/work/project [REDACTED:known-value#1]',
    );
  });
});
