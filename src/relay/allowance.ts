/** How much output a running stream is paid for, raised in steps while it grows, and where it must end. */

import { GatewayError } from '../errors.ts';
import {
  EXPECTED_OUTPUT_TOKENS,
  type HoldBasis,
  sizeExtension,
  USEFUL_OUTPUT_TOKENS,
} from './hold-size.ts';
import type { Consumption, Purchase } from './purchase.ts';

/** Counted against the caller, so that the hold is raised before it is used up. */
const BYTES_PER_TOKEN = 3;
/** Raised when less than this is left: what an upstream may write while the ledger answers. */
const MARGIN_TOKENS = EXPECTED_OUTPUT_TOKENS / 2;
/**
 * No whole answer is this dense: text is four bytes a token, a few tokens are over a hundred spaces, and
 * rounds of tools that the upstream runs itself are at most sixteen answers. More than this for every
 * token of the cap comes from an upstream that heeds no cap, and whom the operator pays for what it writes.
 */
const MOST_BYTES_PER_TOKEN = 64;

export class Allowance {
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
    if (outputBytes > this.#mostBytes) return Promise.resolve(heedless());
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

const heedless = (): GatewayError =>
  new GatewayError(
    'upstream_failed',
    'The provider behind this channel wrote far more than it was asked for, and was stopped.',
  );
