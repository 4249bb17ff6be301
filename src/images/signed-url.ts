/**
 * Signed URLs that open one image until they expire. The URL alone permits the download, since
 * clients fetch images without an API key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type ImageId, isImageId } from './image-store.ts';
import type { SigningKey, SigningKeys } from './signing-key.ts';

/** Path of the download route under the public address. */
export const IMAGE_PATH = '/files';

export type ImageUrlOptions = {
  /** The public URL of the gateway, such as `https://models.example` or `http://host:8787/ai`. */
  readonly publicUrl: string;
  readonly keys: SigningKeys;
  /** How long a URL is valid. */
  readonly lifetimeMs: number;
  readonly clock: Clock;
};

export type SignedImageUrl = {
  readonly url: string;
  /** Unix seconds; the URL is valid until just before. */
  readonly expiresAtSeconds: number;
};

export type VerifiedImage = {
  readonly id: ImageId;
  readonly secondsLeft: number;
};

export class ImageUrls {
  readonly #options: ImageUrlOptions;
  readonly #base: string;

  constructor(options: ImageUrlOptions) {
    this.#options = options;
    this.#base = options.publicUrl.replace(/\/+$/, '');
  }

  /** `{public}/files/<id>.png?exp=<unix seconds>&sig=<key version>.<base64url>` */
  sign(id: ImageId): SignedImageUrl {
    const { clock, lifetimeMs, keys } = this.#options;
    const expiresAtSeconds = Math.floor((clock.nowMs() + lifetimeMs) / 1000);
    const query = `exp=${expiresAtSeconds}&sig=${signature(keys[0], id, `${expiresAtSeconds}`)}`;
    return { url: `${this.#base}${IMAGE_PATH}/${id}.png?${query}`, expiresAtSeconds };
  }

  /**
   * The image of a download, if its signature is valid and has not expired. Null for every invalid
   * name, expiry or signature alike.
   */
  verify(fileName: string, query: URLSearchParams): VerifiedImage | null {
    const id = fileName.endsWith('.png') ? fileName.slice(0, -'.png'.length) : '';
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

function signature(key: SigningKey, id: ImageId, expiry: string): string {
  const mac = createHmac('sha256', key.secret).update(`${key.version}.${id}.${expiry}`);
  return `${key.version}.${mac.digest('base64url')}`;
}

/**
 * In constant time. Compares the text, not the decoded bytes: base64url has spare bits in its last
 * character, so several texts decode to one signature.
 */
function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
