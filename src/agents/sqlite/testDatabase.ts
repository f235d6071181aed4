import { readFile, writeFile } from 'node:fs/promises';
import initSqlJs, { type SqlJsStatic } from 'sql.js';
import { wasmPath } from './wasm.js';

/** Databases and write-ahead logs for tests, the logs byte by byte from SQLite's description of the format. */

let loading: Promise<SqlJsStatic> | undefined;

export const loadTestSql = async (): Promise<SqlJsStatic> =>
  (loading ??= readFile(wasmPath()).then((bytes) =>
    initSqlJs({ wasmBinary: Uint8Array.from(bytes).buffer }),
  ));

/** The database after each of the scripts, one transaction each. */
export async function imagesAfter(...scripts: readonly string[]): Promise<readonly Buffer[]> {
  const sql = await loadTestSql();
  const database = new sql.Database();
  const images = scripts.map((script) => {
    database.exec(script);
    return Buffer.from(database.export());
  });
  database.close();
  return images;
}

export async function writeDatabase(path: string, script: string): Promise<void> {
  const [image] = await imagesAfter(script);
  if (image !== undefined) await writeFile(path, image);
}

/** What a statement finds in an image. */
export async function query(image: Uint8Array, statement: string): Promise<readonly unknown[]> {
  const sql = await loadTestSql();
  const database = new sql.Database(image);
  try {
    return (database.exec(statement)[0]?.values ?? []).flat();
  } finally {
    database.close();
  }
}

export interface WalOptions {
  readonly bigEndian?: boolean;
  /** Leave out the mark of the last commit, as if its transaction still ran. */
  readonly open?: boolean;
  /** Each round of a log has its own. */
  readonly salt?: number;
}

/** A log that leads from the first image to each of the next ones, a transaction each. */
export function walOf(images: readonly Buffer[], options: WalOptions = {}): Buffer {
  // The largest size does not fit into its field, and stands there as 1.
  const field = images.at(-1)?.readUInt16BE(16) ?? 0;
  const pageSize = field === 1 ? 65_536 : field;
  const little = options.bigEndian !== true;
  const header = Buffer.alloc(32);
  const words = [little ? 0x377f0682 : 0x377f0683, 3007000, pageSize, 7, options.salt ?? 1, 2];
  words.forEach((word, at) => header.writeUInt32BE(word, at * 4));
  let sums = checksum(header.subarray(0, 24), little, [0, 0]);
  writeSums(header, 24, sums);
  const chunks: Buffer[] = [header];
  images.slice(1).forEach((image, at) => {
    const before = images[at] ?? image;
    const pages = changedPages(before, image, pageSize);
    pages.forEach((page, index) => {
      const isLast = index === pages.length - 1;
      const leftOpen = options.open === true && at === images.length - 2;
      const frame = Buffer.alloc(24);
      frame.writeUInt32BE(page, 0);
      frame.writeUInt32BE(isLast && !leftOpen ? image.length / pageSize : 0, 4);
      header.copy(frame, 8, 16, 24);
      const data = image.subarray((page - 1) * pageSize, page * pageSize);
      sums = checksum(data, little, checksum(frame.subarray(0, 8), little, sums));
      writeSums(frame, 16, sums);
      chunks.push(frame, data);
    });
  });
  return Buffer.concat(chunks);
}

function changedPages(before: Buffer, after: Buffer, pageSize: number): readonly number[] {
  const pages = Array.from({ length: after.length / pageSize }, (_, index) => index + 1);
  const bytesOf = (image: Buffer, page: number) =>
    image.subarray((page - 1) * pageSize, page * pageSize);
  const changed = pages.filter((page) => !bytesOf(after, page).equals(bytesOf(before, page)));
  // Every transaction writes at least one page: the header counts changes.
  return changed.length > 0 ? changed : [1];
}

type Sums = readonly [number, number];

function checksum(bytes: Buffer, little: boolean, [a, b]: Sums): Sums {
  let [first, second] = [a, b];
  for (let at = 0; at < bytes.length; at += 8) {
    const [x, y] = little
      ? [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
      : [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
    first = (first + x + second) >>> 0;
    second = (second + y + first) >>> 0;
  }
  return [first, second];
}

function writeSums(into: Buffer, at: number, [first, second]: Sums): void {
  into.writeUInt32BE(first, at);
  into.writeUInt32BE(second, at + 4);
}
