/**
 * The file with the receipts of a month: compressed lines of JSON. The first line states the format
 * and the month. Then each line has a receipt and its correction (or null). The last line has the
 * sums.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { STORED_COLUMNS } from '../../store/columns.ts';
import { integer, text } from '../../store/row.ts';
import type { SqlRow } from '../../store/sql.ts';

const FORMAT = 'modelgate receipts';

/** The columns of a receipt or a correction. Integers are text, so that no digit is lost. */
const COLUMNS = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const LINE = z.object({ receipt: COLUMNS, correction: COLUMNS.nullable() });
const HEAD = z.object({ format: z.literal(FORMAT), version: z.literal(1), month: z.string() });
const SUMS = z.record(z.string(), z.object({ receipts: z.string(), price: z.string() }));
const END = z.object({ sums: SUMS });

/** A line of the file: a receipt, and its correction or null. */
export type ArchivedReceipt = z.infer<typeof LINE>;

/**
 * For each currency: the number of receipts, and the sum of their charges and losses (`price`),
 * including those of corrections.
 */
export type FileSums = ReadonlyMap<string, { readonly receipts: bigint; readonly price: bigint }>;

/** Adds up receipts and corrections by currency. */
class Sums {
  readonly #of = new Map<string, { receipts: bigint; price: bigint }>();

  add({ receipt, correction }: ArchivedReceipt): void {
    const currency = String(receipt['currency']);
    const sum = this.#of.get(currency) ?? { receipts: 0n, price: 0n };
    this.#of.set(currency, sum);
    sum.receipts += 1n;
    for (const part of [receipt, ...(correction === null ? [] : [correction])])
      sum.price += BigInt(String(part['charge'])) + BigInt(String(part['loss']));
  }

  get all(): FileSums {
    return this.#of;
  }

  get json(): z.infer<typeof SUMS> {
    const rows = [...this.#of].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      rows.map(([currency, { receipts, price }]) => [
        currency,
        { receipts: `${receipts}`, price: `${price}` },
      ]),
    );
  }
}

/** The prefix of a correction's columns in a database row that also has its receipt's columns. */
export const CORRECTION = 'late_';

/** Returns the file's line for a database row. The correction's columns have the prefix `late_`. */
export function lineOf(row: SqlRow): ArchivedReceipt {
  const part = (prefix: string): ArchivedReceipt['receipt'] =>
    Object.fromEntries(
      STORED_COLUMNS.map((column) => {
        const value = row[`${prefix}${column}`] ?? null;
        return [column, typeof value === 'bigint' ? `${value}` : value];
      }),
    ) as ArchivedReceipt['receipt'];
  const isCorrected = (row[`${CORRECTION}request_id`] ?? null) !== null;
  return { receipt: part(''), correction: isCorrected ? part(CORRECTION) : null };
}

/** Writes a file, and flushes it to the disk. */
export async function writeArchive(
  path: string,
  month: string,
  receipts: AsyncIterable<ArchivedReceipt>,
): Promise<void> {
  const sums = new Sums();
  const lines = async function* (): AsyncGenerator<string> {
    yield `${JSON.stringify({ format: FORMAT, version: 1, month })}\n`;
    for await (const receipt of receipts) {
      sums.add(receipt);
      yield `${JSON.stringify(receipt)}\n`;
    }
    yield `${JSON.stringify({ sums: sums.json })}\n`;
  };
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), createGzip(), file);
}

/**
 * Yields the receipts of a file.
 * @throws Error if the file is damaged, truncated or of another format.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchivedReceipt> {
  const sums = new Sums();
  let before: unknown = null;
  let number = 0;
  for await (const line of linesOf(path)) {
    if (number === 1) HEAD.parse(before);
    else if (number > 1) {
      const receipt = LINE.parse(before);
      sums.add(receipt);
      yield receipt;
    }
    before = JSON.parse(line);
    number += 1;
  }
  const end = END.parse(before);
  if (JSON.stringify(end.sums) !== JSON.stringify(sums.json))
    throw new Error('the last line of the archive does not state the sums of its receipts');
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.on('error', (thrown) => unpacked.destroy(thrown)).pipe(unpacked);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    // `for await` is avoided, because leaving its loop early would wait for a stream that never
    // closes.
    const parts = unpacked[Symbol.asyncIterator]();
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    file.destroy();
    unpacked.destroy();
  }
  if (rest !== '') throw new Error('the last line of the archive is cut off');
}

/** Reads a whole file. @returns its hash and the sums of its receipts */
export async function checkArchive(path: string): Promise<{ sha256: string; sums: FileSums }> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  const sums = new Sums();
  for await (const receipt of readArchive(path)) sums.add(receipt);
  return { sha256: hash.digest('hex'), sums: sums.all };
}

/** Adds up, by currency, the sums in rows that the store returned. */
export function sumsOfRows(rows: readonly SqlRow[]): FileSums {
  const all = new Map<string, { receipts: bigint; price: bigint }>();
  for (const row of rows) {
    const sum = all.get(text(row, 'currency')) ?? { receipts: 0n, price: 0n };
    all.set(text(row, 'currency'), {
      receipts: sum.receipts + integer(row, 'receipts'),
      price: sum.price + integer(row, 'price'),
    });
  }
  return all;
}
