/**
 * Signs image URLs. The URL alone permits the download, because clients send no API key with it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { hasCode, type ImageId, isImageId } from './image-store.ts';

/** The path of the download route below the public URL. */
export const IMAGE_PATH = '/files';

export type ImageUrlOptions = {
  /** The public URL of the gateway, such as `https://models.example` or `http://host:8787/ai`. */
  readonly publicUrl: string;
  readonly keys: SigningKeys;
  /** How long a URL stays valid, in milliseconds. */
  readonly lifetimeMs: number;
  readonly clock: Clock;
};

export type SignedImageUrl = {
  readonly url: string;
  /** The time from which the URL is expired, in Unix seconds. */
  readonly expiresAtSeconds: number;
};

export class ImageUrls {
  readonly #options: ImageUrlOptions;
  readonly #base: string;

  constructor(options: ImageUrlOptions) {
    this.#options = options;
    this.#base = options.publicUrl.replace(/\/+$/, '');
  }

  /** Returns `{public}/files/<id>?exp=<unix seconds>&sig=<key version>.<base64url>`. */
  sign(id: ImageId): SignedImageUrl {
    const { clock, lifetimeMs, keys } = this.#options;
    const expiresAtSeconds = Math.floor((clock.nowMs() + lifetimeMs) / 1000);
    const query = `exp=${expiresAtSeconds}&sig=${signature(keys[0], id, `${expiresAtSeconds}`)}`;
    return { url: `${this.#base}${IMAGE_PATH}/${id}?${query}`, expiresAtSeconds };
  }

  /**
   * Returns the image id of a URL and the seconds until it expires. Returns null when the name or
   * signature is invalid, or when the URL has expired.
   */
  verify(
    id: string,
    query: URLSearchParams,
  ): { readonly id: ImageId; readonly secondsLeft: number } | null {
    const expiry = query.get('exp') ?? '';
    const given = query.get('sig') ?? '';
    if (!isImageId(id) || !/^[1-9]\d{0,11}$/.test(expiry)) return null;
    const version = given.slice(0, given.indexOf('.'));
    const key = this.#options.keys.find((each) => `${each.version}` === version);
    if (key === undefined || !sameText(given, signature(key, id, expiry))) return null;
    const secondsLeft = Number(expiry) - Math.floor(this.#options.clock.nowMs() / 1000);
    return secondsLeft > 0 ? { id, secondsLeft } : null;
  }
}

/** Omits `.png`, so that URLs signed when PNG was the only format remain valid. */
const signedName = (id: ImageId): string => id.replace(/\.png$/, '');

function signature(key: SigningKey, id: ImageId, expiry: string): string {
  const mac = createHmac('sha256', key.secret).update(`${key.version}.${signedName(id)}.${expiry}`);
  return `${key.version}.${mac.digest('base64url')}`;
}

/**
 * Compares two signatures as text, in constant time. Decoding them would accept several texts for
 * one signature.
 */
function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A signing key. Each signature includes its key's version, so that old URLs stay valid after a
 * rotation.
 */
export type SigningKey = { readonly version: number; readonly secret: Uint8Array };

/** All signing keys, newest first. The newest signs; every key verifies. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

export const SIGNING_KEY_FILE = 'image-url.keys';

/**
 * The length of a secret. It equals that of a SHA-256 hash, because a longer secret is no stronger.
 */
const SECRET_BYTES = 32;
const LINE_PATTERN = /^([1-9]\d{0,5}) ([0-9a-f]{64})$/;

/**
 * Reads the signing keys from lines of `version hex`. Creates the file if it is missing. To rotate
 * the key, the operator adds a line with a higher version. Nodes that share a bucket share this
 * file.
 * @throws Error when the file is malformed, because a guessable key would give access to every
 * image.
 */
export async function loadSigningKey(dataDir: string, clock: Clock): Promise<SigningKeys> {
  const path = join(dataDir, SIGNING_KEY_FILE);
  const existing = await readIfThere(path);
  if (existing !== null) return parseKeys(existing, path);
  await mkdir(dataDir, { recursive: true });
  await createKeyFile(path, clock);
  return parseKeys(await readFile(path, 'utf8'), path);
}

function parseKeys(text: string, path: string): SigningKeys {
  const keys: SigningKey[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const match = LINE_PATTERN.exec(line.trim());
    const [, version, secret] = match ?? [];
    if (version === undefined || secret === undefined) throw malformed(path);
    keys.push({ version: Number(version), secret: Buffer.from(secret, 'hex') });
  }
  const [newest, ...older] = keys.sort((a, b) => b.version - a.version);
  if (newest === undefined) throw malformed(path);
  if (new Set(keys.map((key) => key.version)).size < keys.length) throw malformed(path);
  return [newest, ...older];
}

const malformed = (path: string): Error =>
  new Error(
    `Each line of ${path} must have a unique version number and ${SECRET_BYTES * 2} lower-case hex digits. ` +
      'Fix or delete the file. If you delete it, a new key is created and existing image URLs stop working.',
  );

/**
 * Writes a complete temporary file and links it to `path`, so that no crash or race leaves a
 * partial file.
 */
async function createKeyFile(path: string, clock: Clock): Promise<void> {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const aside = `${path}.${hex(clock.randomBytes(8))}`;
  const file = await open(aside, 'wx', 0o600);
  try {
    await file.writeFile(`1 ${hex(clock.randomBytes(SECRET_BYTES))}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  try {
    await link(aside, path);
  } catch (thrown) {
    // Another process created the file first. This process uses the key of that file.
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}
