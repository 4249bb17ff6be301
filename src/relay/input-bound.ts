/** Calculates the maximum input tokens of a request from the size of its text and media. */
import type { ChatModel, Route } from '../catalogue/catalogue.ts';
import type { CardLimits } from '../money/card-terms.ts';
import type { FeeUnit, Served } from '../money/served.ts';
import type { ImageSize } from '../protocols/inputs/image-header.ts';

import type { MediaSize, RequestSize } from '../protocols/inputs/request-size.ts';
import { type ServerTool, toolLimits } from '../protocols/inputs/server-tools.ts';

/** The maximum input tokens of a request, split by the rates at which they may be charged. */
export type InputBound = {
  readonly text: number;
  /** Tokens of images, files, audio and video, which may have other rates than text. */
  readonly media: number;
  /**
   * The maximum for text and media together. Providers refuse a longer prompt and do not bill it.
   */
  readonly atMost: number;
};

/**
 * Tokens that a provider adds once per request. The few tokens added per message are covered
 * already: each byte of a message's JSON syntax counts as a token of text.
 */
export const FRAME_TOKENS = 16;
/** Maximum tokens of an image of unknown size. Providers scale large images down. */
const IMAGE_TOKENS = 20_000;
/** The minimum tokens assumed for an image: some providers charge this many even if it is small. */
const SMALL_IMAGE_TOKENS = 8_192;
/** Maximum tokens of an image of any size, by the provider's name for the model (2026-08). */
const KNOWN_IMAGES = [
  { name: /(?:^|[/.])claude-/i, most: 4_784 },
  { name: /(?:^|\/)gpt-4o-mini/i, most: 48_169 },
] as const;
/** A PDF page is read as text (3,000 tokens) and as an image (4,784) (Anthropic, 2026-08). */
const PAGE_TOKENS = 7_784;
/** Tokens per second of audio at Gemini, which counts more than any other provider. */
const AUDIO_SECOND_TOKENS = 32;

/** The tokens that an estimate assumes for a PDF page, and for media of unknown size. */
const LIKELY_MEDIA_TOKENS = 2_000;
/** Maximum tokens that an estimate assumes for an image: most providers scale images down. */
const LIKELY_IMAGE_TOKENS = 1_600;
/** Assumed bytes of text per token in estimates of usage. */
export const LIKELY_BYTES_PER_TOKEN = 4;

export type InputLimits = Pick<ChatModel, 'bounds' | 'contextWindow'> & {
  /** Whether a caller may ask a provider to read images without scaling them down. */
  readonly isUnscaled?: boolean;
  /**
   * The maximum tokens that a known model charges for an image; 0 if no route has a known model.
   */
  readonly knownImage?: number;
};

/** Returns the maximum tokens of a request's prompt at the providers of a model. */
export function inputBound(
  { textTokens, media }: Pick<RequestSize, 'textTokens' | 'media'>,
  addedTokens: number,
  limits: InputLimits,
): InputBound {
  const { contextWindow } = limits;
  let tokens = 0;
  for (const each of media) tokens += mediaBound(each, limits) ?? contextWindow;
  const text = textTokens(contextWindow) + FRAME_TOKENS + addedTokens;
  return { text, media: tokens, atMost: contextWindow };
}

/**
 * Sets the maximum tokens of an image to those known for the routes' models, by the models' names.
 * Keeps the operator's setting if there is one.
 */
export function withKnownImages(
  limits: InputLimits,
  routes: readonly Pick<Route, 'model'>[],
): InputLimits {
  const { bounds } = limits;
  const known = routes.map(({ model }) => KNOWN_IMAGES.find(({ name }) => name.test(model)));
  const knownImage = Math.max(0, ...known.map((each) => each?.most ?? 0));
  // If the operator set no maximum and a route's model is not in `KNOWN_IMAGES`, `image` is null.
  // Then `mediaBound` calculates a maximum from each image's size.
  const image = bounds.image ?? (known.includes(undefined) ? null : knownImage);
  return { ...limits, knownImage, bounds: { ...bounds, image } };
}

/** The tool uses and input tokens that the provider's tools may add to a request. */
export type ToolBound = {
  readonly uses: Served['uses'];
  /**
   * Input tokens beyond the prompt: after each tool use, the model reads the conversation again.
   */
  readonly tokens: number;
};
const NO_TOOLS: ToolBound = { uses: {}, tokens: 0 };

/**
 * Returns the maximum tool uses, and the maximum extra input tokens, that the provider's tools may
 * add to a request. The price card's limit on uses applies where a tool sets no `maxUses`.
 */
export function toolBound(
  tools: readonly ServerTool[],
  { text, media, atMost }: InputBound,
  limits: CardLimits,
): ToolBound {
  if (tools.length === 0) return NO_TOOLS;
  const uses: { [Unit in FeeUnit]?: number } = {};
  let round = Math.min(text + media, atMost);
  let tokens = 0;
  for (const tool of tools) {
    const { unit, maxUses } = tool;
    const { uses: mostUses, tokensPerUse: perUse } = toolLimits(tool, limits);
    const most = maxUses ?? mostUses;
    uses[unit] = (uses[unit] ?? 0) + most;
    let left = most;
    for (; left > 0 && round < atMost && perUse > 0; left--) {
      round = Math.min(round + perUse, atMost);
      tokens += round;
    }
    // After each further tool call, the model reads `round` tokens. These are multiplied instead of
    // added in the loop, because a caller could make the loop very long.
    tokens += left * round;
  }
  return { uses, tokens };
}

/**
 * Returns the probable number of input tokens, for rate limits, for estimated charges, and for
 * count requests that no upstream could answer.
 */
export function likelyInput({
  promptBytes,
  media,
}: Pick<RequestSize, 'promptBytes' | 'media'>): number {
  let tokens = Math.max(1, Math.ceil(promptBytes / LIKELY_BYTES_PER_TOKEN));
  for (const each of media) tokens += likelyMedia(each);
  return tokens;
}

function likelyMedia(size: MediaSize): number {
  switch (size.kind) {
    case 'image':
      return likelyImageTokens(size);
    case 'pdf':
      return size.pages * LIKELY_MEDIA_TOKENS;
    case 'audio':
      return size.seconds * AUDIO_SECOND_TOKENS;
    case 'text':
      return Math.ceil(size.bytes / LIKELY_BYTES_PER_TOKEN);
    case 'unmeasured':
      return LIKELY_MEDIA_TOKENS;
  }
}

/** Returns the maximum tokens of one media input; null if the input may fill the context window. */
function mediaBound(size: MediaSize, limits: InputLimits): number | null {
  const { bounds, knownImage = 0 } = limits;
  switch (size.kind) {
    case 'image':
      return bounds.image ?? Math.max(knownImage, mostImageTokens(size));
    case 'pdf':
      return size.pages * (bounds.page ?? PAGE_TOKENS);
    case 'text':
      return size.bytes;
    case 'audio':
      return size.seconds * (bounds.audioSecond ?? AUDIO_SECOND_TOKENS);
    case 'unmeasured':
      return unmeasuredBound(size.modality, limits);
  }
}

function unmeasuredBound(
  modality: Extract<MediaSize, { kind: 'unmeasured' }>['modality'],
  { bounds, isUnscaled, knownImage = 0 }: InputLimits,
): number | null {
  switch (modality) {
    case 'image':
      return bounds.image ?? (isUnscaled === true ? null : Math.max(knownImage, IMAGE_TOKENS));
    case 'file':
      return bounds.document;
    case 'audio':
      return bounds.audio;
    case 'video':
      return bounds.video;
    case 'unknown':
      return null;
  }
}

/** Edge, in pixels, of an image patch that counts as one token: the smallest of any provider. */
const PATCH_EDGE = 28;
/** Smallest and largest edge, in pixels, of the tiles into which Gemini 2 divides an image. */
const TILE_EDGES = { least: 256, most: 768 } as const;
/** Tokens that Gemini 2 counts for a tile. */
const TILE_TOKENS = 258;

/**
 * Returns the maximum tokens of an image, which grow with its size because not all providers scale
 * it down.
 */
export function mostImageTokens(size: ImageSize): number {
  const { width, height } = size;
  const { least, most } = TILE_EDGES;
  const tile = Math.max(least, Math.min(most, Math.floor(Math.min(width, height) / 1.5)));
  return Math.max(SMALL_IMAGE_TOKENS, patches(size, PATCH_EDGE), patches(size, tile) * TILE_TOKENS);
}

/** Returns the input tokens that an image of this size probably has. */
export const likelyImageTokens = (size: ImageSize): number =>
  Math.min(LIKELY_IMAGE_TOKENS, patches(size, PATCH_EDGE));

const patches = ({ width, height }: ImageSize, edge: number): number =>
  Math.ceil(width / edge) * Math.ceil(height / edge);
