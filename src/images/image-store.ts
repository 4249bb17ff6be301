/** Defines the store of generated images: files whose ids cannot be guessed. */
import type { Clock } from '../clock.ts';
import type { ImageFormat } from '../config/image-options.ts';
import { FORMATS, type ImageFile } from './image-file.ts';

/**
 * A file name: 40 hex digits and the extension of the format, such as `.png`. The first 8 digits
 * are the Unix time, so that ids sort by age. The other digits are random.
 */
export type ImageId = string & { readonly brand: 'ImageId' };

const ID_PATTERN = /^[0-9a-f]{40}\.(?:png|jpg|webp)$/;
const TIME_DIGITS = 8;
const RANDOM_BYTES = 16;

export const isImageId = (text: string): text is ImageId => ID_PATTERN.test(text);

export function newImageId(format: ImageFormat, clock: Clock): ImageId {
  const random = Buffer.from(clock.randomBytes(RANDOM_BYTES)).toString('hex');
  return `${timeDigits(clock.nowMs())}${random}.${FORMATS[format].extension}` as ImageId;
}

export function mediaTypeOf(id: ImageId): string {
  const format = Object.values(FORMATS).find(({ extension }) => id.endsWith(extension));
  return (format ?? FORMATS.png).mediaType;
}

/** Returns the time when the image was stored, in Unix milliseconds, rounded down to a second. */
export const storedAtMs = (id: ImageId): number =>
  Number.parseInt(id.slice(0, TIME_DIGITS), 16) * 1000;

/** Whether the image was stored before `cutoffMs` (Unix ms). Compares whole seconds only. */
export const isStoredBefore = (id: ImageId, cutoffMs: number): boolean =>
  storedAtMs(id) < Math.floor(cutoffMs / 1000) * 1000;

const timeDigits = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .padStart(TIME_DIGITS, '0');

/** Returns whether the error has one of these codes, such as `ENOENT`. */
export const hasCode = (thrown: unknown, ...codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.some((code) => code === thrown.code);

export type StoredImage = {
  readonly sizeBytes: number;
  /** Starts to read the bytes. `open` reads none of them. */
  readonly body: () => Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
};

export interface ImageStore {
  /** Resolves with the id once the image is stored durably. */
  put(file: ImageFile): Promise<ImageId>;
  /** Resolves with null when the store has no such image. */
  open(id: ImageId): Promise<StoredImage | null>;
  /** Deletes the image. Does nothing when the store has no such image. */
  delete(id: ImageId): Promise<void>;
  /** Lists at most `limit` images stored before `cutoffMs` (Unix ms), oldest first. */
  listStoredBefore(cutoffMs: number, limit: number): Promise<readonly ImageId[]>;
}
