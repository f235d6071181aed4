import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Path of sql.js's `sql-wasm.wasm`: beside the bundled file, else in the package that we are run from. */
export function wasmPath(): string {
  const beside = fileURLToPath(new URL('sql-wasm.wasm', import.meta.url));
  if (existsSync(beside)) return beside;
  return createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
}
