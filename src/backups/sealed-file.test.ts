import { expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { failureOf } from '../ledger/conformance/ledger.fixture.ts';
import { allOf, keysOf } from './backups.fixture.ts';
import type { Chunks } from './part-reader.ts';
import { opened, sealed } from './sealed-file.ts';

const MIB = 1024 ** 2;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

const [key] = keysOf('ours').keys;
if (key === undefined) throw new Error('a key');
const seal = (bytes: Uint8Array, size = 300_000): Promise<Buffer> =>
  allOf(sealed(inPieces(bytes, size), key, systemClock));
const open = (bytes: Uint8Array, seeds = ['ours']): Promise<Buffer> =>
  allOf(opened(inPieces(bytes, 70_000), keysOf(...seeds).keys, 'x.enc'));
const refusal = async (bytes: Uint8Array, seeds?: string[]): Promise<string> =>
  String(await failureOf(open(bytes, seeds)));

const sample = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, at) => (at * 31) & 0xff);

test('opens what it sealed, of any size', async () => {
  for (const size of [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 17]) {
    const bytes = sample(size);
    const file = await seal(bytes);
    expect(file.includes(bytes.subarray(0, 64)) && size > 64).toBe(false);
    expect((await open(file)).equals(bytes)).toBe(true);
  }
});

test('an earlier key of the list opens it, and another key is named', async () => {
  const file = await seal(sample(10));
  expect((await open(file, ['newer', 'ours'])).byteLength).toBe(10);
  expect(await refusal(file, ['other'])).toContain(
    `is encrypted with the key ${key.id}. The given key has the ID ${keysOf('other').keys[0]?.id}`,
  );
  expect(String(await failureOf(allOf(opened(inPieces(file, 9), [], 'x.enc'))))).toContain(
    'No key is given',
  );
});

test('refuses a file that is cut, continued, altered or in another order, and says which', async () => {
  const file = await seal(sample(3 * MIB));
  const head = file.indexOf(10) + 1;
  const part = MIB + 8 + 28;
  const parts = [0, 1, 2].map((at) => file.subarray(head + at * part, head + (at + 1) * part));
  const joined = (...order: readonly number[]): Buffer =>
    Buffer.concat([file.subarray(0, head), ...order.map((at) => parts[at] ?? Buffer.alloc(0))]);
  expect(joined(0, 1, 2).equals(file)).toBe(true);

  for (const end of [file.length - 1, head + 2 * part, head + part + 3, head])
    expect(await refusal(file.subarray(0, end))).toContain('its end is missing');
  expect(await refusal(file.subarray(0, head - 4))).toContain('its first line');
  expect(await refusal(joined(1, 0, 2))).toContain('its parts are not in order');
  expect(await refusal(joined(0, 2))).toContain('its parts are not in order');
  expect(await refusal(Buffer.concat([file, Buffer.from('x')]))).toContain('data follows its end');
  for (const at of [head + 4, head + 12, head + 30, head + part + 500, file.length - 1]) {
    const altered = Buffer.from(file);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(await refusal(altered)).toMatch(/its content was changed|its end is missing/);
  }
  // A part of the encrypted file that was moved fails authentication, even if its number is changed
  // to match its new position.
  const renumbered = joined(1, 1, 2);
  renumbered.writeUInt32BE(0, head);
  expect(await refusal(renumbered)).toContain('its content was changed');
  // Marking an earlier part as the last one is detected too, because the mark is authenticated.
  const shortened = joined(0, 1);
  shortened.writeUInt32BE(shortened.readUInt32BE(head + part + 4) + 2 ** 31, head + part + 4);
  expect(await refusal(shortened)).toContain('its content was changed');
});

test('closes what it reads when its reader ends early', async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield sample(MIB);
    } finally {
      isClosed = true;
    }
  }
  const chunks: Chunks = sealed(source(), key, systemClock);
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.byteLength;
    if (read > MIB) break;
  }
  expect(isClosed).toBe(true);
});
