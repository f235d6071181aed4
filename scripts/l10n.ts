// Collects the window's texts from the source into l10n/bundle.l10n.json and says what the translations lack.
// Usage: tsx scripts/l10n.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'l10n');

/**
 * Texts that reach a person through `vscode.l10n.t`, in order: its own first arguments, and what
 * expected errors carry for it, their template and their next step.
 */
export function textsOfSource(): readonly string[] {
  const source = path.join(root, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // The command line speaks English.
    .filter((file) => !file.startsWith(`cli${path.sep}`))
    .map((file) => path.join(source, file));
  const texts = new Set(files.flatMap((file) => textsOfFile(readFileSync(file, 'utf8'))));
  return [...texts].sort();
}

/** The bundles by file name. */
export function readBundles(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    names.map((name) => [
      name,
      JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Record<string, string>,
    ]),
  );
}

function textsOfFile(code: string): readonly string[] {
  const texts: string[] = [];
  // Both branches of a choice between two texts are texts.
  const add = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(add);
  };
  const addNext = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'next') {
      add(node.initializer);
    }
    ts.forEachChild(node, addNext);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslate(node.expression)) add(node.arguments[0]);
    if (ts.isNewExpression(node) && isExpectedError(node.expression)) {
      add(node.arguments?.[1]);
      const options = node.arguments?.[3];
      if (options) addNext(options);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest));
  return texts;
}

const isTranslate = (node: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(node) &&
  node.name.text === 't' &&
  (ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name.text === 'l10n'
    : ts.isIdentifier(node.expression) && node.expression.text === 'l10n');

const isExpectedError = (node: ts.Expression): boolean =>
  ts.isIdentifier(node) && node.text === 'ExpectedError';

function main(): void {
  const texts = textsOfSource();
  const english = Object.fromEntries(texts.map((text) => [text, text]));
  writeFileSync(
    path.join(folder, 'bundle.l10n.json'),
    `${JSON.stringify(english, undefined, 2)}\n`,
  );
  for (const [name, bundle] of readBundles()) {
    const keys = Object.keys(bundle);
    for (const text of texts.filter((one) => !keys.includes(one))) {
      console.log(`${name} lacks ${JSON.stringify(text)}`);
    }
    for (const key of keys.filter((one) => !texts.includes(one))) {
      console.log(`${name} need not hold ${JSON.stringify(key)}`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
