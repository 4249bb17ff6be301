/**
 * Encrypts a backup in parts, so that only one part is in memory. The first line of the file names
 * the encryption key. Each part begins with its number and its length, and the last part is marked.
 * The number and the mark are authenticated, so that a truncated, altered or reordered file is
 * refused.
 */
import { hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { type Clock, nextTurn } from '../clock.ts';
import type { SecretKey } from '../secrets/secret-keys.ts';
import { KEY_BYTES, NONCE_BYTES, openBytes, SEAL_BYTES, sealBytes } from '../store/sealed-bytes.ts';
import { type Chunks, PartReader } from './part-reader.ts';

const FORMAT = 'modelgate encrypted backup';
const PART_BYTES = 1024 * 1024;
const SALT_BYTES = 32;
/**
 * The bytes before each part: its number and its length. The highest bit of the length marks the
 * last part.
 */
const PREFIX_BYTES = 8;
const LAST = 2 ** 31;
/** Maximum bytes in the first line. A file with a longer first line is not in this format. */
const MAX_HEAD_BYTES = 1_024;

const HEAD = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  key: z.string(),
  salt: z.string().regex(new RegExp(`^[0-9a-f]{${SALT_BYTES * 2}}$`)),
});

/**
 * Derives the key of one file. Each file has its own key, so the number of a part can be its nonce.
 */
const fileKey = ({ bytes }: SecretKey, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', bytes, salt, FORMAT, KEY_BYTES));

function nonceOf(part: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(part, NONCE_BYTES - 6, 6);
  return nonce;
}

const boundTo = (isLast: boolean): string => (isLast ? 'the last part' : 'a part');

export async function* sealed(
  plain: Chunks,
  key: SecretKey,
  clock: Pick<Clock, 'randomBytes'>,
): AsyncGenerator<Uint8Array> {
  const salt = clock.randomBytes(SALT_BYTES);
  const head = { format: FORMAT, version: 1, key: key.id, salt: Buffer.from(salt).toString('hex') };
  const own = fileKey(key, salt);
  let part = 0;
  const sealedPart = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
    const text = sealBytes(own, boundTo(isLast), nonceOf(part), bytes);
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(part, 0);
    prefix.writeUInt32BE(text.byteLength + (isLast ? LAST : 0), 4);
    part += 1;
    return Buffer.concat([prefix, text]);
  };
  const reader = new PartReader(plain);
  try {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (let isLast = false; !isLast; ) {
      const bytes = await reader.next(PART_BYTES);
      isLast = await reader.isAtEnd();
      yield sealedPart(bytes, isLast);
      // Yields to the event loop, because the gateway may serve requests while it encrypts.
      await nextTurn();
    }
  } finally {
    await reader.close();
  }
}

/** Whether a file that begins with `start` is an encrypted backup. */
export const isSealed = (start: Uint8Array): boolean =>
  Buffer.from(start).toString('latin1').startsWith(`{"format":"${FORMAT}"`);

/**
 * Decrypts a file and yields its content.
 * @param name the file's name for error messages.
 * @throws Error with a message for the operator when no key matches, or the file is truncated or
 *   altered.
 */
export async function* opened(
  bytes: Chunks,
  keys: readonly SecretKey[],
  name: string,
): AsyncGenerator<Uint8Array> {
  const reader = new PartReader(bytes);
  try {
    yield* openedParts(reader, keys, name);
  } finally {
    await reader.close();
  }
}

async function* openedParts(
  reader: PartReader,
  keys: readonly SecretKey[],
  name: string,
): AsyncGenerator<Uint8Array> {
  const cut = (why: string, cause?: unknown): Error =>
    new Error(`${name} is incomplete or damaged: ${why}. Use another backup.`, { cause });
  const head = await headOf(reader);
  if (head === null) throw cut('its first line is not the header of an encrypted backup');
  const key = keys.find(({ id }) => id === head.key);
  if (key === undefined) throw otherKey(name, head.key, keys);
  const own = fileKey(key, Buffer.from(head.salt, 'hex'));
  for (let part = 0; ; part++) {
    const prefix = Buffer.from(await reader.next(PREFIX_BYTES));
    if (prefix.byteLength < PREFIX_BYTES) throw cut('its end is missing');
    if (prefix.readUInt32BE(0) !== part) throw cut('its parts are not in order');
    const isLast = prefix.readUInt32BE(4) >= LAST;
    const length = prefix.readUInt32BE(4) - (isLast ? LAST : 0);
    if (length > PART_BYTES + SEAL_BYTES) throw cut('its content was changed');
    const text = await reader.next(length);
    if (text.byteLength < length) throw cut('its end is missing');
    if (!nonceOf(part).equals(text.subarray(0, NONCE_BYTES))) throw cut('its content was changed');
    yield openedPart(own, text, isLast, cut);
    if (!isLast) continue;
    if (!(await reader.isAtEnd())) throw cut('data follows its end');
    return;
  }
}

function openedPart(
  key: Uint8Array,
  text: Uint8Array,
  isLast: boolean,
  cut: (why: string, cause: unknown) => Error,
): Uint8Array {
  try {
    return openBytes(key, boundTo(isLast), text);
  } catch (thrown) {
    throw cut('its content was changed', thrown);
  }
}

async function headOf(reader: PartReader): Promise<z.infer<typeof HEAD> | null> {
  const line = await reader.line(MAX_HEAD_BYTES);
  try {
    return HEAD.parse(JSON.parse(Buffer.from(line).toString('utf8')));
  } catch {
    // The first line is not in this format. The caller reports the error.
    return null;
  }
}

function otherKey(name: string, id: string, keys: readonly SecretKey[]): Error {
  const given =
    keys.length === 0
      ? 'No key is given'
      : `The given ${keys.length === 1 ? 'key has the ID' : 'keys have the IDs'} ${keys.map((it) => it.id).join(', ')}`;
  return new Error(
    `${name} is encrypted with the key ${id}. ${given}: set backups.key to that key, or name a file ` +
      'that contains it with --key-file.',
  );
}
