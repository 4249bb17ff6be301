/**
 * The ledger: all money of an installation. Commands go in as batches and outcomes come out; no
 * transaction handle leaves this room. A batch is durable when `apply` resolves. Its commands
 * succeed or fail independently, in order, and the n-th outcome answers the n-th command.
 *
 * Double entry: every applied command writes entries that sum to zero per currency. A wallet never
 * goes below its floor; a charge that cannot be taken from it is booked to `operator_loss`.
 *
 * A command's id is its idempotency key. The same id with the same body is applied once and returns
 * `already_applied` with the first result; with another body it returns `id_reused`. Times are not
 * part of the body, so a retry may have its own. A settlement has the id of its hold; any other id
 * is used by one command only, whatever its kind.
 */
import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';

/** The ledger's own account that money comes in from. */
export type CreditSource = 'top_up' | 'redeem_code' | 'card_payment' | 'demo' | 'goodwill';

/**
 * Adds money to a wallet. `source` is the account on the other side of the entry. Like every wallet
 * command, it writes an audit entry by `actor` in its transaction.
 */
export type CreditCommand = {
  readonly kind: 'credit';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** Greater than zero. */
  readonly amount: NanoAmount;
  readonly source: CreditSource;
  readonly reason: string;
  /** Who ordered it, as in the audit log: `admin`, `system`, `key_...`. */
  readonly actor: string;
  readonly atMs: number;
};

/**
 * Reserves money for a request before any upstream is called. The same transaction checks that the
 * key and the account are active, that the node's lease has not ended, and that the wallet and the
 * spending caps of key and account cover the amount.
 */
export type HoldCommand = {
  readonly kind: 'hold';
  /** The request's id. The hold is settled or voided under it. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  /** The amount to hold if the wallet covers it. */
  readonly amount: NanoAmount;
  /**
   * The least to hold when the wallet does not cover `amount`. Equal to `amount`: all or nothing.
   */
  readonly atLeast: NanoAmount;
  /**
   * If set, the part that the wallet lacks may be held in the other wallet at this pinned,
   * published rate (base = the other currency, quote = `currency`). It is exchanged when the hold
   * settles.
   */
  readonly exchange: FxRate | null;
  /**
   * The published rate from the currency of spending caps (USD) to `currency`; null when they are
   * the same. A request counts against a cap with its charge divided by this rate, half to even.
   */
  readonly priceRate: FxRate | null;
  /** The process that made the hold. When that process dies, its holds are found by this. */
  readonly epoch: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
};

/** What a request has cost so far. It is charged if the process dies before the settlement. */
export type Checkpoint = { readonly charge: NanoAmount; readonly receipt: Receipt };

/** Raises a pending hold, all or nothing. Key, account and caps are checked as for the hold. */
export type ExtendCommand = {
  readonly kind: 'extend';
  readonly id: string;
  readonly holdId: string;
  /** The amount to add; greater than zero. */
  readonly amount: NanoAmount;
  /** Replaces the hold's checkpoint; null keeps it. Not part of the command's body. */
  readonly checkpoint: Checkpoint | null;
  readonly atMs: number;
};

/**
 * Releases a whole hold without a receipt, because its request never began. If the hold does not
 * exist, its id is marked as void, so that a hold still in flight can no longer be made.
 */
export type VoidCommand = {
  readonly kind: 'void';
  /** The hold's id. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  readonly atMs: number;
};

/**
 * Resolves a hold in one transaction: takes `charge`, releases the rest, writes the receipt. A
 * charge above the hold takes more as far as the wallet has it; the rest is booked to
 * `operator_loss`. A charge of zero releases the hold and keeps the receipt.
 *
 * A settlement may arrive after the hold was reaped, from a process that was thought dead. Then the
 * wallet pays as far as it can, as for a charge above the hold. If the reaper has charged a
 * checkpoint, that receipt stays and a second one corrects it. The second one states the true
 * counts. Its charge and loss are the differences to the first, negative when the checkpoint was
 * too high.
 */
export type SettleCommand = {
  readonly kind: 'settle';
  /** The hold's id. */
  readonly id: string;
  readonly charge: NanoAmount;
  readonly receipt: Receipt;
  readonly atMs: number;
};

/**
 * A correction by an operator, of either sign, with its reason. It never takes a wallet below its
 * floor.
 */
export type AdjustCommand = {
  readonly kind: 'adjust';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

/** Buys money for one wallet of an account with money of its other wallet, at a published rate. */
export type ExchangeCommand = {
  readonly kind: 'exchange';
  readonly id: string;
  readonly accountId: string;
  /** base is sold, quote is bought. */
  readonly rate: FxRate;
  /**
   * The amount to buy, in `rate.quote`; greater than zero. It costs `sellFor` of it in `rate.base`.
   */
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

/** Refunds the charge of a request or part of it. All refunds together never exceed the charge. */
export type RefundCommand = {
  readonly kind: 'refund';
  readonly id: string;
  readonly requestId: string;
  /** In the receipt's currency; greater than zero. */
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

/** Sets a wallet's credit limit: its floor becomes minus this amount. */
export type CreditLimitCommand = {
  readonly kind: 'credit_limit';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** Zero or more. A limit below what is already drawn is refused with `balance_too_low`. */
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

export type Command =
  | CreditCommand
  | HoldCommand
  | ExtendCommand
  | SettleCommand
  | VoidCommand
  | AdjustCommand
  | ExchangeCommand
  | RefundCommand
  | CreditLimitCommand;

/** The window of a spending cap: a UTC day, a week from Monday, a month, or all time. */
export type CapWindow = 'day' | 'week' | 'month' | 'total';

/** Refusals in order of precedence: the first that applies is returned. */
export type Outcome =
  | { readonly status: 'applied' | 'already_applied'; readonly result: Applied }
  | { readonly status: 'id_reused' }
  | { readonly status: 'account_unknown' }
  | { readonly status: 'key_inactive' }
  | { readonly status: 'account_inactive' }
  /** hold: the lease of its epoch has ended, so this process must not sell any more. */
  | { readonly status: 'epoch_over' }
  /** refund: the same, of the request. */
  | { readonly status: 'hold_unknown' }
  | { readonly status: 'hold_resolved' }
  /**
   * `available`: what could be held now, in the command's currency, exchange included. Of a refund:
   * what can still be refunded.
   */
  | { readonly status: 'balance_too_low'; readonly available: NanoAmount }
  /** A spending cap is reached. The key's caps come before the account's, shorter windows first. */
  | {
      readonly status: 'cap_reached';
      readonly owner: 'key' | 'account';
      readonly window: CapWindow;
      /** What all caps leave, in the command's currency; never negative. */
      readonly available: NanoAmount;
    };

export type Applied = {
  /**
   * hold, extend: the hold's whole amount now. settle: the amount taken in all. void: the amount
   * released. Otherwise: the command's amount.
   */
  readonly amount: NanoAmount;
  /**
   * What the wallet can still afford, in the command's currency, exchange included. Ignores caps.
   */
  readonly available: NanoAmount;
  /** settle: the part of the charge that the wallet could not pay. Otherwise zero. */
  readonly loss: NanoAmount;
};

/** How a request ended. Only `completed` is a whole answer; `length` ran out of balance. */
export type RequestOutcome =
  | 'completed'
  | 'length'
  | 'caller_left'
  | 'upstream_error'
  | 'upstream_truncated'
  | 'upstream_timeout'
  | 'gateway_error'
  | 'shutdown'
  /** The key or the account was revoked while it ran. */
  | 'revoked'
  /** Its process died; the charge is that of its last checkpoint. */
  | 'node_lost';

/** The record of one request: enough for anyone to recompute its price from the published card. */
export type Receipt = {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: 'chat' | 'messages' | 'images';
  readonly model: string;
  readonly channelRequested: string | null;
  readonly channel: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly cardId: string;
  readonly fxRateId: string | null;
  /** The settlement currency: that of `charge`. */
  readonly currency: Currency;
  readonly usage: Usage;
  readonly images: { readonly count: number; readonly priceKey: string } | null;
  /** Exact cost in pico-units of the card's currency, before conversion and rounding. */
  readonly costPico: bigint;
  /** True when the upstream reported no usage and the counts are estimates. */
  readonly estimated: boolean;
  readonly streamed: boolean;
  readonly outcome: RequestOutcome;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly startedAtMs: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** The routes tried, in order. The last one served the request, if any did. */
  readonly attempts: readonly AttemptRecord[];
};

/** One route that a request was sent to. */
export type AttemptRecord = {
  readonly channel: string;
  /** The upstream's configured name, and the model's name there. */
  readonly upstream: string;
  readonly model: string;
  /** The upstream's status, such as `200`, or an error code, such as `upstream_timeout`. */
  readonly result: string;
  /** Milliseconds since the request was admitted. */
  readonly startMs: number;
  /** Milliseconds until the upstream's status line or the failure. */
  readonly durationMs: number;
};

export type StoredReceipt = Receipt & {
  readonly charge: NanoAmount;
  readonly loss: NanoAmount;
};

export type Wallet = {
  readonly currency: Currency;
  readonly balance: NanoAmount;
  readonly held: NanoAmount;
  readonly floor: NanoAmount;
};

/**
 * A process of the gateway. `epoch` is new with every start; `name` is the operator's name for it.
 */
export type NodeIdentity = { readonly epoch: string; readonly name: string };
/** `nodes`: the number of live leases, this one included. Rate limits are divided among them. */
export type Lease = { readonly isLive: boolean; readonly nodes: number };
export type Reaped = { readonly settled: number; readonly voided: number };

/** A violated invariant: the law, and the row that violates it. */
export type Breach = {
  readonly invariant: string;
  readonly subject: string;
  readonly detail: string;
};

/**
 * A batch was sent to the store and no answer came, so it may be applied now or later. The caller
 * voids a hold, so that it cannot stay pending, and sends a settlement again.
 */
export class OutcomeInDoubt extends GatewayError {
  constructor(cause: unknown) {
    const message = 'The store did not answer in time. Repeat the request.';
    super('store_unavailable', message, { retryAfterSeconds: 1, cause });
    this.name = 'OutcomeInDoubt';
  }
}

export interface Ledger extends AsyncDisposable {
  /**
   * @throws GatewayError `store_unavailable` when nothing of the batch is known to be durable, so
   *   that the caller must repeat it (`OutcomeInDoubt` when it may be durable after all).
   *   `invalid_value` when a command is malformed; then nothing of the batch is applied.
   *   `internal_error` when a command could not be applied, such as a settlement by an unpublished
   *   card; others of the batch may have been.
   */
  apply(batch: readonly Command[]): Promise<readonly Outcome[]>;
  wallets(accountId: string): Promise<readonly Wallet[]>;
  receipt(requestId: string): Promise<StoredReceipt | null>;
  /** The sum of all charges of a key, per currency. */
  spentByKey(keyId: string): Promise<ReadonlyMap<Currency, NanoAmount>>;
  /** Publishes cards and rates before any receipt names them. A known id is left unchanged. */
  publish(cards: readonly PublishedCard[], rates: readonly PublishedRate[]): Promise<void>;
  /**
   * Takes a lease for a process under its epoch. In the embedded store, which one process owns,
   * this ends every other lease. Times are those of the store's own clock.
   * @returns `name_in_use` when another live lease has the name; then no lease was taken.
   */
  join(node: NodeIdentity, leaseMs: number): Promise<'joined' | 'name_in_use'>;
  /** Extends the lease. `isLive` is false when it has ended or was never taken; it stays so. */
  renew(epoch: string, leaseMs: number): Promise<Lease>;
  /** Ends the lease now. */
  leave(epoch: string): Promise<void>;
  /**
   * Resolves pending holds that have expired, or whose epoch's lease has ended. A hold with a
   * checkpoint is charged by it, as an estimate with the outcome `node_lost`; any other is
   * released. At most `REAP_BATCH` holds a call.
   */
  reap(): Promise<Reaped>;
  /** Checks every invariant; empty when the ledger is sound. */
  verify(): Promise<readonly Breach[]>;
}

/** A card as the ledger keeps it, by id and for good, so that every receipt can be recomputed. */
export type PublishedCard = {
  readonly id: string;
  readonly currency: Currency;
  /** Pico per token by usage bucket; null on an image card. */
  readonly rates: { readonly [Bucket in keyof Usage]: bigint } | null;
  /** Nano per image by price key; null on a chat card. */
  readonly perImage: Readonly<Record<string, bigint>> | null;
  readonly model: string;
  readonly channel: string;
  readonly effectiveFromMs: number;
};
export type PublishedRate = FxRate & { readonly effectiveFromMs: number };
