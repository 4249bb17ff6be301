/** The price of a text request: its card, its hold, and how much output the hold pays for. */
import type { Channel, ChatCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import {
  affordableOutput,
  EXPECTED_OUTPUT_TOKENS,
  type HoldBasis,
  type HoldSize,
  sizeExtension,
  sizeHold,
  USEFUL_OUTPUT_TOKENS,
} from './hold-size.ts';
import type { Consumption, Funds, Price, Purchase } from './purchase.ts';

export type TextPriceTerms = {
  /** The requested channel. The first hold is sized for it. */
  readonly channel: Channel<ChatCard>;
  readonly basis: HoldBasis;
  /** Whether the output can be counted while it streams, so that the hold can grow with it. */
  readonly isWatched: boolean;
};

export class TextPrice implements Price<ChatCard> {
  readonly #isWatched: boolean;
  #channel: Channel<ChatCard>;
  #basis: HoldBasis;
  #clampedOutput: number | null = null;

  constructor({ channel, basis, isWatched }: TextPriceTerms) {
    this.#isWatched = isWatched;
    this.#channel = channel;
    this.#basis = basis;
  }

  get channel(): Channel<ChatCard> {
    return this.#channel;
  }

  get basis(): HoldBasis {
    return this.#basis;
  }

  /** The output tokens that the hold pays for, when fewer than the caller's cap; else null. */
  get clampedOutput(): number | null {
    return this.#clampedOutput;
  }

  get firstHold(): HoldSize {
    return sizeHold(this.#basis, this.#expectedOutput(this.#basis));
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    return { affordable_max_tokens: affordableOutput(this.#basis, funds) };
  }

  /** Capped to what the wallet has, as for a request that names this channel. */
  amountOn(channel: Channel<ChatCard>, { held, available }: Funds): NanoAmount {
    const basis = { ...this.#basis, rates: channel.card.rates };
    const affordable = affordableOutput(basis, nano(held + available));
    return sizeHold(basis, Math.min(this.#expectedOutput(basis), affordable)).amount;
  }

  sellBy(channel: Channel<ChatCard>, funds: Funds): void {
    if (channel !== this.#channel) {
      this.#channel = channel;
      this.#basis = { ...this.#basis, rates: channel.card.rates };
    }
    this.#clampedOutput = this.#clamp(funds);
  }

  /** How much output may be written before the hold must grow. */
  budget(purchase: Purchase, soFar: () => Consumption): OutputBudget {
    const basis = { ...this.#basis, outputCap: this.#clampedOutput ?? this.#basis.outputCap };
    const paidTokens = affordableOutput(basis, purchase.held);
    return new OutputBudget(purchase, basis, paidTokens, soFar);
  }

  #expectedOutput({ outputCap }: HoldBasis): number {
    return this.#isWatched ? EXPECTED_OUTPUT_TOKENS : outputCap;
  }

  /** Countable output may draw on the rest of the wallet while it streams. */
  #clamp({ held, available }: Funds): number | null {
    const basis = this.#basis;
    const affordable = affordableOutput(basis, this.#isWatched ? nano(held + available) : held);
    return affordable < basis.outputCap ? affordable : null;
  }
}

/** Fewer than usual, so that the hold is extended before it is used up. */
const BYTES_PER_TOKEN = 3;
/**
 * The hold is extended when less than this is left: the upstream goes on while the ledger answers.
 */
const MARGIN_TOKENS = EXPECTED_OUTPUT_TOKENS / 2;
/**
 * No answer within its cap has more bytes per token: text has about four, a few tokens are over a
 * hundred spaces, and rounds of tools are at most sixteen answers. An upstream that writes more
 * ignores the cap, and the operator pays for it.
 */
const MOST_BYTES_PER_TOKEN = 64;

/** How much output of a stream is paid for. Grows in steps, up to the caller's cap. */
export class OutputBudget {
  readonly #purchase: Purchase;
  readonly #basis: HoldBasis;
  /** Tokens over all choices. */
  readonly #cap: number;
  readonly #mostBytes: number;
  readonly #soFar: () => Consumption;
  #paidTokens: number;

  /**
   * @param paidTokens per choice that the first hold pays for.
   * @param soFar returns the usage up to now.
   */
  constructor(purchase: Purchase, basis: HoldBasis, paidTokens: number, soFar: () => Consumption) {
    this.#purchase = purchase;
    this.#basis = basis;
    this.#soFar = soFar;
    this.#cap = basis.outputCap * basis.choices;
    // A short answer may consist of long tokens only.
    this.#mostBytes = Math.max(this.#cap, USEFUL_OUTPUT_TOKENS) * MOST_BYTES_PER_TOKEN;
    this.#paidTokens = paidTokens * basis.choices;
  }

  /**
   * @param outputBytes written so far.
   * @returns null while enough is held; else a promise of null when the hold was extended, or of
   *   the error that ends the stream: `upstream_failed` beyond any cap, or the refusal of
   *   `Purchase.extend`.
   */
  check(outputBytes: number): Promise<GatewayError | null> | null {
    if (outputBytes > this.#mostBytes) return Promise.resolve(limitless());
    if (this.#paidTokens >= this.#cap) return null;
    if (outputBytes / BYTES_PER_TOKEN < this.#paidTokens - MARGIN_TOKENS) return null;
    return this.#raise();
  }

  async #raise(): Promise<GatewayError | null> {
    const { choices } = this.#basis;
    const left = Math.ceil((this.#cap - this.#paidTokens) / choices);
    const step = Math.min(EXPECTED_OUTPUT_TOKENS, left);
    const refused = await this.#purchase.extend(sizeExtension(this.#basis, step), this.#soFar());
    if (refused === null) this.#paidTokens += step * choices;
    return refused;
  }
}

const limitless = (): GatewayError =>
  new GatewayError(
    'upstream_failed',
    'The provider wrote far more than the request allows and was stopped.',
  );
