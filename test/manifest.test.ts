import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readBundles, textsOfSource } from '../scripts/l10n.js';
import { defaultSettings } from '../src/extension/defaults.js';
import { Command, ContextKey, Setting, View } from '../src/extension/ids.js';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

const menuItem = z.object({
  command: z.string(),
  when: z.string().optional(),
  group: z.string().optional(),
});
const manifestSchema = z.object({
  name: z.string(),
  publisher: z.string(),
  icon: z.string(),
  keywords: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), enablement: z.string().optional() })),
    menus: z.record(z.string(), z.array(menuItem)),
    views: z.record(z.string(), z.array(z.object({ id: z.string(), icon: z.string() }))),
    viewsContainers: z.object({
      activitybar: z.array(z.object({ id: z.string(), icon: z.string() })),
    }),
    viewsWelcome: z.array(z.object({ view: z.string(), when: z.string().optional() })),
    configuration: z.object({
      properties: z.record(z.string(), z.looseObject({ default: z.unknown(), scope: z.string() })),
    }),
    walkthroughs: z.array(
      z.object({
        id: z.string(),
        steps: z.array(
          z.object({
            media: z.object({ svg: z.string() }),
            completionEvents: z.array(z.string()),
          }),
        ),
      }),
    ),
  }),
});

const raw = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = manifestSchema.parse(JSON.parse(raw));
const { contributes } = manifest;
const english = z.record(z.string(), z.string()).parse(read('package.nls.json'));
const chinese = z.record(z.string(), z.string()).parse(read('package.nls.zh-cn.json'));
const ownCommands: readonly string[] = Object.values(Command);
const ownViews: readonly string[] = Object.values(View);

/** Holds nothing beyond the other, both ways, whatever the order. */
const same = (actual: readonly string[], expected: readonly string[]): void =>
  assert.deepEqual([...new Set(actual)].sort(), [...new Set(expected)].sort());

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** What stands between `{` and `}` in a text, the places that a translation must keep. */
const placeholders = (text: string): string[] => matches(text, /\{(\d+)\}/g).sort();

suite('manifest', () => {
  test('every command in the palette does something, and nothing that exists is out of reach', () =>
    same(
      contributes.commands.map(({ command }) => command),
      ownCommands,
    ));

  test('every menu entry calls a command that exists', () => {
    const called = Object.values(contributes.menus).flatMap((items) =>
      items.map((item) => item.command),
    );
    assert.deepEqual(
      called.filter((command) => !ownCommands.includes(command)),
      [],
    );
  });

  test('every command that a link or a step of the walkthrough names exists', () => {
    const steps = contributes.walkthroughs.flatMap(({ steps: all }) => all);
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    const links = [english, chinese].flatMap((texts) =>
      Object.values(texts).flatMap((text) => matches(text, /command:(keepthread\.[\w.]+)/g)),
    );
    const named = [...links, ...events.map((event) => event.replace('onCommand:', ''))];
    assert.deepEqual(
      named.filter((command) => !ownCommands.includes(command)),
      [],
    );
  });

  test('every setting is read under the name and with the default that is shown', () => {
    const shown = contributes.configuration.properties;
    same(Object.keys(shown), Object.values(Setting));
    assert.deepEqual(
      Object.fromEntries(Object.entries(shown).map(([name, property]) => [name, property.default])),
      defaultSettings,
    );
  });

  test('the README calls every command as the palette does, and has every setting with its default', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const titles = Object.entries(english).flatMap(([key, text]) =>
      key.startsWith('command.') ? [text] : [],
    );
    const named = matches(readme, /\*\*Keepthread: ([^*]+)\*\*/g);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((title) => !titles.includes(title)),
      [],
    );
    const rows = [...readme.matchAll(/^\| `(keepthread\.[\w.]+)` +\| `([^`]+)` +\|/gm)];
    assert.deepEqual(
      Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value])),
      Object.fromEntries(
        Object.entries(contributes.configuration.properties).map(([name, property]) => [
          name,
          typeof property.default === 'string'
            ? property.default
            : JSON.stringify(property.default),
        ]),
      ),
    );
  });

  test('a folder that is not trusted cannot say where agents keep their data', () => {
    const homes = contributes.configuration.properties[Setting.agentHomes];
    assert.equal(homes?.scope, 'machine');
    assert.ok(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(
        Setting.agentHomes,
      ),
    );
  });

  test('views are filled, and their welcome texts and menus belong to one that exists', () => {
    same(
      Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
      ownViews,
    );
    same(
      Object.keys(contributes.views),
      contributes.viewsContainers.activitybar.map(({ id }) => id),
    );
    const named = [
      ...contributes.viewsWelcome.map(({ view }) => view),
      ...matches(raw, /\bview == ([\w.]+)/g),
    ];
    assert.deepEqual(
      named.filter((view) => !ownViews.includes(view)),
      [],
    );
  });

  test('conditions use only keys that the window sets', () => {
    const conditions = [
      ...Object.values(contributes.menus).flatMap((items) => items.map(({ when }) => when ?? '')),
      ...contributes.commands.map(({ enablement }) => enablement ?? ''),
      ...contributes.viewsWelcome.map(({ when }) => when ?? ''),
    ];
    const keys = conditions.flatMap((when) => matches(when, /\b(keepthread\.\w+)\b/g));
    const known: readonly string[] = [...Object.values(ContextKey), ...ownViews];
    assert.deepEqual(
      keys.filter((key) => !known.includes(key)),
      [],
    );
  });

  test('a tree item has at most three inline actions', () => {
    const inline = (contributes.menus['view/item/context'] ?? []).filter(({ group }) =>
      group?.startsWith('inline'),
    );
    for (const kind of [
      'session.current',
      'session.open',
      'session.finished',
      'snapshot',
      'thread.resumable',
      'thread.resumable.continued',
    ]) {
      const own = inline.filter(({ when }) => fits(when ?? '', kind));
      assert.ok(own.length >= 1 && own.length <= 3, `${kind} has ${own.length}`);
    }
  });

  test('every picture is there, and the icon is a PNG of at least 128 pixels', () => {
    const svgs = [
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ icon }) => icon)),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    assert.deepEqual(
      svgs.filter((file) => !existsSync(path.join(root, file))),
      [],
    );
    const icon = readFileSync(path.join(root, manifest.icon));
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    // Width and height are the first fields of the first chunk (PNG specification, 11.2.2 IHDR).
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128);
  });

  test('the Marketplace takes it: at most five keywords', () =>
    assert.ok(manifest.keywords.length <= 5));
});

suite('translations', () => {
  test('every text of the manifest is there, and no other', () =>
    same(matches(raw, /"%([^%"]+)%"/g), Object.keys(english)));

  test('every text of the manifest is there in Chinese', () =>
    same(Object.keys(chinese), Object.keys(english)));

  const bundles = readBundles();
  for (const [name, bundle] of bundles) {
    test(`${name} holds every text of the window, and no other (tsx scripts/l10n.ts)`, () =>
      same(Object.keys(bundle), textsOfSource()));

    test(`${name} keeps the places for names and numbers`, () => {
      const torn = Object.entries(bundle).filter(
        ([text, translated]) => placeholders(text).join() !== placeholders(translated).join(),
      );
      assert.deepEqual(torn, []);
    });
  }

  test('there is English and Chinese', () =>
    same([...bundles.keys()], ['bundle.l10n.json', 'bundle.l10n.zh-cn.json']));
});

/** Whether a condition on `viewItem` lets a kind of item through. */
function fits(when: string, kind: string): boolean {
  const pattern = /viewItem =~ \/(.+?)\/(?=\s|$)/.exec(when)?.[1];
  if (pattern !== undefined) return new RegExp(pattern).test(kind);
  return /viewItem == (\S+)/.exec(when)?.[1] === kind;
}
