/**
 * The built-in image model. Equal requests get equal pictures, but the `n` pictures within a
 * request differ.
 */
import { type Clock, systemClock } from '../../clock.ts';
import type { UpstreamFile } from '../../upstreams/upstream.ts';
import { Fields } from '../body-fields.ts';
import { chatErrorResponse, invalid, RequestError } from '../request-error.ts';
import { editedPng } from './edited-png.ts';
import { describePicture, type Picture, pictureSvg } from './picture.ts';
import { DrawingQueueFull, drawPng, svgPng } from './png-queue.ts';

/**
 * Words in a prompt that cause a content policy error, so that callers can test their error
 * handling.
 */
export const REFUSED_WORDS = ['[refuse]', 'nsfw', 'gore', 'beheading'] as const;

/**
 * The minimum and maximum of each side in pixels. Larger pictures would take seconds and over 100
 * MB.
 */
const MIN_SIDE = 16;
const MAX_SIDE = 2048;
const MAX_IMAGES = 10;

type ImagesRequest = {
  readonly picture: Omit<Picture, 'index'>;
  readonly count: number;
  /**
   * Whether the answer contains `revised_prompt`. It does if the request sets a quality or a style,
   * because only models with one of these parameters return a revised prompt.
   */
  readonly reportsPrompt: boolean;
};

/**
 * Returns a response with `b64_json` or with an error.
 * @throws the signal's reason when the signal is aborted.
 */
export async function answerImages(
  body: Record<string, unknown>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Response> {
  return await answer(body, clock, (picture) => drawPng(() => svgPng(pictureSvg(picture)), signal));
}

/** Edits the first of the uploaded images. Returns and throws the same as `answerImages`. */
export async function answerEdits(
  body: Record<string, unknown>,
  files: readonly UpstreamFile[],
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Response> {
  const image = files.find(({ name }) => name !== 'mask');
  const mask = files.find(({ name }) => name === 'mask')?.bytes ?? null;
  if (image === undefined)
    return chatErrorResponse(
      new RequestError('missing_required_parameter', 'image', 'An image is required.'),
    );
  return await answer(body, clock, (picture) =>
    drawPng(() => editedPng(image.bytes, mask, picture), signal),
  );
}

async function answer(
  body: Record<string, unknown>,
  clock: Clock,
  draw: (picture: Picture) => Promise<Buffer>,
): Promise<Response> {
  try {
    const { picture, count, reportsPrompt } = readImagesRequest(Fields.of(body, ''));
    const images = await Promise.all(
      Array.from({ length: count }, (_, index) => draw({ ...picture, index })),
    );
    const revised = reportsPrompt ? { revised_prompt: describePicture(picture) } : {};
    return Response.json({
      created: Math.floor(clock.nowMs() / 1000),
      data: images.map((image) => ({ b64_json: image.toString('base64'), ...revised })),
    });
  } catch (thrown) {
    if (thrown instanceof RequestError) return chatErrorResponse(thrown);
    if (thrown instanceof DrawingQueueFull) return overloaded(thrown);
    throw thrown;
  }
}

/** @throws RequestError for an invalid field or a refused prompt. */
function readImagesRequest(fields: Fields): ImagesRequest {
  const prompt = fields.string('prompt') ?? '';
  if (prompt === '')
    throw new RequestError('missing_required_parameter', 'prompt', 'A prompt is required.');
  const folded = prompt.toLowerCase();
  if (REFUSED_WORDS.some((word) => mentions(folded, word))) {
    throw new RequestError(
      'content_policy_violation',
      'prompt',
      'The content policy does not allow this prompt.',
    );
  }
  const [width, height] = readSize(fields.string('size') ?? '1024x1024');
  const quality = fields.string('quality');
  const style = fields.string('style');
  if (style !== undefined && style !== 'vivid' && style !== 'natural') {
    throw invalid('style', "Expected 'vivid' or 'natural'.");
  }
  return {
    picture: {
      model: fields.string('model') ?? '',
      prompt,
      width,
      height,
      style: style ?? 'vivid',
      fine: quality === 'hd',
    },
    count: fields.integer('n', { min: 1, max: MAX_IMAGES }) ?? 1,
    reportsPrompt: quality !== undefined || style !== undefined,
  };
}

/**
 * Whether the prompt contains this exact word. For example, "Goree" and "categories" do not contain
 * `gore`.
 */
const mentions = (prompt: string, word: string): boolean =>
  prompt.split(/[^\p{L}\p{N}[\]]+/u).includes(word);

function readSize(size: string): readonly [width: number, height: number] {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(size);
  const sides = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)] as const;
  if (sides.every((side) => side >= MIN_SIDE && side <= MAX_SIDE)) return sides;
  throw invalid('size', `Expected WIDTHxHEIGHT, each side ${MIN_SIDE} to ${MAX_SIDE} pixels.`);
}

function overloaded(reason: DrawingQueueFull): Response {
  const error = {
    message: reason.message,
    type: 'service_unavailable_error',
    param: null,
    code: 'server_is_overloaded',
  };
  return Response.json({ error }, { status: 503 });
}
