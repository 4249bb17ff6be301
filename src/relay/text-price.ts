/** What a text request is sold for: which card, how much is held, and how much output that pays for. */
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
  /** The channel that the first hold is sized for. */
  readonly channel: Channel<ChatCard>;
  readonly basis: HoldBasis;
  /** Whether the output can be counted while it runs, so that the hold may grow with it. */
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

  /** Output tokens the hold pays for, when fewer than the caller may have expected; else null. */
  get clampedOutput(): number | null {
    return this.#clampedOutput;
  }

  get firstHold(): HoldSize {
    return sizeHold(this.#basis, this.#expectedOutput(this.#basis));
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    return { affordable_max_tokens: affordableOutput(this.#basis, funds) };
  }

  /** As much as the wallet has will do, as it would have for a request that began here. */
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

  /** How much output may come before more has to be held. */
  budget(purchase: Purchase, soFar: () => Consumption): OutputBudget {
    const basis = { ...this.#basis, outputCap: this.#clampedOutput ?? this.#basis.outputCap };
    const paidTokens = affordableOutput(basis, purchase.held);
    return new OutputBudget(purchase, basis, paidTokens, soFar);
  }

  #expectedOutput({ outputCap }: HoldBasis): number {
    return this.#isWatched ? EXPECTED_OUTPUT_TOKENS : outputCap;
  }

  /** What is watched can draw on the rest of the wallet while it runs; what is not cannot. */
  #clamp({ held, available }: Funds): number | null {
    const basis = this.#basis;
    const affordable = affordableOutput(basis, this.#isWatched ? nano(held + available) : held);
    return affordable < basis.outputCap ? affordable : null;
  }
}

/** Counted against the caller, so that the hold is raised before it is used up. */
const BYTES_PER_TOKEN = 3;
/** Raised when less than this is left: what an upstream may write while the ledger answers. */
const MARGIN_TOKENS = EXPECTED_OUTPUT_TOKENS / 2;
/**
 * No whole answer is this dense: text is four bytes a token, a few tokens are over a hundred spaces, and
 * rounds of tools that the upstream runs itself are at most sixteen answers. More than this for every
 * token of the cap comes from an upstream that honors no cap, and whom the operator pays for what it writes.
 */
const MOST_BYTES_PER_TOKEN = 64;

/** How much output a running stream is paid for, raised in steps while it grows, and where it must end. */
export class OutputBudget {
  readonly #purchase: Purchase;
  readonly #basis: HoldBasis;
  /** Tokens over all choices. */
  readonly #cap: number;
  readonly #mostBytes: number;
  readonly #soFar: () => Consumption;
  #paidTokens: number;

  /**
   * @param paidTokens of each choice that the first hold pays for.
   * @param soFar what the request has come to when it is asked.
   */
  constructor(purchase: Purchase, basis: HoldBasis, paidTokens: number, soFar: () => Consumption) {
    this.#purchase = purchase;
    this.#basis = basis;
    this.#soFar = soFar;
    this.#cap = basis.outputCap * basis.choices;
    // A short answer may be all long tokens.
    this.#mostBytes = Math.max(this.#cap, USEFUL_OUTPUT_TOKENS) * MOST_BYTES_PER_TOKEN;
    this.#paidTokens = paidTokens * basis.choices;
  }

  /**
   * @param outputBytes written so far.
   * @returns null while enough is held; else, once it is known, why the stream cannot go on, null if it can:
   *   `upstream_failed` when it is beyond any cap, and what `Purchase.extend` says.
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
    'The provider behind this channel wrote far more than it was asked for, and was stopped.',
  );
