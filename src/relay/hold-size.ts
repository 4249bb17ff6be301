/**
 * How much to hold before a request is sent, and how much output the hold pays for. Pure.
 *
 * Nothing is tokenised here: on a full context that would stall every other stream for a second.
 */
import { type NanoAmount, nano } from '../money/amount.ts';
import { FX_SCALE, type FxRate, type Rates } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';

/** Bytes of text a token is at least worth: generous, so that the true count is rarely above the hold. */
const MIN_BYTES_PER_TOKEN = 2n;
/** Bytes of text a token is usually worth: for estimates that are charged. */
const LIKELY_BYTES_PER_TOKEN = 4;
/** What an image or a file may cost as input, whatever its bytes: makers scale pictures down. */
const MAX_TOKENS_PER_MEDIA = 20_000n;
/** Below this much affordable output a request is refused rather than cut short. */
const MIN_USEFUL_OUTPUT_TOKENS = 256n;

export type HoldBasis = {
  /** Bytes of the request that are text, without media payloads. */
  readonly textBytes: number;
  readonly mediaParts: number;
  /** Most output tokens one choice may have: what the caller asked for, or the model's limit. */
  readonly outputCap: number;
  readonly choices: number;
  readonly rates: Rates;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
};

export type HoldSize = {
  /** Pays for the most the request can cost. */
  readonly amount: NanoAmount;
  /** Pays for the input and a useful piece of output. */
  readonly atLeast: NanoAmount;
};

export function sizeHold(basis: HoldBasis): HoldSize {
  const inputPico = inputUpperPico(basis);
  const cap = BigInt(basis.outputCap);
  const useful = cap < MIN_USEFUL_OUTPUT_TOKENS ? cap : MIN_USEFUL_OUTPUT_TOKENS;
  return {
    amount: roundUp(inputPico + outputPico(basis, cap), basis.rate),
    atLeast: roundUp(inputPico + outputPico(basis, useful), basis.rate),
  };
}

/**
 * Output tokens a choice may have so that the request stays within what was held.
 * @returns the caller's own cap when the hold covers it.
 */
export function affordableOutput(basis: HoldBasis, held: NanoAmount): number {
  const heldPico =
    basis.rate === null ? held * 1000n : (held * 1000n * FX_SCALE) / basis.rate.scaled;
  const perToken = outputPico(basis, 1n);
  if (perToken === 0n) return basis.outputCap;
  const left = heldPico - inputUpperPico(basis);
  const tokens = left <= 0n ? 0n : left / perToken;
  return tokens > BigInt(basis.outputCap) ? basis.outputCap : Number(tokens);
}

/** Counts for an answer whose upstream gave none: what was sent and what was delivered, by length. */
export function estimateUsage(basis: HoldBasis, outputBytes: number): Usage {
  const media = basis.mediaParts * Number(MAX_TOKENS_PER_MEDIA / 10n);
  return {
    input: Math.ceil(basis.textBytes / LIKELY_BYTES_PER_TOKEN) + media,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: Math.ceil(outputBytes / LIKELY_BYTES_PER_TOKEN),
  };
}

function inputUpperPico(basis: HoldBasis): bigint {
  const text = BigInt(basis.textBytes) / MIN_BYTES_PER_TOKEN + 1n;
  const tokens = text + BigInt(basis.mediaParts) * MAX_TOKENS_PER_MEDIA;
  const { input, cacheWrite5m } = basis.rates;
  return tokens * (input > cacheWrite5m ? input : cacheWrite5m);
}

const outputPico = (basis: HoldBasis, tokens: bigint): bigint =>
  tokens * BigInt(basis.choices) * basis.rates.output;

/** A hold is rounded up, so that the one rounding of the charge can never exceed it. */
function roundUp(pico: bigint, rate: FxRate | null): NanoAmount {
  const [numerator, denominator] =
    rate === null ? [pico, 1000n] : [pico * rate.scaled, 1000n * FX_SCALE];
  return nano((numerator + denominator - 1n) / denominator);
}
