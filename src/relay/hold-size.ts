/**
 * Computes how much to hold before a request is sent, and how much output a hold pays for. Pure.
 *
 * Nothing is tokenized here: tokenizing a full context would block all other streams for a second.
 */
import type { ScannedObject } from '../json/scan.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import { FX_SCALE, type FxRate, type Rates } from '../money/price.ts';
import { bucketsOf, NO_USAGE, type Usage } from '../money/usage.ts';
import { isPayload } from '../protocols/input-estimate.ts';
import type { ChatOffer, TextRequest } from './admission.ts';

/** The fewest bytes of text per token; low, so that the true count rarely exceeds the hold. */
const MIN_BYTES_PER_TOKEN = 2n;
/** The usual bytes of text per token, for estimates that are charged. */
const LIKELY_BYTES_PER_TOKEN = 4;
/** The most input tokens of an image or file, whatever its bytes: providers scale images down. */
const MAX_TOKENS_PER_MEDIA = 20_000n;

/**
 * Output tokens per choice that a stream's first hold pays for. Most answers are shorter; a longer
 * one extends its hold while it runs.
 */
export const EXPECTED_OUTPUT_TOKENS = 4096;
/** A request that can afford less output than this is refused rather than cut short. */
export const USEFUL_OUTPUT_TOKENS = 256;

/** Buckets that a token of the request may fall into. Cache reads cost no more than these. */
const INPUT_BUCKETS = [...bucketsOf('input'), ...bucketsOf('cache_write')];

/** How many bytes of a request are text, and how many images and files it has. */
export type RequestSize = { readonly textBytes: number; readonly mediaParts: number };

/**
 * Counts base64 payloads (bare, or in a data URL) as media: providers price them by image and page.
 */
export function requestSize(body: ScannedObject): RequestSize {
  let mediaBytes = 0;
  let mediaParts = 0;
  for (const span of body.longStrings) {
    if (!isPayload(body.bytes, span)) continue;
    mediaBytes += span.end - span.start;
    mediaParts += 1;
  }
  return { textBytes: body.bytes.byteLength - mediaBytes, mediaParts };
}

export type HoldBasis = {
  /** Bytes of the request that are text, without media payloads. */
  readonly textBytes: number;
  readonly mediaParts: number;
  /** The most output tokens per choice: the caller's limit, or the model's. */
  readonly outputCap: number;
  readonly choices: number;
  /** The caller's thinking budget in tokens: an upstream refuses a lower output limit. */
  readonly thinkingTokens: number;
  /** Whether a cache marker asks for one hour. Such writes may be the most expensive tokens. */
  readonly oneHourCache: boolean;
  readonly rates: Rates;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
};

export type HoldSize = {
  readonly amount: NanoAmount;
  /** Pays for the input and a useful amount of output. */
  readonly atLeast: NanoAmount;
};

/** Priced by the card of the requested channel. */
export const holdBasis = (
  request: TextRequest,
  { textBytes, mediaParts }: RequestSize,
  { model, channels, payment }: ChatOffer,
): HoldBasis => ({
  textBytes,
  mediaParts,
  outputCap: request.maxOutputTokens ?? model.maxOutput,
  choices: request.choices,
  thinkingTokens: request.thinkingTokens,
  oneHourCache: request.oneHourCache,
  rates: channels[0].card.rates,
  rate: payment.rate,
});

/** @param outputTokens per choice that the hold should pay for. */
export function sizeHold(basis: HoldBasis, outputTokens: number): HoldSize {
  const useful = Math.min(basis.outputCap, USEFUL_OUTPUT_TOKENS + basis.thinkingTokens);
  const holding = (tokens: number): NanoAmount =>
    roundUp(inputUpperPico(basis) + outputPico(basis, BigInt(tokens)), basis.rate);
  return {
    amount: holding(Math.max(useful, Math.min(basis.outputCap, outputTokens))),
    atLeast: holding(useful),
  };
}

/** The amount that pays for this many more output tokens per choice. */
export const sizeExtension = (basis: HoldBasis, outputTokens: number): NanoAmount =>
  roundUp(outputPico(basis, BigInt(outputTokens)), basis.rate);

/**
 * The output tokens per choice that these funds pay for.
 * @returns at most the cap on output.
 */
export function affordableOutput(basis: HoldBasis, funds: NanoAmount): number {
  const fundsPico =
    basis.rate === null ? funds * 1000n : (funds * 1000n * FX_SCALE) / basis.rate.scaled;
  const perToken = outputPico(basis, 1n);
  if (perToken === 0n) return basis.outputCap;
  const left = fundsPico - inputUpperPico(basis);
  const tokens = left <= 0n ? 0n : left / perToken;
  return tokens > BigInt(basis.outputCap) ? basis.outputCap : Number(tokens);
}

/** Estimates usage by length, for an answer whose upstream reported none. */
export function estimateUsage(basis: HoldBasis, outputBytes: number): Usage {
  const media = basis.mediaParts * Number(MAX_TOKENS_PER_MEDIA / 10n);
  return {
    ...NO_USAGE,
    input: Math.ceil(basis.textBytes / LIKELY_BYTES_PER_TOKEN) + media,
    output: Math.ceil(outputBytes / LIKELY_BYTES_PER_TOKEN),
  };
}

function inputUpperPico(basis: HoldBasis): bigint {
  const text = BigInt(basis.textBytes) / MIN_BYTES_PER_TOKEN + 1n;
  const tokens = text + BigInt(basis.mediaParts) * MAX_TOKENS_PER_MEDIA;
  let highest = basis.rates.input;
  for (const bucket of INPUT_BUCKETS) {
    const rate = basis.rates[bucket];
    if (rate > highest && (bucket !== 'cacheWrite1h' || basis.oneHourCache)) highest = rate;
  }
  return tokens * highest;
}

const outputPico = (basis: HoldBasis, tokens: bigint): bigint =>
  tokens * BigInt(basis.choices) * basis.rates.output;

/** Rounds up, so that the rounded charge never exceeds the hold. */
function roundUp(pico: bigint, rate: FxRate | null): NanoAmount {
  const [numerator, denominator] =
    rate === null ? [pico, 1000n] : [pico * rate.scaled, 1000n * FX_SCALE];
  return nano((numerator + denominator - 1n) / denominator);
}
