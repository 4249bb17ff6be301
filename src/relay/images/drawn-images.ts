/** Reads the images of an upstream's answer, and downloads those that it contains as URLs. */
import type { Card } from '../../catalogue/catalogue.ts';
import { GatewayError } from '../../errors.ts';
import { type ImageFile, parsePixelSize, toImageFile } from '../../images/image-file.ts';
import type { ImageChoice } from '../../protocols/images/choice.ts';
import {
  type DeliveredImage,
  type DeliveredImages,
  readImagesAnswer,
} from '../../protocols/images/response.ts';
import { failureContext } from '../../routing/route-plan.ts';
import type { RouteAttempt } from '../../routing/route-search.ts';
import { reportedFailure } from '../../routing/upstream-failure.ts';
import type { CallScope } from '../in-flight.ts';
import { readAnswerBytes } from '../upstream-answer.ts';
import type { AnswerShare } from './answer-memory.ts';

export type DrawnImage = {
  /** The file as the upstream delivered it, in any format and size. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly revisedPrompt: string | null;
};
export type DrawnImages = Pick<DeliveredImages, 'usage' | 'served'> & {
  readonly images: readonly DrawnImage[];
};

/**
 * Reads a non-streaming answer.
 * @throws GatewayError when it contains no images, or when an image cannot be downloaded.
 */
export async function readDrawnImages(
  response: Response,
  attempt: RouteAttempt<Card>,
  { clock, limits }: Pick<CallScope, 'clock' | 'limits'>,
  { count, memory }: { readonly count: number; readonly memory: AnswerShare },
): Promise<DrawnImages> {
  const { to, signal } = attempt;
  const { maxAnswerBytes, idleTimeoutMs } = limits;
  const pace = (read: number) => memory.add(read, signal);
  const bytes = await readAnswerBytes(response, { clock, maxAnswerBytes, idleTimeoutMs, pace });
  const answer = readImagesAnswer(bytes, to.quirks);
  if (answer.kind === 'error') throw reportedFailure(answer.error, failureContext(to));
  // At a price per image, extra images are not charged, so they are not delivered either.
  const isByToken = to.channel.card.unit === 'token';
  const delivered = isByToken ? answer.images : answer.images.slice(0, count);
  const images: DrawnImage[] = [];
  let left = maxAnswerBytes;
  // Downloads the images one at a time, to keep their total size within the limit.
  for (const image of delivered) {
    const drawn = await fetched(image, attempt, left);
    left -= drawn.bytes.byteLength;
    if ('url' in image.content) await memory.add(drawn.bytes.byteLength, signal);
    images.push(drawn);
  }
  return { images, usage: answer.usage, served: answer.served };
}

async function fetched(
  { content, revisedPrompt }: DeliveredImage,
  { to: { upstream }, signal }: RouteAttempt<Card>,
  maxBytes: number,
): Promise<DrawnImage> {
  if ('bytes' in content) return { bytes: content.bytes, revisedPrompt };
  if (upstream.download === undefined)
    throw new GatewayError('upstream_failed', 'The provider sent a URL instead of an image.');
  return { bytes: await upstream.download(content.url, { maxBytes, signal }), revisedPrompt };
}

/** Converts an image to the requested format and size. @throws GatewayError `upstream_failed`. */
export async function fileFor(
  bytes: Uint8Array<ArrayBuffer>,
  { size: text, format, compression }: ImageChoice,
): Promise<ImageFile> {
  const size = parsePixelSize(text);
  if (size === null) throw new Error(`size ${text} is not WIDTHxHEIGHT`);
  return await toImageFile(bytes, { format, size, compression });
}
