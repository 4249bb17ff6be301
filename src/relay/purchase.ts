/** One request as a purchase: money is held before any upstream is called, and settled once. */
import type { Caller } from '../accounts/account.ts';
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import {
  type Applied,
  type Outcome,
  OutcomeInDoubt,
  type Receipt,
  type Sales,
  type SettleCommand,
  type VoidCommand,
} from '../ledger/ledger.ts';
import type { SettlementSpool } from '../ledger/settlement-spool.ts';
import { formatAmount, formatDecimal, type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { type FxRate, inCardCurrency, settleAmount } from '../money/price.ts';
import type { CostFields } from '../protocols/dialect.ts';
import { type Asked, extendRefusal, holdRefusal, tooExpensive } from './hold-refusal.ts';

export type PurchaseTerms = Asked & {
  readonly caller: Pick<Caller, 'accountId' | 'keyId' | 'allowExchange'>;
  /**
   * The exchange rate from the price card's currency to the settlement currency; null when they are
   * the same.
   */
  readonly rate: FxRate | null;
  /**
   * The exchange rate at which the account's USD wallet pays if the settlement wallet has too
   * little.
   */
  readonly exchange: FxRate | null;
  readonly amount: NanoAmount;
  /**
   * Called once, at the end, with true when money was charged or may have been. Null for a request
   * without an Idempotency-Key.
   */
  readonly onCharged: ((isCharged: boolean) => void) | null;
};

/**
 * The amount held for a request, and what the wallet had available when the ledger last answered.
 */
export type Funds = { readonly held: NanoAmount; readonly available: NanoAmount };

export type HoldSize = {
  readonly amount: NanoAmount;
  /** The smallest hold that is useful: it pays for the input and some output. */
  readonly atLeast: NanoAmount;
  /** The maximum cost of the request on any channel. */
  readonly worstCase: NanoAmount;
};

/**
 * Returns the size of a hold that is never reduced: its minimum is `amount` too. Its worst case is
 * the highest amount that `mostOn` returns for one of the channels, or `amount` if that is higher.
 */
export function fixedHold<C extends Card>(
  amount: NanoAmount,
  channels: readonly Channel<C>[],
  mostOn: (channel: Channel<C>) => NanoAmount,
): HoldSize {
  let worstCase = amount;
  for (const channel of channels) {
    const most = mostOn(channel);
    if (most > worstCase) worstCase = most;
  }
  return { amount, atLeast: amount, worstCase };
}

/**
 * The price of a request. It may change during the search for a route, because a fallback channel
 * has another price card.
 */
export interface Price<C extends Card> {
  /** The channel whose price card is charged. */
  readonly channel: Channel<C>;
  /** The first hold, sized by the price card of the requested channel. */
  readonly firstHold: HoldSize;
  /** Returns what these funds would pay for, as fields in the body of a 402. */
  affordable(funds: NanoAmount): Readonly<Record<string, number>>;
  /** Returns the amount to hold before this channel may serve. */
  amountOn(channel: Channel<C>, funds: Funds): NanoAmount;
  /** Makes this channel the one whose price card is charged. */
  sellBy(channel: Channel<C>, funds: Funds): void;
}

/** The fields of a receipt that a purchase adds. */
type AddedField = 'requestId' | 'accountId' | 'keyId' | 'fxRateId' | 'currency';

/** The usage and cost of a request. A purchase adds the other fields and so makes its receipt. */
export type Consumption = Omit<Receipt, AddedField>;

/** A running request whose usage is known at any time. */
export type Metering = {
  /** Returns the usage so far, which is charged if this process dies. */
  readonly soFar: () => Consumption;
};

export type Settled = {
  readonly receipt: Receipt;
  readonly charge: NanoAmount;
  readonly loss: NanoAmount;
  /** The amount held. If the answer overran its hold, `charge` plus `loss` is larger. */
  readonly held: NanoAmount;
  /** The amount that the wallet has available; null while the settlement waits for the store. */
  readonly available: NanoAmount | null;
  /** The exchange rate at which `available` includes the other wallet; null if it does not. */
  readonly exchange: FxRate | null;
  readonly cost: CostFields;
};

/** Whether the answer cost more than was held for it. */
export const isOverrun = ({ charge, loss, held }: Settled): boolean => charge + loss > held;

/**
 * The dependencies of a purchase: the ledger, the spool (settlements on disk that wait for the
 * store), and callbacks.
 */
export type Till = {
  readonly ledger: Sales;
  readonly spool: Pick<SettlementSpool, 'keep'>;
  /**
   * Whether the charge of a request must wait in the spool, because a repeat of the request may
   * have been charged instead.
   */
  readonly mustWait: (requestId: string) => boolean;
  readonly clock: Clock;
  /**
   * Returns the epoch: the id of this process's current lease, under which it holds money. When the
   * lease ends, other nodes resolve the holds of the epoch.
   */
  readonly epoch: () => string;
  /** The lifetime of a hold, longer than any request. A hold that is older is released. */
  readonly holdLifetimeMs: number;
  /**
   * After an answer that cost more than its hold, the account is restricted until this many answers
   * stay within their holds: see `SettleCommand`.
   */
  readonly carefulAnswers: number;
  readonly onSettled: (settled: Settled) => void;
  /** Called with a command that neither the ledger nor the spool accepted, to record it. */
  readonly onSettleFailed: (command: SettleCommand | VoidCommand, thrown: unknown) => void;
};

export class Purchase {
  readonly terms: PurchaseTerms;
  #available: NanoAmount;
  #held: NanoAmount;
  #extensions = 0;
  readonly #till: Till;
  #settling: Promise<Settled> | null = null;

  private constructor(till: Till, terms: PurchaseTerms, hold: Applied) {
    this.#till = till;
    this.terms = terms;
    this.#held = hold.amount;
    this.#available = hold.available;
  }

  /** The amount held: at first between `atLeast` and `amount`, later including all extensions. */
  get held(): NanoAmount {
    return this.#held;
  }

  /** The amount that the wallet had left when the ledger last answered. */
  get available(): NanoAmount {
    return this.#available;
  }

  /**
   * Holds the money. If it is unknown whether the store recorded the hold, spools a command that
   * releases the hold. Returns or throws synchronously if the ledger answers synchronously.
   * @throws GatewayError of `holdRefusal`, or `store_unavailable`.
   */
  static begin(till: Till, terms: PurchaseTerms): Purchase | Promise<Purchase> {
    const { requestId: id, caller, currency, amount, atLeast, worstCase } = terms;
    const { accountId, keyId } = caller;
    const atMs = till.clock.nowMs();
    const outcome = till.ledger.hold({
      kind: 'hold',
      id,
      accountId,
      keyId,
      currency,
      amount,
      atLeast,
      worstCase: worstCase > amount ? worstCase : amount,
      exchange: exchangeOf(terms),
      priceRate: terms.rate,
      epoch: till.epoch(),
      atMs,
      expiresAtMs: atMs + till.holdLifetimeMs,
    });
    if (!(outcome instanceof Promise)) return Purchase.#begun(till, terms, outcome);
    return outcome.then(
      (decided) => Purchase.#begun(till, terms, decided),
      async (thrown: unknown) => {
        if (thrown instanceof OutcomeInDoubt) {
          await keep(till, { kind: 'void', id, accountId, keyId, currency, atMs });
        }
        throw thrown;
      },
    );
  }

  static #begun(till: Till, terms: PurchaseTerms, outcome: Outcome): Purchase {
    // `already_applied` is also a success: the ledger retries when the store's answer was lost.
    if (outcome.status === 'applied' || outcome.status === 'already_applied')
      return new Purchase(till, terms, outcome.result);
    throw holdRefusal(outcome, terms);
  }

  /**
   * Extends the hold, or returns the refusal. `soFar` is the usage charged if this process dies.
   * @throws GatewayError `store_unavailable`; synchronously if the ledger answers synchronously.
   */
  extend(
    amount: NanoAmount,
    soFar: Consumption,
  ): GatewayError | null | Promise<GatewayError | null> {
    this.#extensions += 1;
    const outcome = this.#till.ledger.extend({
      kind: 'extend',
      id: `${this.terms.requestId}/${this.#extensions}`,
      holdId: this.terms.requestId,
      amount,
      checkpoint: { charge: this.#charge(soFar), receipt: this.#receipt(soFar) },
      atMs: this.#till.clock.nowMs(),
    });
    if (!(outcome instanceof Promise)) return this.#extended(outcome);
    return outcome.then((decided) => this.#extended(decided));
  }

  #extended(outcome: Outcome): GatewayError | null {
    if (outcome.status !== 'applied' && outcome.status !== 'already_applied') {
      return extendRefusal(outcome);
    }
    this.#held = outcome.result.amount;
    this.#available = outcome.result.available;
    return null;
  }

  /** Stores `soFar` as a checkpoint, which is charged if this process dies. */
  keepCheckpoint(soFar: Consumption): void {
    const checkpoint = { charge: this.#charge(soFar), receipt: this.#receipt(soFar) };
    this.#till.ledger.keepCheckpoint(this.terms.requestId, checkpoint);
  }

  /**
   * Moves the sale to another channel.
   * @throws GatewayError, and changes nothing, if the wallet or a spending limit is too low.
   */
  async moveTo<C extends Card>(
    channel: Channel<C>,
    price: Price<C>,
    metering: Metering,
  ): Promise<void> {
    const amount = price.amountOn(channel, this);
    if (amount > this.#held) {
      const refused = await this.extend(nano(amount - this.#held), metering.soFar());
      if (refused !== null) throw tooExpensive(refused, channel.name);
    }
    price.sellBy(channel, this);
  }

  /**
   * Charges the usage once. An estimate never costs more than the hold. While the store is down, or
   * if `mustWait` is true, the settlement waits in the spool on disk.
   * @throws GatewayError `internal_error` or `store_unavailable`, after `onSettleFailed`.
   */
  settle(consumption: Consumption): Promise<Settled> {
    this.#settling ??= this.#settle(consumption);
    return this.#settling;
  }

  async #settle(consumption: Consumption): Promise<Settled> {
    const { terms } = this;
    const exchange = exchangeOf(terms);
    const receipt = this.#receipt(consumption);
    const command: SettleCommand = {
      kind: 'settle',
      id: terms.requestId,
      charge: this.#charge(consumption),
      receipt,
      carefulAnswers: this.#till.carefulAnswers,
      held: this.held,
      exchangeId: exchange?.id ?? null,
      atMs: this.#till.clock.nowMs(),
    };
    let taken: Taken;
    if (command.charge > ZERO && this.#till.mustWait(command.id)) {
      taken = await spooled(this.#till, terms, command);
    } else {
      try {
        const isKeyed = terms.onCharged !== null && command.charge > ZERO;
        taken = takenIn(await this.#till.ledger.settle(command, isKeyed));
      } catch (thrown) {
        taken = await notSettled(this.#till, terms, command, thrown);
      }
    }
    const settled: Settled = {
      receipt,
      charge: taken.charge,
      loss: taken.loss,
      available: taken.available,
      exchange,
      held: this.held,
      cost: {
        usd: formatDecimal(inCardCurrency(taken.charge, terms.rate), 9, 0),
        exact: formatAmount(taken.charge),
        currency: terms.currency,
        estimated: consumption.estimated ? consumption.usage : null,
      },
    };
    terms.onCharged?.(taken.charge > ZERO);
    this.#till.onSettled(settled);
    return settled;
  }

  #charge({ costPico, estimated }: Consumption): NanoAmount {
    const price = settleAmount(costPico, this.terms.rate);
    return estimated && price > this.held ? this.held : price;
  }

  /** Completes a consumption in place, because copying its thirty fields takes a microsecond. */
  #receipt(consumption: Consumption): Receipt {
    const { requestId, caller, rate, currency } = this.terms;
    const receipt = consumption as Consumption & { -readonly [Name in AddedField]: Receipt[Name] };
    receipt.requestId = requestId;
    receipt.accountId = caller.accountId;
    receipt.keyId = caller.keyId;
    receipt.fxRateId = rate?.id ?? null;
    receipt.currency = currency;
    return receipt;
  }
}

type Taken = Pick<Settled, 'charge' | 'loss' | 'available'>;

/**
 * Returns the amounts of an applied settlement.
 * @throws GatewayError `store_unavailable` for one that must wait in the spool, because its hold
 *   was resolved and a repeat may have been charged; Error for a refused one.
 */
function takenIn(outcome: Outcome): Taken {
  if (outcome.status === 'epoch_over') throw notRecorded();
  if (outcome.status !== 'applied' && outcome.status !== 'already_applied')
    throw new Error(`the ledger refused a settlement: ${outcome.status}`);
  const { amount: charge, loss, available } = outcome.result;
  return { charge, loss, available };
}

/** If the store is unavailable, spools the settlement on disk. @throws any other failure. */
async function notSettled(
  till: Till,
  terms: PurchaseTerms,
  command: SettleCommand,
  thrown: unknown,
): Promise<Taken> {
  if (asGatewayError(thrown).code !== 'store_unavailable') {
    terms.onCharged?.(command.charge > ZERO);
    till.onSettleFailed(command, thrown);
    throw thrown;
  }
  return await spooled(till, terms, command);
}

/** Spools a settlement on disk. @throws GatewayError `store_unavailable` if that fails. */
async function spooled(till: Till, terms: PurchaseTerms, command: SettleCommand): Promise<Taken> {
  if (!(await keep(till, command))) {
    terms.onCharged?.(command.charge > ZERO);
    throw notRecorded();
  }
  return { charge: command.charge, loss: ZERO, available: null };
}

/**
 * Returns the exchange rate at which the account's USD wallet may also pay; null when that wallet
 * may not pay.
 */
const exchangeOf = ({ caller, exchange }: PurchaseTerms): FxRate | null =>
  caller.allowExchange ? exchange : null;

/** Spools a command on disk until the store is available. Returns whether the spool accepted it. */
async function keep(till: Till, command: SettleCommand | VoidCommand): Promise<boolean> {
  try {
    await till.spool.keep(command);
    return true;
  } catch (thrown) {
    till.onSettleFailed(command, thrown);
    return false;
  }
}

const notRecorded = (): GatewayError =>
  new GatewayError('store_unavailable', 'The gateway could not record this request.');
