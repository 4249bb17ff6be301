/**
 * Where money lives. Commands go in as batches and come out as outcomes; no transaction handle leaves
 * this room. A batch is durable when `apply` resolves. Its commands succeed or fail alone, in order,
 * and the n-th outcome answers the n-th command.
 *
 * Double entry: every applied command writes entries that sum to zero per currency. A wallet never goes
 * below its floor; what cannot be taken from it is booked to `operator_loss`, where it can be seen.
 * A command's id is its idempotency key: the same id with the same body is applied once and answers
 * `already_applied` with the first result; with another body it answers `id_reused`. The body is all of
 * it but its times, so a retry may say when it was made. A settlement has its hold's id; every other id is
 * used once over all kinds.
 */
import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';

/** The account of the books that money comes in from. */
export type CreditSource = 'top_up' | 'redeem_code' | 'card_payment' | 'demo' | 'goodwill';

/**
 * Money comes in. `source` is the account on the other side of the entry. Like every command that a
 * person answers for, it writes an audit entry in its transaction, by `actor`.
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
  /** Who ordered it, as the audit log names them: `admin`, `system`, `key_...`. */
  readonly actor: string;
  readonly atMs: number;
};

/**
 * Reserves money for a request before any upstream is called. Checks, in the same transaction that takes
 * it, that key and account are active, that the node's lease runs, and that the wallet and the spending
 * caps of key and account can afford it.
 */
export type HoldCommand = {
  readonly kind: 'hold';
  /** The request's id; the hold is settled or voided under it. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  /** What to hold if the wallet affords it. */
  readonly amount: NanoAmount;
  /** Take all that is there, down to this, when `amount` is not. Equal to `amount`: all or nothing. */
  readonly atLeast: NanoAmount;
  /**
   * When set, what the wallet lacks may be held in the other wallet at this pinned rate
   * (base = the other currency, quote = `currency`) and is exchanged when the hold settles. The rate has
   * been published.
   */
  readonly exchange: FxRate | null;
  /**
   * Published rate from the currency that spending caps count in (USD) to `currency`; null when they are
   * the same. What a request counts against a cap is its charge divided by this rate, half to even.
   */
  readonly priceRate: FxRate | null;
  /** The process that made it; a dead one's holds can be told by it. */
  readonly epoch: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
};

/** What a request has come to so far: charged if its process dies before it can say more. */
export type Checkpoint = { readonly charge: NanoAmount; readonly receipt: Receipt };

/** Raises a pending hold, all or nothing. Key, account and caps are checked as they were for the hold. */
export type ExtendCommand = {
  readonly kind: 'extend';
  readonly id: string;
  readonly holdId: string;
  /** What to add; greater than zero. */
  readonly amount: NanoAmount;
  /** Replaces the hold's earlier one; null leaves that. Not part of the command's body. */
  readonly checkpoint: Checkpoint | null;
  readonly atMs: number;
};

/**
 * Gives a hold back whole, without a receipt: its request was never begun. A hold that is not there is
 * marked as given back, so that one which is still on its way cannot be made any more.
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
 * Resolves a hold: takes `charge`, gives back the rest, writes the receipt, all in one transaction.
 * A charge above the hold takes more only as far as the wallet has it; the rest is `operator_loss`.
 * A charge of zero is a void that keeps its receipt.
 *
 * A settlement may come after the hold was reaped, from a process that was thought dead. The wallet then
 * pays as far as it has it, as for a charge above the hold. If the reaper had charged a checkpoint, that
 * receipt stays and a second one corrects it: it states the whole truth, and its charge and loss are what
 * is added to the first one's, less than zero when the checkpoint was too high.
 */
export type SettleCommand = {
  readonly kind: 'settle';
  /** The hold's id. */
  readonly id: string;
  readonly charge: NanoAmount;
  readonly receipt: Receipt;
  readonly atMs: number;
};

/** An operator's correction of either sign, with its reason; guarded by the floor. */
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

/** Buys money for one wallet of an account with that of its other one, at a published rate. */
export type ExchangeCommand = {
  readonly kind: 'exchange';
  readonly id: string;
  readonly accountId: string;
  /** base is sold, quote is bought. */
  readonly rate: FxRate;
  /** What is bought, in `rate.quote`; greater than zero. It costs `sellFor` of it in `rate.base`. */
  readonly amount: NanoAmount;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
};

/** Gives back what a request was charged, or part of it; over all refunds never more than the charge. */
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

/** Sets how far below zero a wallet may go: its floor is minus this. */
export type CreditLimitCommand = {
  readonly kind: 'credit_limit';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** Zero or more. One that is lower than what is drawn already is `balance_too_low`. */
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

/** A window that spending is capped over: UTC days, weeks from Monday, months, or all time. */
export type CapWindow = 'day' | 'week' | 'month' | 'total';

/** Refusals in order of precedence: the first that applies is answered. */
export type Outcome =
  | { readonly status: 'applied' | 'already_applied'; readonly result: Applied }
  | { readonly status: 'id_reused' }
  | { readonly status: 'account_unknown' }
  | { readonly status: 'key_inactive' }
  | { readonly status: 'account_inactive' }
  /** hold: the lease of its epoch has ended; this process must not sell any more. */
  | { readonly status: 'epoch_over' }
  /** refund: of the request, too. */
  | { readonly status: 'hold_unknown' }
  | { readonly status: 'hold_resolved' }
  /**
   * `available`: what could be held now, in the command's currency, exchange included; of a refund, what
   * could still be given back.
   */
  | { readonly status: 'balance_too_low'; readonly available: NanoAmount }
  /** A spending cap stands in the way: the key's before the account's, the shortest window first. */
  | {
      readonly status: 'cap_reached';
      readonly owner: 'key' | 'account';
      readonly window: CapWindow;
      /** What the caps leave, in the command's currency; never below zero. */
      readonly available: NanoAmount;
    };

export type Applied = {
  /**
   * hold, extend: the hold's whole amount now. settle: what was taken in all. void: what was given back.
   * Of the others: the command's amount.
   */
  readonly amount: NanoAmount;
  /** What the wallet can still afford, in the command's currency, exchange included; caps are not. */
  readonly available: NanoAmount;
  /** settle: the part of the charge that could not be taken. Zero otherwise. */
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
  /** Its process died; what is charged is its last checkpoint. */
  | 'node_lost';

/** One request's record: enough for anyone to recompute its price from the published card. */
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
  /** True when the counts are ours, since the upstream gave none. */
  readonly estimated: boolean;
  readonly streamed: boolean;
  readonly outcome: RequestOutcome;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly startedAtMs: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** Routes tried, in order; the last one served, if any did. */
  readonly attempts: readonly AttemptRecord[];
};

/** One route that a request was sent to. */
export type AttemptRecord = {
  readonly channel: string;
  /** The upstream by its configured name, and the model's name there. */
  readonly upstream: string;
  readonly model: string;
  /** The status it answered with, such as `200`, or the code of the failure, such as `upstream_timeout`. */
  readonly result: string;
  /** Since the request was admitted, milliseconds. */
  readonly startMs: number;
  /** Until its status line or its failure, milliseconds. */
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

/** A process of the gateway: `epoch` is its life, `name` is what an operator calls it. */
export type NodeIdentity = { readonly epoch: string; readonly name: string };
/** `nodes`: how many leases run, this one included; rate limits are shared over them. */
export type Lease = { readonly isLive: boolean; readonly nodes: number };
export type Reaped = { readonly settled: number; readonly voided: number };

/** A breach of an invariant: which law, and the row that breaks it. */
export type Breach = {
  readonly invariant: string;
  readonly subject: string;
  readonly detail: string;
};

/**
 * A batch was sent to the store and no answer came: it may be in the books, or come to be. Whoever asked
 * for a hold gives it back, so that it cannot stay behind; a settlement is sent again.
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
   * @throws GatewayError `store_unavailable` when nothing of the batch can be known to be durable, so that
   *   repeating it is the remedy (`OutcomeInDoubt` when it may be durable all the same); `invalid_value` when a command is malformed, and then nothing of the
   *   batch is applied; `internal_error` when one could not be applied, such as a settlement by a card
   *   that was never published: the others of the batch may have been.
   */
  apply(batch: readonly Command[]): Promise<readonly Outcome[]>;
  wallets(accountId: string): Promise<readonly Wallet[]>;
  receipt(requestId: string): Promise<StoredReceipt | null>;
  /** Sum of all charges of a key, per currency. */
  spentByKey(keyId: string): Promise<ReadonlyMap<Currency, NanoAmount>>;
  /** Publishes cards and rates before any receipt may name them; a known id is left as it is. */
  publish(cards: readonly PublishedCard[], rates: readonly PublishedRate[]): Promise<void>;
  /**
   * Takes a lease for a process under its epoch. In the embedded store, which one process owns, every
   * other lease ends with that. Times are by the store's own clock.
   * @returns `name_in_use` when another live lease has the name; then nothing was taken.
   */
  join(node: NodeIdentity, leaseMs: number): Promise<'joined' | 'name_in_use'>;
  /** Lengthens the lease. One that has ended, or was never taken, stays so: `isLive` is false. */
  renew(epoch: string, leaseMs: number): Promise<Lease>;
  /** Ends the lease now. */
  leave(epoch: string): Promise<void>;
  /**
   * Resolves pending holds whose epoch's lease has ended, or whose own time has: by its checkpoint, as
   * an estimate with the outcome `node_lost`, or else by giving it back. At most `REAP_BATCH` a call.
   */
  reap(): Promise<Reaped>;
  /** Runs every invariant; empty when the books are sound. */
  verify(): Promise<readonly Breach[]>;
}

/** A card as the ledger keeps it: opaque content by id, so that receipts stay computable for ever. */
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
