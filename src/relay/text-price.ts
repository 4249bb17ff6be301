/** Prices a text request without a tokenizer, which would block all streams for a second. */
import type { Channel, ChatModel, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import { highestPrice } from '../money/highest-price.ts';
import { FX_SCALE, type FxRate, type Rates } from '../money/price.ts';
import { type Bucket, bucketsOf, NO_USAGE, type Usage } from '../money/usage.ts';
import type { RequestExtras } from '../protocols/inputs/request-extras.ts';
import type { RequestSize } from '../protocols/inputs/request-size.ts';
import type { ChatOffer, TextRequest } from './admission.ts';
import {
  type InputBound,
  type InputLimits,
  inputBound,
  LIKELY_BYTES_PER_TOKEN,
  likelyInput,
  toolBound,
  withKnownImages,
} from './input-bound.ts';
import type { Funds, HoldSize, Metering, Price, Purchase } from './purchase.ts';

/** Output tokens per choice that a stream's first hold pays for. The hold grows for more. */
export const EXPECTED_OUTPUT_TOKENS = 4096;
/** A request that cannot afford this many output tokens is refused rather than truncated. */
export const USEFUL_OUTPUT_TOKENS = 256;

/** Usage buckets for cached input. A read may cost more than input, as where it is not sold. */
const CACHE_BUCKETS = [...bucketsOf('cache_read'), ...bucketsOf('cache_write')];
const TEXT_BUCKETS: readonly Bucket[] = ['input', ...CACHE_BUCKETS];
const MEDIA_BUCKETS: readonly Bucket[] = [...bucketsOf('input'), ...CACHE_BUCKETS];
const OUTPUT_BUCKETS = bucketsOf('output');

export type HoldBasis = Pick<TextRequest, 'choices' | 'thinkingTokens' | 'oneHourCache'> &
  CardBasis & {
    readonly input: InputBound;
    /** The input tokens that are charged when the upstream reports none. */
    readonly likelyInput: number;
    /** Billed output tokens outside the choices: rejected predictions, a compaction's summary. */
    readonly predictedTokens: number;
    readonly extras: RequestExtras;
    /** The maximum output tokens per choice: the caller's limit, or the model's. */
    readonly outputCap: number;
    /** The exchange rate from card currency to settlement currency; null if they are the same. */
    readonly rate: FxRate | null;
  };

/** The values by which a hold is sized and that depend on the channel's price card. */
type CardBasis = {
  /** The highest rates that may apply. */
  readonly rates: Rates;
  /** Input tokens that the provider's tools and a compaction may add. */
  readonly toolTokens: number;
  readonly feesPico: bigint;
};

/** Returns the values by which a hold is sized, priced by the card of the requested channel. */
export function holdBasis(
  request: TextRequest,
  size: RequestSize,
  { model, channels, payment }: ChatOffer,
): HoldBasis {
  const { choices, thinkingTokens, oneHourCache, extras } = request;
  const outputCap = request.maxOutputTokens ?? model.maxOutput;
  const summaryTokens = extras.compacts ? Math.max(outputCap, EXPECTED_OUTPUT_TOKENS) : 0;
  const limits = size.media.length === 0 ? model : knownBounds(model, channels);
  const input = inputBound(size, extras.addedTokens, limits);
  const card = cardBasis({ extras, input }, channels[0].card);
  return {
    choices,
    thinkingTokens,
    oneHourCache,
    extras,
    input,
    rates: card.rates,
    toolTokens: card.toolTokens,
    feesPico: card.feesPico,
    likelyInput: likelyInput(size),
    predictedTokens: size.predictedBytes + summaryTokens,
    outputCap,
    rate: payment.rate,
  };
}

/** Returns a model's limits on input tokens. Those of images depend on the routes' models. */
function knownBounds(
  { bounds, contextWindow }: ChatModel,
  channels: ChatOffer['channels'],
): InputLimits {
  const isUnscaled = channels.some(({ card }) =>
    card.terms.admits.imageDetail.some((detail) => detail === 'auto' || detail === 'original'),
  );
  const limits = { bounds, contextWindow, isUnscaled };
  return withKnownImages(
    limits,
    channels.flatMap(({ routes }) => routes),
  );
}

function cardBasis(
  { extras, input }: Pick<HoldBasis, 'extras' | 'input'>,
  { terms }: TokenCard,
): CardBasis {
  const { requested, serverTools, compacts } = extras;
  const { uses, tokens } = toolBound(serverTools, input, terms.limits);
  const prompt = Math.min(input.text + input.media, input.atMost);
  // A compaction, which summarizes the prompt, reads the prompt once more.
  const toolTokens = tokens + (compacts ? prompt : 0);
  const promptTokens = prompt + toolTokens;
  const { rates, feesPico } = highestPrice(terms, { requested, promptTokens, uses });
  return { rates, toolTokens, feesPico };
}

type ExpectedHold = Omit<HoldSize, 'worstCase'>;

/** Returns the highest price of a full context window, all output and all fees on any channel. */
export function worstCase(
  basis: HoldBasis,
  { model, channels }: Pick<ChatOffer, 'model' | 'channels'>,
): NanoAmount {
  const { outputCap, choices, predictedTokens, extras, rate } = basis;
  const input = { text: model.contextWindow, media: 0, atMost: model.contextWindow };
  const output = BigInt(outputCap * choices + predictedTokens);
  let most = 0n;
  for (const { card } of channels) {
    const { rates: asked, toolTokens, feesPico } = cardBasis({ extras, input }, card);
    const read = BigInt(model.contextWindow + toolTokens);
    most = higher(most, read, output, asked, feesPico);
    for (const { rates } of card.terms.rows)
      if (rates !== null && rates !== asked) most = higher(most, read, output, rates, feesPico);
  }
  return roundUp(most, rate);
}

/** Returns the price of these tokens at the highest of `rates`, with fees; `most` if higher. */
function higher(
  most: bigint,
  read: bigint,
  output: bigint,
  rates: Rates,
  feesPico: bigint,
): bigint {
  const { anyInput, anyOutput } = highestOf(rates);
  const pico = read * anyInput + output * anyOutput + feesPico;
  return pico > most ? pico : most;
}

/** The highest rates in one table of rates, by kind of tokens, in pico-units per token. */
type HighestRates = {
  /** The highest rate for input text, cached or not, unless it is cached for one hour. */
  readonly text: bigint;
  /** The highest rate for input text, including text that is cached for one hour. */
  readonly textForAnHour: bigint;
  /** The highest rate for input media, cached or not, unless they are cached for one hour. */
  readonly media: bigint;
  /** The highest rate for any input, text or media, cached for one hour or not. */
  readonly anyInput: bigint;
  /** The highest rate for any output. Reasoning and images may cost more than text. */
  readonly anyOutput: bigint;
};

/** The highest rates of each table of rates, cached because requests share these tables. */
const highestRates = new WeakMap<Rates, HighestRates>();

function highestOf(rates: Rates): HighestRates {
  let known = highestRates.get(rates);
  if (known === undefined) {
    known = {
      text: highest(rates, TEXT_BUCKETS.filter(isShort)),
      textForAnHour: highest(rates, TEXT_BUCKETS),
      media: highest(rates, MEDIA_BUCKETS.filter(isShort)),
      anyInput: highest(rates, MEDIA_BUCKETS),
      anyOutput: highest(rates, OUTPUT_BUCKETS),
    };
    highestRates.set(rates, known);
  }
  return known;
}

const isShort = (bucket: Bucket): boolean => bucket !== 'cacheWrite1h';

function highest(rates: Rates, buckets: readonly Bucket[]): bigint {
  let most = 0n;
  for (const bucket of buckets) if (rates[bucket] > most) most = rates[bucket];
  return most;
}

/** Sizes a hold for the input and `outputTokens` per choice. Its minimum pays for less output. */
export function sizeHold(basis: HoldBasis, outputTokens: number): ExpectedHold {
  const useful = Math.min(basis.outputCap, USEFUL_OUTPUT_TOKENS + basis.thinkingTokens);
  const expected = Math.max(useful, Math.min(basis.outputCap, outputTokens));
  const input = inputUpperPico(basis);
  const amount = roundUp(input + outputPico(basis, expected), basis.rate);
  if (expected === useful) return { amount, atLeast: amount };
  return { amount, atLeast: roundUp(input + outputPico(basis, useful), basis.rate) };
}

/** Returns the amount that pays for this many more output tokens per choice. */
export const sizeExtension = (basis: HoldBasis, outputTokens: number): NanoAmount =>
  roundUp(outputPico(basis, outputTokens), basis.rate);

/** Returns the output tokens per choice that these funds pay for, at most the cap on output. */
export function affordableOutput(basis: HoldBasis, funds: NanoAmount): number {
  const fundsPico =
    basis.rate === null ? funds * 1000n : (funds * 1000n * FX_SCALE) / basis.rate.scaled;
  const perToken = outputPico(basis, 1);
  if (perToken === 0n) return basis.outputCap;
  const left = fundsPico - inputUpperPico(basis);
  const tokens = left <= 0n ? 0n : left / perToken;
  return tokens > BigInt(basis.outputCap) ? basis.outputCap : Number(tokens);
}

/** Estimates usage by length, for an answer whose upstream reported no usage. */
export function estimateUsage(basis: HoldBasis, outputBytes: number): Usage {
  return {
    ...NO_USAGE,
    input: basis.likelyInput,
    output: Math.ceil(outputBytes / LIKELY_BYTES_PER_TOKEN),
  };
}

/** Returns the maximum price of the input. Counts media first, then text up to the token limit. */
function inputUpperPico(basis: HoldBasis): bigint {
  const { text, media, atMost } = basis.input;
  const ofMedia = Math.min(media, atMost);
  const ofText = Math.min(text, atMost - ofMedia);
  const rates = highestOf(basis.rates);
  const textRate = basis.oneHourCache ? rates.textForAnHour : rates.text;
  const pico = BigInt(ofText + basis.toolTokens) * textRate + basis.feesPico;
  const predicted =
    basis.predictedTokens === 0 ? 0n : BigInt(basis.predictedTokens) * rates.anyOutput;
  const mediaRate = basis.oneHourCache ? rates.anyInput : rates.media;
  return pico + predicted + (ofMedia === 0 ? 0n : BigInt(ofMedia) * mediaRate);
}

/** Multiplies as numbers: faster than bigints, and exact for 1e8 tokens times 128 choices. */
const outputPico = ({ rates, choices }: HoldBasis, tokens: number): bigint =>
  BigInt(tokens * choices) * highestOf(rates).anyOutput;

/** Converts pico-units to settlement currency. Rounds up so that no charge exceeds the hold. */
export function roundUp(pico: bigint, rate: FxRate | null): NanoAmount {
  return rate === null
    ? nano((pico + 999n) / 1000n)
    : nano((pico * rate.scaled + CONVERTED - 1n) / CONVERTED);
}

/** The divisor that converts pico-units times `FxRate.scaled` to nano-units. */
const CONVERTED = 1000n * FX_SCALE;

export type TextPriceTerms = {
  /** The requested channel, for which the first hold is sized. */
  readonly channel: Channel<TokenCard>;
  readonly basis: HoldBasis;
  /** Whether the output can be counted while it streams, so that the hold can grow with it. */
  readonly isWatched: boolean;
  readonly worstCase: NanoAmount;
};

export class TextPrice implements Price<TokenCard> {
  channel: Channel<TokenCard>;
  basis: HoldBasis;
  /** The output limit that the hold pays for, if below the caller's own limit; otherwise null. */
  clampedOutput: number | null = null;
  readonly #worstCase: NanoAmount;
  #isWatched: boolean;
  /** The amount that pays for all output on the requested channel; null until it is known. */
  #wholeAmount: NanoAmount | null = null;

  constructor({ channel, basis, isWatched, worstCase }: TextPriceTerms) {
    this.#isWatched = isWatched;
    this.#worstCase = worstCase;
    this.channel = channel;
    this.basis = basis;
  }

  /** Makes the hold pay for all output from the start: some servers bill it after an abort. */
  holdWhole(): void {
    this.#isWatched = false;
  }

  get firstHold(): HoldSize {
    const expected = this.#expectedOutput(this.basis);
    const { amount, atLeast } = sizeHold(this.basis, expected);
    if (expected >= this.basis.outputCap) this.#wholeAmount = amount;
    return { amount, atLeast, worstCase: this.#worstCase };
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    return { affordable_max_tokens: affordableOutput(this.basis, funds) };
  }

  /** Returns the amount to hold on this channel. It pays for less output if the wallet has less. */
  amountOn(channel: Channel<TokenCard>, { held, available }: Funds): NanoAmount {
    const basis = { ...this.basis, ...cardBasis(this.basis, channel.card) };
    const affordable = affordableOutput(basis, nano(held + available));
    return sizeHold(basis, Math.min(this.#expectedOutput(basis), affordable)).amount;
  }

  sellBy(channel: Channel<TokenCard>, funds: Funds): void {
    if (channel !== this.channel) {
      this.#wholeAmount = null;
      this.channel = channel;
      this.basis = { ...this.basis, ...cardBasis(this.basis, channel.card) };
    }
    this.clampedOutput = this.#clamp(funds);
  }

  /** Returns the budget that extends the hold as the output grows. */
  budget(purchase: Purchase, metering: Metering): OutputBudget {
    const basis =
      this.clampedOutput === null ? this.basis : { ...this.basis, outputCap: this.clampedOutput };
    const paidTokens = affordableOutput(basis, purchase.held);
    return new OutputBudget(purchase, basis, paidTokens, metering);
  }

  #expectedOutput({ outputCap }: HoldBasis): number {
    return this.#isWatched ? EXPECTED_OUTPUT_TOKENS : outputCap;
  }

  /**
   * Returns the output tokens that the caller can pay for; null if that covers the request's output
   * limit. If the output is counted while it streams, its hold can be extended. Then the available
   * balance counts as well as the hold, unless a spending limit has already reduced the hold.
   */
  #clamp({ held, available }: Funds): number | null {
    const basis = this.basis;
    if (this.#wholeAmount !== null && held >= this.#wholeAmount) return null;
    const canGrow = this.#isWatched && held >= sizeHold(basis, this.#expectedOutput(basis)).amount;
    const affordable = affordableOutput(basis, canGrow ? nano(held + available) : held);
    return affordable < basis.outputCap ? affordable : null;
  }
}

/** Assumed bytes of output per token: below the average, so that the hold is extended in time. */
const BYTES_PER_TOKEN = 3;
/** The hold is extended as soon as fewer paid tokens than this remain. */
const MARGIN_TOKENS = EXPECTED_OUTPUT_TOKENS / 2;
/** Maximum output bytes per token of the cap: four bytes of text, times 16 rounds of tool calls. */
const MOST_BYTES_PER_TOKEN = 64;

/** Tracks how much of a stream's output the hold covers, and extends the hold up to the cap. */
export class OutputBudget {
  readonly #purchase: Purchase;
  readonly #basis: HoldBasis;
  /** The maximum output tokens of all choices together. */
  readonly #cap: number;
  readonly #mostBytes: number;
  readonly #metering: Metering;
  #paidTokens: number;

  /** @param paidTokens the tokens per choice that the first hold pays for. */
  constructor(purchase: Purchase, basis: HoldBasis, paidTokens: number, metering: Metering) {
    this.#purchase = purchase;
    this.#basis = basis;
    this.#metering = metering;
    this.#cap = basis.outputCap * basis.choices;
    // A short answer may consist of long tokens only, so the limit has a minimum.
    this.#mostBytes = Math.max(this.#cap, USEFUL_OUTPUT_TOKENS) * MOST_BYTES_PER_TOKEN;
    this.#paidTokens = paidTokens * basis.choices;
  }

  /**
   * Extends the hold if little of it is left. Returns null, or the error that ends the stream:
   * `upstream_failed` for excessive output, or the refusal of the extension. Returns synchronously
   * if the ledger answers synchronously.
   */
  check(outputBytes: number): Promise<GatewayError | null> | GatewayError | null {
    if (outputBytes > this.#mostBytes) return limitless();
    if (this.#paidTokens >= this.#cap) return null;
    if (outputBytes / BYTES_PER_TOKEN < this.#paidTokens - MARGIN_TOKENS) return null;
    const left = this.#cap - this.#paidTokens;
    return this.#raise(Math.min(EXPECTED_OUTPUT_TOKENS * this.#basis.choices, left));
  }

  /**
   * Extends the hold to cover the reported output tokens, which may exceed the estimate. Returns
   * null if the hold covers them, or the refusal of the extension.
   */
  cover(outputTokens: number): Promise<GatewayError | null> | GatewayError | null {
    const missing = Math.min(outputTokens, this.#cap) - this.#paidTokens;
    return missing <= 0 ? null : this.#raise(missing);
  }

  #raise(tokens: number): Promise<GatewayError | null> | GatewayError | null {
    const { choices } = this.#basis;
    const step = Math.ceil(tokens / choices);
    const raised = (refused: GatewayError | null): GatewayError | null => {
      if (refused === null) this.#paidTokens += step * choices;
      return refused;
    };
    const refused = this.#purchase.extend(sizeExtension(this.#basis, step), this.#metering.soFar());
    return refused instanceof Promise ? refused.then(raised) : raised(refused);
  }
}

const limitless = (): GatewayError =>
  new GatewayError(
    'upstream_failed',
    'The provider wrote far more than the request allows and was stopped.',
  );
