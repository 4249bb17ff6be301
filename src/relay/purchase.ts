/**
 * One request as a purchase: money is held before any upstream is called and settled once after it,
 * whatever happened in between.
 */
import type { Caller } from '../accounts/accounts.ts';
import type { Card } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Applied, Ledger, Outcome, Receipt } from '../ledger/ledger.ts';
import {
  type Currency,
  formatAmount,
  formatDecimal,
  type NanoAmount,
  ZERO,
} from '../money/amount.ts';
import { type FxRate, settleAmount } from '../money/price.ts';
import type { CostFields } from '../protocols/dialect.ts';

/** A hold outlives any request that could still be running; past it, only a crash explains it. */
const HOLD_LIFETIME_MS = 2 * 60 * 60 * 1000;
const SETTLE_TRIES = 5;
const SETTLE_RETRY_MS = 200;

export type PurchaseTerms = {
  readonly requestId: string;
  readonly caller: Caller;
  readonly card: Pick<Card, 'id'>;
  /** The wallet that pays. */
  readonly currency: Currency;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
  /** Other wallet's currency to the settlement currency, for a wallet that is short. */
  readonly exchange: FxRate | null;
  readonly amount: NanoAmount;
  readonly atLeast: NanoAmount;
};

/** What the request came to; the purchase adds who, what and for how much. */
export type Consumption = Pick<
  Receipt,
  | 'endpoint'
  | 'model'
  | 'channelRequested'
  | 'channel'
  | 'upstream'
  | 'upstreamModel'
  | 'usage'
  | 'images'
  | 'costPico'
  | 'estimated'
  | 'streamed'
  | 'outcome'
  | 'errorCode'
  | 'finishReason'
  | 'startedAtMs'
  | 'firstByteMs'
  | 'durationMs'
  | 'attempts'
>;

export type Settled = {
  readonly receipt: Receipt;
  readonly charge: NanoAmount;
  readonly loss: NanoAmount;
  readonly cost: CostFields;
};

export type PurchaseDeps = {
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly clock: Clock;
  /** This process's life, by which a later one knows which holds were orphaned. */
  readonly epoch: string;
  readonly onSettled: (settled: Settled) => void;
  readonly onSettleFailed: (receipt: Receipt, charge: NanoAmount, thrown: unknown) => void;
};

export class Purchase {
  readonly terms: PurchaseTerms;
  /** What the wallet could still afford when the hold was made. */
  readonly available: NanoAmount;
  #held: NanoAmount;
  #extensions = 0;
  readonly #deps: PurchaseDeps;
  #settling: Promise<Settled> | null = null;

  private constructor(deps: PurchaseDeps, terms: PurchaseTerms, hold: Applied) {
    this.#deps = deps;
    this.terms = terms;
    this.#held = hold.amount;
    this.available = hold.available;
  }

  /** What the wallet has set aside: at first between `atLeast` and `amount`, then what was added. */
  get held(): NanoAmount {
    return this.#held;
  }

  /**
   * Holds the money.
   * @throws GatewayError `insufficient_balance`, `invalid_api_key`, `not_allowed`, `store_unavailable`.
   */
  static async begin(deps: PurchaseDeps, terms: PurchaseTerms): Promise<Purchase> {
    const atMs = deps.clock.nowMs();
    const [outcome] = await deps.ledger.apply([
      {
        kind: 'hold',
        id: terms.requestId,
        accountId: terms.caller.accountId,
        keyId: terms.caller.keyId,
        currency: terms.currency,
        amount: terms.amount,
        atLeast: terms.atLeast,
        exchange: terms.caller.allowExchange ? terms.exchange : null,
        epoch: deps.epoch,
        atMs,
        expiresAtMs: atMs + HOLD_LIFETIME_MS,
      },
    ]);
    if (outcome?.status === 'applied') return new Purchase(deps, terms, outcome.result);
    throw refusal(outcome, terms);
  }

  /**
   * Holds more, all or nothing.
   * @returns false when the wallet, the key or the account no longer allows it.
   * @throws GatewayError `store_unavailable`.
   */
  async extend(amount: NanoAmount): Promise<boolean> {
    this.#extensions += 1;
    const [outcome] = await this.#deps.ledger.apply([
      {
        kind: 'extend',
        id: `${this.terms.requestId}/${this.#extensions}`,
        holdId: this.terms.requestId,
        amount,
        atMs: this.#deps.clock.nowMs(),
      },
    ]);
    if (outcome?.status !== 'applied') return false;
    this.#held = outcome.result.amount;
    return true;
  }

  /**
   * Settles once; a second call gets the first one's result. Charges what was consumed, and an estimate
   * never above the hold.
   * @throws GatewayError `store_unavailable` when the books could not be written; the receipt has then
   *   been handed to `onSettleFailed`.
   */
  settle(consumption: Consumption): Promise<Settled> {
    this.#settling ??= this.#settle(consumption);
    return this.#settling;
  }

  async #settle(consumption: Consumption): Promise<Settled> {
    const { terms } = this;
    const price = settleAmount(consumption.costPico, terms.rate);
    const charge = consumption.estimated && price > this.held ? this.held : price;
    const receipt: Receipt = {
      ...consumption,
      requestId: terms.requestId,
      accountId: terms.caller.accountId,
      keyId: terms.caller.keyId,
      cardId: terms.card.id,
      fxRateId: terms.rate?.id ?? null,
      currency: terms.currency,
    };
    const taken = await this.#write(receipt, charge);
    const settled: Settled = {
      receipt,
      charge: taken.charge,
      loss: taken.loss,
      cost: {
        usd: formatDecimal(consumption.costPico, 12, 0),
        exact: formatAmount(taken.charge),
        currency: terms.currency,
      },
    };
    this.#deps.onSettled(settled);
    return settled;
  }

  async #write(
    receipt: Receipt,
    charge: NanoAmount,
  ): Promise<{ charge: NanoAmount; loss: NanoAmount }> {
    const { ledger, clock } = this.#deps;
    for (let tries = 1; ; tries++) {
      try {
        const [outcome] = await ledger.apply([
          { kind: 'settle', id: receipt.requestId, charge, receipt, atMs: clock.nowMs() },
        ]);
        if (outcome?.status === 'applied' || outcome?.status === 'already_applied') {
          return { charge: outcome.result.amount, loss: outcome.result.loss };
        }
        throw new Error(`the ledger refused a settlement: ${outcome?.status ?? 'no outcome'}`);
      } catch (thrown) {
        const again = thrown instanceof GatewayError && thrown.code === 'store_unavailable';
        if (!again || tries >= SETTLE_TRIES) {
          this.#deps.onSettleFailed(receipt, charge, thrown);
          throw thrown;
        }
        await clock.sleep(SETTLE_RETRY_MS * tries);
      }
    }
  }
}

function refusal(outcome: Outcome | undefined, terms: PurchaseTerms): GatewayError {
  switch (outcome?.status) {
    case 'balance_too_low': {
      const available = outcome.available < ZERO ? ZERO : outcome.available;
      return new GatewayError(
        'insufficient_balance',
        `The ${terms.currency} wallet cannot afford this request: it needs at least ${formatAmount(terms.atLeast)} ${terms.currency} and ${formatAmount(available)} ${terms.currency} is available. Top up in the console, or ask for less output.`,
        {
          extra: {
            currency: terms.currency,
            available: formatAmount(available),
            required: formatAmount(terms.atLeast),
          },
        },
      );
    }
    case 'key_inactive':
      return new GatewayError(
        'invalid_api_key',
        'This API key has been revoked or has expired. Create a new one in the console.',
      );
    case 'account_inactive':
      return new GatewayError('not_allowed', 'This account is suspended. Contact its operator.');
    case 'account_unknown':
      return new GatewayError('invalid_api_key', 'The account of this API key no longer exists.');
    case undefined:
    case 'applied':
    case 'already_applied':
    case 'id_reused':
    case 'hold_unknown':
    case 'hold_resolved':
      return new GatewayError(
        'internal_error',
        'The gateway failed to reserve money for this request.',
        {
          cause: new Error(`hold ${terms.requestId}: ${outcome?.status ?? 'no outcome'}`),
        },
      );
  }
}
