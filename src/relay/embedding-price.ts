/** Prices embeddings by their input tokens. A hold covers the maximum number of tokens. */
import type { Channel, TokenCard } from '../catalogue/catalogue.ts';
import type { NanoAmount } from '../money/amount.ts';
import { FX_SCALE } from '../money/price.ts';
import { NO_USAGE, type Usage } from '../money/usage.ts';
import type { EmbeddingInputs } from '../protocols/embeddings/request.ts';
import type { EmbeddingOffer } from './admission.ts';
import { FRAME_TOKENS } from './input-bound.ts';
import { MAX_ROUNDS } from './outcome.ts';
import { fixedHold, type HoldSize, type Price } from './purchase.ts';
import { roundUp } from './text-price.ts';

export class EmbeddingPrice implements Price<TokenCard> {
  channel: Channel<TokenCard>;
  readonly #offer: EmbeddingOffer;
  readonly #inputs: EmbeddingInputs;
  #passedBytes = 0;

  constructor(offer: EmbeddingOffer, inputs: EmbeddingInputs) {
    this.#offer = offer;
    this.#inputs = inputs;
    this.channel = offer.channels[0];
  }

  /**
   * Makes the hold cover the fields that the gateway does not know but a route sends to its
   * provider. `bytes` is their size. Each byte may add an input token, so the hold covers one token
   * per byte.
   */
  sendAlso(bytes: number): void {
    this.#passedBytes = bytes;
  }

  get firstHold(): HoldSize {
    const { channels } = this.#offer;
    return fixedHold(this.amountOn(this.channel), channels, (each) => this.amountOn(each));
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    const { rate } = this.#offer.payment;
    const perToken = this.channel.card.rates.input;
    const pico = rate === null ? funds * 1000n : (funds * 1000n * FX_SCALE) / rate.scaled;
    const most = BigInt(this.#most);
    const tokens = perToken === 0n ? most : pico / perToken;
    return { affordable_input_tokens: Number(tokens > most ? most : tokens) };
  }

  amountOn({ card }: Channel<TokenCard>): NanoAmount {
    return roundUp(BigInt(this.#most) * card.rates.input, this.#offer.payment.rate);
  }

  sellBy(channel: Channel<TokenCard>): void {
    this.channel = channel;
  }

  /**
   * Returns the usage that is charged.
   * @param reported the provider's count of tokens; null when it reported none.
   */
  usage(reported: number | null): { readonly usage: Usage; readonly estimated: boolean } {
    // A count far above the maximum must be a fault of the provider, so the count is estimated
    // instead.
    const known = reported !== null && reported <= MAX_ROUNDS * this.#most ? reported : null;
    const usage = { ...NO_USAGE, input: known ?? this.#inputs.likely };
    return { usage, estimated: known === null };
  }

  get #most(): number {
    const { most, count } = this.#inputs;
    // Providers refuse or truncate an input that is longer than the context window.
    const atMost = count * this.#offer.model.contextWindow;
    return Math.min(most + FRAME_TOKENS, atMost) + this.#passedBytes;
  }
}
