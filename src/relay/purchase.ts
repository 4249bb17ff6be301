/**
 * One request as a purchase: money is held before any upstream is called and settled once after it,
 * whatever happened in between.
 */
import type { Caller } from '../accounts/account.ts';
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import type {
  Applied,
  Checkpoint,
  Ledger,
  Receipt,
  SettleCommand,
  VoidCommand,
} from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
import type { SettlementSpool } from '../ledger/settlement-spool.ts';
import { formatAmount, formatDecimal, type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { type FxRate, settleAmount } from '../money/price.ts';
import type { CostFields } from '../protocols/dialect.ts';
import { type Asked, extendRefusal, holdRefusal, tooExpensive } from './hold-refusal.ts';
import type { HoldSize } from './hold-size.ts';

export type PurchaseTerms = Asked & {
  readonly caller: Pick<Caller, 'accountId' | 'keyId' | 'allowExchange'>;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
  /** Other wallet's currency to the settlement currency, for a wallet that is short. */
  readonly exchange: FxRate | null;
  readonly amount: NanoAmount;
  /** Called once when it is over: whether money was taken, or nobody can tell. */
  readonly onCharged: ((isCharged: boolean) => void) | null;
};

/** What the wallet has set aside for a request, and what it could still afford when it was last asked. */
export type Funds = { readonly held: NanoAmount; readonly available: NanoAmount };

/** How goods are priced while a route is looked for: a later route may be of a channel with another card. */
export interface Price<C extends Card> {
  /** Its card is charged. */
  readonly channel: Channel<C>;
  /** To begin with, by the card of the channel that was asked for. */
  readonly firstHold: HoldSize;
  /** What the funds would buy, as the fields of a 402. */
  affordable(funds: NanoAmount): Readonly<Record<string, number>>;
  /** How much has to be held before the channel may serve. */
  amountOn(channel: Channel<C>, funds: Funds): NanoAmount;
  /** Sells by this channel's card from here on. */
  sellBy(channel: Channel<C>, funds: Funds): void;
}

/** What the request came to; the purchase adds who, what and for how much. */
export type Consumption = Pick<
  Receipt,
  | 'endpoint'
  | 'model'
  | 'channelRequested'
  | 'channel'
  | 'upstream'
  | 'upstreamModel'
  | 'cardId'
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
  /** What the wallet can still afford; null while the settlement waits for the store. */
  readonly available: NanoAmount | null;
  readonly cost: CostFields;
};

/** Where purchases are held and settled. */
export type Till = {
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly spool: Pick<SettlementSpool, 'keep'>;
  readonly clock: Clock;
  /** The lease under which this process sells, by which others know when its holds are orphaned. */
  readonly epoch: () => string;
  /** Longer than any request can run: a hold that is older is nobody's any more, and is given back. */
  readonly holdLifetimeMs: number;
  readonly onSettled: (settled: Settled) => void;
  /** Told of a command that neither the books nor the spool took: nothing else knows of it. */
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

  /** What the wallet has set aside: at first between `atLeast` and `amount`, then what was added. */
  get held(): NanoAmount {
    return this.#held;
  }

  /** What the wallet could still afford when it was last asked. */
  get available(): NanoAmount {
    return this.#available;
  }

  /**
   * Holds the money. When nobody can tell whether it was held, it is given back once the store answers.
   * @throws GatewayError `insufficient_balance`, `spend_limit_reached`, `invalid_api_key`, `not_allowed`,
   *   `store_unavailable`.
   */
  static async begin(till: Till, terms: PurchaseTerms): Promise<Purchase> {
    const { requestId: id, caller, currency, amount, atLeast } = terms;
    const { accountId, keyId, allowExchange } = caller;
    const atMs = till.clock.nowMs();
    try {
      const [outcome] = await till.ledger.apply([
        {
          kind: 'hold',
          id,
          accountId,
          keyId,
          currency,
          amount,
          atLeast,
          exchange: allowExchange ? terms.exchange : null,
          priceRate: terms.rate,
          epoch: till.epoch(),
          atMs,
          expiresAtMs: atMs + till.holdLifetimeMs,
        },
      ]);
      // An engine that lost the first answer asks again by the same id.
      if (outcome?.status === 'applied' || outcome?.status === 'already_applied')
        return new Purchase(till, terms, outcome.result);
      throw holdRefusal(outcome, terms);
    } catch (thrown) {
      if (thrown instanceof OutcomeInDoubt) {
        await keep(till, { kind: 'void', id, accountId, keyId, currency, atMs });
      }
      throw thrown;
    }
  }

  /**
   * Holds more, all or nothing.
   * @param soFar what the request has come to, which is charged if this process dies.
   * @returns null when it was granted; else why not.
   * @throws GatewayError `store_unavailable`.
   */
  async extend(amount: NanoAmount, soFar: Consumption): Promise<GatewayError | null> {
    this.#extensions += 1;
    const [outcome] = await this.#till.ledger.apply([
      {
        kind: 'extend',
        id: `${this.terms.requestId}/${this.#extensions}`,
        holdId: this.terms.requestId,
        amount,
        checkpoint: this.#checkpoint(soFar),
        atMs: this.#till.clock.nowMs(),
      },
    ]);
    if (outcome?.status !== 'applied' && outcome?.status !== 'already_applied') {
      return extendRefusal(outcome);
    }
    this.#held = outcome.result.amount;
    this.#available = outcome.result.available;
    return null;
  }

  /**
   * Sells by another channel's card from here on. The one hold is raised to what that may cost.
   * @param soFar what the request has come to, which is charged if this process dies.
   * @throws GatewayError when the wallet or a cap does not allow it; the channel stays as it was.
   */
  async moveTo<C extends Card>(
    channel: Channel<C>,
    price: Price<C>,
    soFar: () => Consumption,
  ): Promise<void> {
    if (channel === price.channel) return;
    const amount = price.amountOn(channel, this);
    if (amount > this.#held) {
      const refused = await this.extend(nano(amount - this.#held), soFar());
      if (refused !== null) throw tooExpensive(refused, channel.name);
    }
    price.sellBy(channel, this);
  }

  /**
   * Settles once; a second call gets the first one's result. Charges what was consumed, and an estimate
   * never above the hold. While the store is away the settlement waits on this machine's disk, and the
   * caller gets its answer.
   * @throws GatewayError `internal_error` when the books refuse it, `store_unavailable` when it could
   *   not be kept either; it has then been handed to `onSettleFailed`.
   */
  settle(consumption: Consumption): Promise<Settled> {
    this.#settling ??= this.#settle(consumption);
    return this.#settling;
  }

  async #settle(consumption: Consumption): Promise<Settled> {
    const { terms } = this;
    const receipt = this.#receipt(consumption);
    const taken = await this.#write({
      kind: 'settle',
      id: terms.requestId,
      charge: this.#charge(consumption),
      receipt,
      atMs: this.#till.clock.nowMs(),
    });
    const settled: Settled = {
      receipt,
      ...taken,
      cost: {
        usd: formatDecimal(consumption.costPico, 12, 0),
        exact: formatAmount(taken.charge),
        currency: terms.currency,
      },
    };
    terms.onCharged?.(taken.charge > ZERO);
    this.#till.onSettled(settled);
    return settled;
  }

  #checkpoint(soFar: Consumption): Checkpoint {
    return { charge: this.#charge(soFar), receipt: this.#receipt(soFar) };
  }

  #charge({ costPico, estimated }: Consumption): NanoAmount {
    const price = settleAmount(costPico, this.terms.rate);
    return estimated && price > this.held ? this.held : price;
  }

  #receipt(consumption: Consumption): Receipt {
    const { requestId, caller, rate, currency } = this.terms;
    return {
      ...consumption,
      requestId,
      accountId: caller.accountId,
      keyId: caller.keyId,
      fxRateId: rate?.id ?? null,
      currency,
    };
  }

  async #write(command: SettleCommand): Promise<Pick<Settled, 'charge' | 'loss' | 'available'>> {
    const { ledger, onSettleFailed } = this.#till;
    try {
      const [outcome] = await ledger.apply([command]);
      if (outcome?.status === 'applied' || outcome?.status === 'already_applied') {
        const { amount: charge, loss, available } = outcome.result;
        return { charge, loss, available };
      }
      throw new Error(`the ledger refused a settlement: ${outcome?.status ?? 'no outcome'}`);
    } catch (thrown) {
      if (asGatewayError(thrown).code !== 'store_unavailable') {
        this.terms.onCharged?.(command.charge > ZERO);
        onSettleFailed(command, thrown);
        throw thrown;
      }
    }
    if (!(await keep(this.#till, command))) {
      this.terms.onCharged?.(command.charge > ZERO);
      throw unwritten();
    }
    return { charge: command.charge, loss: ZERO, available: null };
  }
}

/** Whether the command is safe on this machine's disk, to be sent when the store is back. */
async function keep(till: Till, command: SettleCommand | VoidCommand): Promise<boolean> {
  try {
    await till.spool.keep(command);
    return true;
  } catch (thrown) {
    till.onSettleFailed(command, thrown);
    return false;
  }
}

const unwritten = (): GatewayError =>
  new GatewayError('store_unavailable', 'The gateway could not write down this request.');
