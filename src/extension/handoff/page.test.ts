import assert from 'node:assert/strict';
import { importPayloads } from '../../../test/pagePayloads.js';
import type { Inspection } from '../../core/handoff.js';
import { fill } from '../../core/errors.js';
import { importPage, refusalPage, type PageSurroundings } from './page.js';

const around: PageSurroundings = {
  l10n: { t: (template, ...values) => fill(template, values) },
  agentName: (agent) => agent,
  moment: (at) => new Date(at).toISOString(),
  importLink: 'command:keepthread.session.import?%5B%7B%22file%22%3A%22%2Fa%22%7D%5D',
  takeTheirsLink: 'command:keepthread.session.import?%5B%5D',
  goOnLink: 'command:keepthread.session.goOnHere?%5B%5D',
  nonce: 'N',
};

/** A file whose every text is the same. */
const inspectionOf = (text: string, rest: Partial<Inspection> = {}): Inspection => ({
  file: text,
  bytes: 100,
  plainBytes: 200,
  version: text,
  isNewer: true,
  encryption: 'none',
  tool: text,
  createdAt: 0,
  root: text,
  author: { name: text, signature: 'unknown', fingerprint: text, isNameOfOther: true },
  session: {
    id: text,
    title: text,
    goal: text,
    status: 'active',
    tags: [text],
    createdAt: 0,
    updatedAt: 0,
    snapshots: 1,
  },
  threads: [
    { id: text, agent: text, isKnownAgent: false, title: text, turns: 1, records: 1, bytes: 1 },
  ],
  files: [{ path: text, repository: text, what: 'changed', hasContent: false }],
  commands: [text],
  bases: [{ name: text, remote: text, branch: text, head: text }],
  redaction: {
    lane: 'share',
    masked: [{ kind: text, count: 1 }],
    kept: [],
    homes: 0,
    sealed: 0,
    images: 0,
    shortened: 0,
    leftOut: [{ what: text, reason: 'secrets' }],
  },
  here: {
    state: 'newer',
    sessionId: text,
    conflicts: ['title'],
    differences: [{ field: 'title', here: text, theirs: text }],
  },
  findings: { kinds: [{ kind: text, count: 1 }], bytes: 1, isWhole: false },
  unknown: [text],
  ...rest,
});

/** The tags of a page with their attributes, as a parser of HTML sees them. */
const tagsOf = (html: string): readonly string[] =>
  (html.match(/<\/?[a-z!][^>]*>/gi) ?? []).map((tag) => tag.toLowerCase());

suite('the page of a session file', () => {
  const plain = tagsOf(importPage(inspectionOf('x'), around));

  test(`shows ${importPayloads.length} texts that would be more as text`, () => {
    for (const hostile of importPayloads) {
      assert.deepEqual(tagsOf(importPage(inspectionOf(hostile), around)), plain, hostile);
      const refusal = refusalPage(hostile, hostile, { href: hostile, label: hostile }, around);
      const tags = tagsOf(refusal).filter((tag) => !tag.startsWith('<a '));
      assert.ok(
        tags.every((tag) => /^<(?:\/|!doctype|html|head|meta|title|style|body|h1|p)/.test(tag)),
      );
    }
  });

  test('asks nothing of the network, runs nothing, and calls only what imports', () => {
    const html = importPage(inspectionOf('<script>'), around);
    assert.match(html, /content="default-src 'none'; style-src 'nonce-N'"/);
    assert.doesNotMatch(html, /<script|<img|<link|<iframe|<form|<object|url\(|@import/i);
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    assert.deepEqual(
      hrefs.map((href) => href.replace(/\?.*/, '')),
      [
        'command:keepthread.session.import',
        'command:keepthread.session.import',
        'command:keepthread.session.goOnHere',
      ],
    );
  });

  test('offers no import of a file whose signature is broken, nor in restricted mode', () => {
    const broken = inspectionOf('x', { author: { signature: 'broken' } });
    assert.doesNotMatch(importPage(broken, around), /href=/);
    const { l10n, agentName, moment, nonce } = around;
    assert.doesNotMatch(importPage(inspectionOf('x'), { l10n, agentName, moment, nonce }), /href=/);
  });

  test('stays a page however much there is', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `command ${at}`);
    const html = importPage(inspectionOf('x'.repeat(1_000_000), { commands: many }), around);
    assert.ok(html.length < 300_000, `${html.length}`);
    assert.match(html, /99,?800 more/);
  });
});
