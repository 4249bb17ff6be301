/** The money side of a text request while it looks for a route: which card it is sold by, and how much of it. */
import type { Channel, ChatCard } from '../catalogue/catalogue.ts';
import { nano } from '../money/amount.ts';
import { Allowance } from './allowance.ts';
import { tooDear } from './hold-refusal.ts';
import { affordableOutput, EXPECTED_OUTPUT_TOKENS, type HoldBasis, sizeHold } from './hold-size.ts';
import type { Consumption, Purchase } from './purchase.ts';

export type TextPurchaseTerms = {
  readonly purchase: Purchase;
  /** The channel that the hold was sized for. */
  readonly channel: Channel<ChatCard>;
  readonly basis: HoldBasis;
  /** Whether the output can be counted while it runs, so that the hold may grow with it. */
  readonly isWatched: boolean;
};

export class TextPurchase {
  readonly purchase: Purchase;
  readonly #isWatched: boolean;
  #channel: Channel<ChatCard>;
  #basis: HoldBasis;
  #clampedOutput: number | null;

  constructor({ purchase, channel, basis, isWatched }: TextPurchaseTerms) {
    this.purchase = purchase;
    this.#isWatched = isWatched;
    this.#channel = channel;
    this.#basis = basis;
    this.#clampedOutput = this.#clamp(basis);
  }

  /** Its card is charged. */
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

  /**
   * Sells by another channel's card from here on. The one hold is raised to what that may cost.
   * @param soFar what the request has come to, which is charged if this process dies.
   * @throws GatewayError when the wallet or a cap does not allow it; the channel stays as it was.
   */
  async moveTo(channel: Channel<ChatCard>, soFar: () => Consumption): Promise<void> {
    if (channel === this.#channel) return;
    const basis = { ...this.#basis, rates: channel.card.rates };
    const { held, available } = this.purchase;
    // As much as the wallet has will do, as it would have for a request that began here.
    const affordable = affordableOutput(basis, nano(held + available));
    const expected = this.#isWatched ? EXPECTED_OUTPUT_TOKENS : basis.outputCap;
    const { amount } = sizeHold(basis, Math.min(expected, affordable));
    if (amount > held) {
      const refused = await this.purchase.extend(nano(amount - held), soFar());
      if (refused !== null) throw tooDear(refused, channel.name);
    }
    this.#channel = channel;
    this.#basis = basis;
    this.#clampedOutput = this.#clamp(basis);
  }

  /** How much output may come before more has to be held. */
  allowance(soFar: () => Consumption): Allowance {
    const basis = { ...this.#basis, outputCap: this.#clampedOutput ?? this.#basis.outputCap };
    const paidTokens = affordableOutput(basis, this.purchase.held);
    return new Allowance(this.purchase, basis, paidTokens, soFar);
  }

  /** What is watched can draw on the rest of the wallet while it runs; what is not cannot. */
  #clamp(basis: HoldBasis): number | null {
    const { held, available } = this.purchase;
    const affordable = affordableOutput(basis, this.#isWatched ? nano(held + available) : held);
    return affordable < basis.outputCap ? affordable : null;
  }
}
