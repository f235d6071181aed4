import { findAll } from './find.js';
import { MIN_KNOWN } from './knownValues.js';
import { secretName } from './names.js';
import { mapStrings } from './walk.js';

const setting =
  /^[ \t]*(?:export[ \t]+|set[ \t]+)?((?:\/\/[^\s=]{1,200}:)?[\w.@:-]{1,100})[ \t]*[=:][ \t]*(.*)$/;
const unlimited = { check: (): void => undefined };

/**
 * The values of a file that keeps secrets: `.env`, `.npmrc`, `.netrc`, credentials of a cloud (INI or
 * JSON). Everything in it counts, except for what cannot be a secret.
 */
export function valuesOf(file: string): readonly string[] {
  const found = findAll(file, { lane: 'share' }, unlimited).map(({ start, end }) =>
    file.slice(start, end),
  );
  return unique([...found, ...(valuesOfJson(file) ?? valuesOfLines(file))]);
}

/** The values of variables whose names say that they are secret. */
export const valuesOfVariables = (
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  unique(
    Object.entries(variables).flatMap(([name, value = '']) =>
      secretName(name) && !folderVariables.has(name) && isKept(name, value) ? [value] : [],
    ),
  );

/** What shells call the folder that they are in and were in before. */
const folderVariables = new Set(['PWD', 'OLDPWD']);

function valuesOfJson(file: string): readonly string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(file);
  } catch {
    return undefined;
  }
  const values: string[] = [];
  mapStrings(parsed, {
    replace: (text, place) => {
      if (place?.name !== undefined && secretName(place.name)) values.push(text);
      return text;
    },
  });
  return values;
}

function valuesOfLines(file: string): readonly string[] {
  return file.split(/\r?\n/).flatMap((line) => {
    const [, name = '', rest = ''] = setting.exec(line) ?? [];
    const value = plainValue(rest);
    return name !== '' && isKept(name, value) ? [value] : [];
  });
}

/** Without quotation marks, and without the comment behind. */
function plainValue(rest: string): string {
  const quoted = /^(["'`])(.*)\1[ \t]*(?:#.*)?$/.exec(rest)?.[2];
  return quoted ?? rest.replace(/[ \t]+#.*$/, '').trim();
}

/** Of what is not called a secret, plain words, paths, addresses and numbers are none. */
const open =
  /^(?:[a-z]{1,16}|[\d.,:-]+|true|false|https?:\/\/(?![^/\s]*@)\S*|[./~][\w./~-]*|[A-Z]:\\\S*|[\w.-]+:\d{2,5}|(?:[a-z0-9-]+\.)+[a-z]{2,10}|[\w.+-]+@[\w.-]+)$/i;

const isKept = (name: string, value: string): boolean =>
  value.length >= MIN_KNOWN &&
  !/^\$\{?\w+\}?$/.test(value) &&
  (!!secretName(name) || !open.test(value));

const unique = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value) => value.length >= MIN_KNOWN)),
];
