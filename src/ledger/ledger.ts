/**
 * The ledger, which keeps all money of an installation. Settlements and wallet commands are durable
 * when `apply` resolves. A batch runs in order; each command succeeds or fails independently.
 *
 * Bookkeeping is double entry. A wallet command writes entries that sum to zero per currency. A
 * settlement writes its receipt, from which its entries follow. A wallet never goes below its
 * floor; the part of a charge that it cannot pay is booked to `operator_loss`.
 *
 * A command's id is its idempotency key. Repeated with equal fields, it returns `already_applied`
 * with the first result; with different fields, `id_reused`, or `hold_resolved` for a settlement.
 * Times and fields "not compared in a repeat" may differ. With SQLite, a repeated void is `applied`
 * with amount 0. Settlements and voids have their hold's id; all other ids are unique.
 */
import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';
import type { CreditSource } from './credit-source.ts';
import type { BalanceTooLow, HeldInMemory } from './held-in-memory.ts';

/** Adds money to a wallet. Like every wallet command, a credit writes an audit entry by `actor`. */
export type CreditCommand = {
  readonly kind: 'credit';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** The amount to add; greater than zero. */
  readonly amount: NanoAmount;
  readonly source: CreditSource;
  readonly reason: string;
  /** The actor of the audit entry, such as `admin`, `system` or `key_...`. */
  readonly actor: string;
  readonly atMs: number;
};

/**
 * Reserves money before an upstream is called, if key, account, lease, wallet and caps allow it. An
 * account becomes careful when an answer costs more than its hold. It may then have only one hold
 * at a time, of the worst case, until a number of answers have stayed within their holds.
 */
export type HoldCommand = {
  readonly kind: 'hold';
  /** The request's id, under which the hold is later settled or voided. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  /** The amount to hold if the wallet covers it. */
  readonly amount: NanoAmount;
  /** The smallest acceptable hold. When equal to `amount`, the hold is all or nothing. */
  readonly atLeast: NanoAmount;
  /** The request's maximum cost, which a careful account must hold. Not compared in a repeat. */
  readonly worstCase: NanoAmount;
  /** The published exchange rate at which the other wallet may pay too; null if it must not pay. */
  readonly exchange: FxRate | null;
  /** The published exchange rate from USD to `currency`, to count against caps; null for 1:1. */
  readonly priceRate: FxRate | null;
  /** The id of the process's start. It identifies the holds of a dead process. */
  readonly epoch: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
};

/** The cost of a request so far, which is charged if the process dies before the settlement. */
export type Checkpoint = { readonly charge: NanoAmount; readonly receipt: Receipt };

/** Raises a pending hold, all or nothing. Checks key, account and caps as for a hold. */
export type ExtendCommand = {
  readonly kind: 'extend';
  readonly id: string;
  readonly holdId: string;
  /** The amount to add; greater than zero. */
  readonly amount: NanoAmount;
  /** The hold's new checkpoint; null keeps the old one. Not compared in a repeat. */
  readonly checkpoint: Checkpoint | null;
  readonly atMs: number;
};

/** Releases a whole hold without a receipt. PostgreSQL refuses a hold that follows its void. */
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
 * Resolves a hold, all or nothing: takes `charge`, releases the rest, and writes the receipt. The
 * part of a charge above the hold is taken from the wallet, down to its floor. What the wallet
 * cannot pay is booked to `operator_loss`.
 *
 * A settlement may arrive after the hold was reaped; the wallet then pays as for a charge above the
 * hold. If the reaper charged a checkpoint, a second receipt with the true counts corrects it. Its
 * charge and loss are differences to the first receipt, negative when the checkpoint was too high.
 */
export type SettleCommand = {
  readonly kind: 'settle';
  /** The hold's id. */
  readonly id: string;
  readonly charge: NanoAmount;
  readonly receipt: Receipt;
  /**
   * If the charge is above its hold, how many later answers must stay within their holds before the
   * account is no longer careful; 0 never makes it careful. Not compared in a repeat.
   */
  readonly carefulAnswers: number;
  /** The held amount, if the ledger lacks the hold; null if unknown. Not compared in a repeat. */
  readonly held: NanoAmount | null;
  /** The id of the hold's exchange rate; null if it has none. Not compared in a repeat. */
  readonly exchangeId: string | null;
  readonly atMs: number;
};

/** An operator's correction of a balance, up or down. It cannot take a wallet below its floor. */
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

/** Buys money for one wallet of an account with money of the account's other wallet. */
export type ExchangeCommand = {
  readonly kind: 'exchange';
  readonly id: string;
  readonly accountId: string;
  /** A published exchange rate. Its base currency is sold, its quote currency is bought. */
  readonly rate: FxRate;
  /** The amount to buy, in `rate.quote`; greater than zero. `sellFor` computes its price. */
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

/** Refunds a request's charge, or part of it. Total refunds never exceed the charge. */
export type RefundCommand = {
  readonly kind: 'refund';
  readonly id: string;
  readonly requestId: string;
  /** The amount to refund, in the receipt's currency; greater than zero. */
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
  /** The credit limit, zero or more. Refused as `balance_too_low` if more is already drawn. */
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

/** The period of a spending cap: a UTC day, a week from Monday, a calendar month, or all time. */
export type CapWindow = 'day' | 'week' | 'month' | 'total';
/** The owner of a cap: a key, the member who created it (for all of their keys), or the account. */
export type CapOwner = 'key' | 'member' | 'account';

/** The outcome of a command. If several refusals apply, the first in this list is returned. */
export type Outcome =
  | { readonly status: 'applied' | 'already_applied'; readonly result: Applied }
  | { readonly status: 'id_reused' }
  | { readonly status: 'account_unknown' }
  | { readonly status: 'key_inactive' }
  | { readonly status: 'account_inactive' }
  /** The lease of the hold's epoch has ended. See also `Ledger.settle`. */
  | { readonly status: 'epoch_over' }
  /** The account is careful and has another pending hold. */
  | { readonly status: 'one_at_a_time' }
  /** The account is careful, and the wallet or the caps do not cover the worst case. */
  | { readonly status: 'worst_case_too_low'; readonly available: NanoAmount }
  /** No hold has the command's id, or (for a refund) the request has no receipt. */
  | { readonly status: 'hold_unknown' }
  | { readonly status: 'hold_resolved' }
  /** `available`: the amount that could be held (with an exchange, if allowed) or refunded. */
  | BalanceTooLow
  /** Names the first cap that is too low: of key, member, then account; shorter periods first. */
  | {
      readonly status: 'cap_reached';
      readonly owner: CapOwner;
      readonly window: CapWindow;
      /** The smallest amount that any cap still allows, in the command's currency; at least 0. */
      readonly available: NanoAmount;
    };

export type Applied = {
  /** The total held, the total charged, or (for other commands) the sum released or booked. */
  readonly amount: NanoAmount;
  /** The amount that could still be held, with an exchange if allowed. Ignores caps. */
  readonly available: NanoAmount;
  /** The part of a settled charge that the wallet could not pay; zero for other commands. */
  readonly loss: NanoAmount;
};

/** How a request ended. `length` means that the balance or a cap did not cover more output. */
export type RequestOutcome =
  | 'completed'
  | 'length'
  | 'caller_left'
  | 'upstream_error'
  | 'upstream_truncated'
  | 'upstream_timeout'
  | 'gateway_error'
  | 'shutdown'
  /** The key or account was revoked, disabled or suspended, or expired, during the request. */
  | 'revoked'
  /** The process died during the request, which was charged by its last checkpoint. */
  | 'node_lost';

/**
 * How token counts were determined: `reported` by the upstream (`read_on`: after the caller had
 * disconnected), or by the gateway from the text (`estimated`) or from the generation time.
 */
export type Measure = 'reported' | 'read_on' | 'estimated' | 'estimated_by_time';

/** The record of one request, complete enough to recompute its price from the price card. */
export type Receipt = {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: 'chat' | 'messages' | 'responses' | 'images' | 'embeddings';
  readonly model: string;
  readonly channelRequested: string | null;
  readonly channel: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly cardId: string;
  readonly fxRateId: string | null;
  /** The currency of `charge`. */
  readonly currency: Currency;
  readonly usage: Usage;
  /** The generated images, or null. `priceKey` is their size, or their size and quality. */
  readonly images: { readonly count: number; readonly priceKey: string } | null;
  /** Exact cost in pico-units of the price card's currency, before conversion and rounding. */
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
  /** The routes tried, in order. If any route served the request, it is the last in the list. */
  readonly attempts: readonly AttemptRecord[];
  /** Facts besides tokens that decide the price, such as the service tier, as JSON; or null. */
  readonly facts: string | null;
  /** The provider's id of the answer; null when it reported none. */
  readonly upstreamId: string | null;
  /** The provider's own price in pico-USD; null when it reported none. */
  readonly reportedCostPico: bigint | null;
  /** How the token counts were determined; null for images and in receipts of earlier versions. */
  readonly measure: Measure | null;
};

/** One attempt of a request on one route. */
export type AttemptRecord = {
  readonly channel: string;
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** The name by which the upstream knows the model. */
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

/** A node: its `epoch`, which is new for each lease, and the operator's `name` for the node. */
export type NodeIdentity = { readonly epoch: string; readonly name: string };
/** A node's lease. `nodes` is the number of nodes with live leases, which share the rate limits. */
export type Lease = { readonly isLive: boolean; readonly nodes: number };
export type Reaped = { readonly settled: number; readonly voided: number };

/** A violation of an invariant of the ledger: `subject` is the row, `detail` is the fault. */
export type Breach = {
  readonly invariant: string;
  readonly subject: string;
  readonly detail: string;
};

/**
 * Thrown when the store did not reply, so the batch may have been applied, or may be applied later.
 * The caller must then void a hold, so that it does not stay pending, and repeat a settlement.
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
   * Makes a hold. Returns no promise if this process decides the hold in memory.
   * @throws GatewayError as `apply`, either as a rejection or before a promise is returned.
   */
  hold(command: HoldCommand): Outcome | Promise<Outcome>;
  /** Extends a hold. Returns no promise if decided in memory. @throws GatewayError as `apply`. */
  extend(command: ExtendCommand): Outcome | Promise<Outcome>;
  /**
   * Resolves when the settlement is durable. @throws GatewayError as `apply`.
   * @param isKeyed whether the request has an Idempotency-Key. PostgreSQL then replies `epoch_over`
   *   if the hold was resolved before, because a repeat of the request may have been charged since.
   */
  settle(command: SettleCommand, isKeyed?: boolean): Promise<Outcome>;
  /** Replaces a hold's checkpoint, which is stored within about a second. @throws if malformed. */
  keepCheckpoint(holdId: string, checkpoint: Checkpoint): void;
  /**
   * Applies a batch and resolves with one outcome per command, in the same order. When it rejects,
   * no command of the batch is still running.
   * @throws GatewayError `store_unavailable` when nothing was applied (the subclass
   *   `OutcomeInDoubt` when commands may have been applied). `invalid_value` when a command is
   *   malformed; then nothing is applied. `internal_error` when a command could not be applied,
   *   such as a settlement by an unpublished price card; other commands may have been applied.
   */
  apply(batch: readonly Command[]): Promise<readonly Outcome[]>;
  wallets(accountId: string): Promise<readonly Wallet[]>;
  /** The holds that only the memory of this process has, not the store. */
  readonly inMemory: HeldInMemory;
  receipt(requestId: string): Promise<StoredReceipt | null>;
  /** The sum of all charges of a key, per currency. */
  spentByKey(keyId: string): Promise<ReadonlyMap<Currency, NanoAmount>>;
  /** Stores new price cards and exchange rates. Call it before a receipt refers to them. */
  publish(cards: readonly PublishedCard[], rates: readonly PublishedRate[]): Promise<void>;
  /** Takes a lease, unless the epoch's is over. With SQLite, this ends every other lease. */
  join(node: NodeIdentity, leaseMs: number): Promise<'joined' | 'name_in_use' | 'epoch_over'>;
  /** Extends a live lease to `leaseMs` from now; `isLive` is false when the lease had ended. */
  renew(epoch: string, leaseMs: number): Promise<Lease>;
  /** Ends the lease now. */
  leave(epoch: string): Promise<void>;
  /**
   * Resolves pending holds (limit: `REAP_BATCH`) that have expired or whose lease has ended:
   * charges the checkpoint, with outcome `node_lost`, or releases the hold if it has no checkpoint.
   */
  reap(): Promise<Reaped>;
  /** Checks every invariant. Returns an empty list when the ledger is sound. */
  verify(): Promise<readonly Breach[]>;
}

/** The methods of the ledger that are used to serve a request. */
export type Sales = Pick<Ledger, 'hold' | 'extend' | 'settle' | 'keepCheckpoint'>;

/** A price card in the ledger. It never changes, so every receipt's price can be recomputed. */
export type PublishedCard = {
  readonly id: string;
  readonly currency: Currency;
  /** Pico-units per token by usage bucket; null on a price card for images. */
  readonly rates: { readonly [Bucket in keyof Usage]: bigint } | null;
  /** Nano-units per image by price key; null on a price card with prices per token. */
  readonly perImage: Readonly<Record<string, bigint>> | null;
  /** Price rows, multiples and fees as JSON; null for images or for one unconditional row. */
  readonly terms: string | null;
  readonly model: string;
  readonly channel: string;
  readonly list: string | null;
  readonly effectiveFromMs: number;
};
export type PublishedRate = FxRate & { readonly effectiveFromMs: number };
