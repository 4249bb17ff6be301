/**
 * How much to hold before a request is sent, and how much output the hold pays for. Pure.
 *
 * Nothing is tokenised here: on a full context that would stall every other stream for a second.
 */
import type { ScannedObject } from '../json/scan.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import { FX_SCALE, type FxRate, type Rates } from '../money/price.ts';
import { bucketsOf, NO_USAGE, type Usage } from '../money/usage.ts';
import { isPayload } from '../protocols/input-estimate.ts';
import type { ChatOffer, TextRequest } from './admission.ts';

/** Bytes of text a token is at least worth: generous, so that the true count is rarely above the hold. */
const MIN_BYTES_PER_TOKEN = 2n;
/** Bytes of text a token is usually worth: for estimates that are charged. */
const LIKELY_BYTES_PER_TOKEN = 4;
/** What an image or a file may cost as input, whatever its bytes: makers scale pictures down. */
const MAX_TOKENS_PER_MEDIA = 20_000n;

/**
 * Output tokens of a choice that a stream's hold begins with: most answers are shorter, and one that is
 * longer raises its hold while it runs.
 */
export const EXPECTED_OUTPUT_TOKENS = 4096;
/** Below this much affordable output a request is refused rather than cut short. */
export const USEFUL_OUTPUT_TOKENS = 256;

/** What a token of the request may turn out to be; one that is read from a cache costs no more. */
const INPUT_BUCKETS = [...bucketsOf('input'), ...bucketsOf('cache_write')];

/** How much of a request is text, and how many images and files stand beside it. */
export type RequestSize = { readonly textBytes: number; readonly mediaParts: number };

/** Base64 payloads (bare, or in a data URL) are media: makers price them by picture and page. */
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
  /** Most output tokens one choice may have: what the caller asked for, or the model's limit. */
  readonly outputCap: number;
  readonly choices: number;
  /** Tokens of thinking the caller has ordered: output below that would be refused by the upstream. */
  readonly thinkingTokens: number;
  /** Whether a cache marker asks for an hour, whose writes may cost most. */
  readonly oneHourCache: boolean;
  readonly rates: Rates;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
};

export type HoldSize = {
  readonly amount: NanoAmount;
  /** Pays for the input and a useful piece of output. */
  readonly atLeast: NanoAmount;
};

/** By the card of the channel that was asked for. */
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

/** @param outputTokens of each choice that the hold should pay for. */
export function sizeHold(basis: HoldBasis, outputTokens: number): HoldSize {
  const useful = Math.min(basis.outputCap, USEFUL_OUTPUT_TOKENS + basis.thinkingTokens);
  const holding = (tokens: number): NanoAmount =>
    roundUp(inputUpperPico(basis) + outputPico(basis, BigInt(tokens)), basis.rate);
  return {
    amount: holding(Math.max(useful, Math.min(basis.outputCap, outputTokens))),
    atLeast: holding(useful),
  };
}

/** What to add to a hold so that it pays for this many more output tokens of each choice. */
export const sizeExtension = (basis: HoldBasis, outputTokens: number): NanoAmount =>
  roundUp(outputPico(basis, BigInt(outputTokens)), basis.rate);

/**
 * Output tokens a choice may have so that the request stays within these funds.
 * @returns the caller's own cap when the funds cover it.
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

/** Counts for an answer whose upstream gave none: what was sent and what was delivered, by length. */
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

/** A hold is rounded up, so that the one rounding of the charge can never exceed it. */
function roundUp(pico: bigint, rate: FxRate | null): NanoAmount {
  const [numerator, denominator] =
    rate === null ? [pico, 1000n] : [pico * rate.scaled, 1000n * FX_SCALE];
  return nano((numerator + denominator - 1n) / denominator);
}
