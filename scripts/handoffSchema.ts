// Writes docs/handoff.schema.json, made of the schemas that session files are read with. Usage: tsx scripts/handoffSchema.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { z } from 'zod';
import { entrySchema, formatVersion, headerSchema } from '../src/handoff/schemas.js';

export const schemaFile = path.join(import.meta.dirname, '..', 'docs', 'handoff.schema.json');

/** JSON Schema of the first line and of every line after it; fields that are not named are allowed. */
export async function handoffSchema(): Promise<string> {
  const options = { io: 'input' } as const;
  const parts = [z.toJSONSchema(headerSchema, options), z.toJSONSchema(entrySchema, options)];
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `The lines of a Keepthread session file, format ${formatVersion}`,
    description:
      'The first line is a header, each line after it an entry; docs/format.md says how they are stored.',
    anyOf: parts.map((part) => ({ ...part, $schema: undefined, $defs: undefined })),
    // References start at the root of the document.
    $defs: Object.assign({}, ...parts.map(({ $defs }) => $defs)) as object,
  };
  return format(JSON.stringify(schema), { parser: 'json', printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, await handoffSchema());
}
