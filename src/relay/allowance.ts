/** How much output a running stream is paid for, raised in steps while it grows. */
import { EXPECTED_OUTPUT_TOKENS, type HoldBasis, sizeExtension } from './hold-size.ts';
import type { Purchase } from './purchase.ts';

/** Counted against the caller, so that the hold is raised before it is used up. */
const BYTES_PER_TOKEN = 3;
/** Raised when less than this is left: what an upstream may write while the ledger answers. */
const MARGIN_TOKENS = EXPECTED_OUTPUT_TOKENS / 2;

export class Allowance {
  readonly #purchase: Purchase;
  readonly #basis: HoldBasis;
  /** Tokens over all choices. */
  readonly #cap: number;
  #paidTokens: number;

  /** @param paidTokens of each choice that the first hold pays for. */
  constructor(purchase: Purchase, basis: HoldBasis, paidTokens: number) {
    this.#purchase = purchase;
    this.#basis = basis;
    this.#cap = basis.outputCap * basis.choices;
    this.#paidTokens = paidTokens * basis.choices;
  }

  /**
   * @param outputBytes written so far.
   * @returns null while enough is held; else whether more could be.
   */
  check(outputBytes: number): Promise<boolean> | null {
    if (this.#paidTokens >= this.#cap) return null;
    if (outputBytes / BYTES_PER_TOKEN < this.#paidTokens - MARGIN_TOKENS) return null;
    return this.#raise();
  }

  async #raise(): Promise<boolean> {
    const { choices } = this.#basis;
    const left = Math.ceil((this.#cap - this.#paidTokens) / choices);
    const step = Math.min(EXPECTED_OUTPUT_TOKENS, left);
    if (!(await this.#purchase.extend(sizeExtension(this.#basis, step)))) return false;
    this.#paidTokens += step * choices;
    return true;
  }
}
