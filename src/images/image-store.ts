/**
 * Stores generated images for download, as PNG under ids that cannot be guessed. Both backends
 * (local-store.ts, s3-store.ts) pass one conformance suite.
 */
import type { Clock } from '../clock.ts';
import type { PngBytes } from './png.ts';

/**
 * 40 lower-case hex digits: 8 of Unix seconds, then 128 random bits. The time comes first, so that
 * a listing is in order of age and the sweep opens no file. It contains no caller input, so it is
 * safe as a path.
 */
export type ImageId = string & { readonly brand: 'ImageId' };

const ID_PATTERN = /^[0-9a-f]{40}$/;
const TIME_DIGITS = 8;
const CHANCE_BYTES = 16;

export const isImageId = (text: string): text is ImageId => ID_PATTERN.test(text);

export function newImageId(clock: Clock): ImageId {
  const time = timeDigits(clock.nowMs());
  return `${time}${Buffer.from(clock.randomBytes(CHANCE_BYTES)).toString('hex')}` as ImageId;
}

/** When the image was stored: milliseconds since 1970, whole seconds. */
export const storedAtMs = (id: ImageId): number =>
  Number.parseInt(id.slice(0, TIME_DIGITS), 16) * 1000;

/** Whether an image was stored before a moment (milliseconds since 1970), to the second. */
export const isStoredBefore = (id: ImageId, cutoffMs: number): boolean =>
  storedAtMs(id) < Math.floor(cutoffMs / 1000) * 1000;

const timeDigits = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .padStart(TIME_DIGITS, '0');

export type StoredImage = {
  readonly sizeBytes: number;
  /** Reads the bytes. Nothing is read from the store before. */
  readonly body: () => Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
};

export interface ImageStore {
  /** Resolves when the image is durable and can be opened under the id. */
  put(png: PngBytes): Promise<ImageId>;
  /** Null when there is no such image (never stored, or deleted). */
  open(id: ImageId): Promise<StoredImage | null>;
  /** Does not throw when the image does not exist. */
  delete(id: ImageId): Promise<void>;
  /** Images stored before `cutoffMs` (since 1970), oldest first, at most `limit`. */
  listStoredBefore(cutoffMs: number, limit: number): Promise<readonly ImageId[]>;
}
