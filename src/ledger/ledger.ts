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
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';

/** Money comes in. `source` is the account on the other side of the entry. */
export type CreditCommand = {
  readonly kind: 'credit';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  /** Greater than zero. */
  readonly amount: NanoAmount;
  readonly source: 'top_up' | 'demo' | 'goodwill';
  readonly reason: string;
  readonly atMs: number;
};

/**
 * Reserves money for a request before any upstream is called. Checks, in the same transaction that takes
 * it, that key and account are active and that the wallet can afford it.
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
  /** The node that made it; a dead node's holds can be told by it. */
  readonly epoch: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
};

/** Raises a pending hold, all or nothing. */
export type ExtendCommand = {
  readonly kind: 'extend';
  readonly id: string;
  readonly holdId: string;
  /** What to add; greater than zero. */
  readonly amount: NanoAmount;
  readonly atMs: number;
};

/**
 * Resolves a hold: takes `charge`, gives back the rest, writes the receipt, all in one transaction.
 * A charge above the hold takes more only as far as the wallet has it; the rest is `operator_loss`.
 * A charge of zero is a void that keeps its receipt.
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
  readonly atMs: number;
};

export type Command = CreditCommand | HoldCommand | ExtendCommand | SettleCommand | AdjustCommand;

/** Refusals in order of precedence: the first that applies is answered. */
export type Outcome =
  | { readonly status: 'applied' | 'already_applied'; readonly result: Applied }
  | { readonly status: 'id_reused' }
  | { readonly status: 'account_unknown' }
  | { readonly status: 'key_inactive' }
  | { readonly status: 'account_inactive' }
  | { readonly status: 'hold_unknown' }
  | { readonly status: 'hold_resolved' }
  /** `available`: what could be held now, in the command's currency, exchange included. */
  | { readonly status: 'balance_too_low'; readonly available: NanoAmount };

export type Applied = {
  /** hold, extend: the hold's whole amount now. settle: what was taken. credit, adjust: the amount. */
  readonly amount: NanoAmount;
  /** What the wallet can still afford, in the command's currency, exchange included. */
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
  | 'shutdown';

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
  /** Routes tried, in order, such as `anthropic/claude-x:200`. */
  readonly attempts: readonly string[];
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

/** A breach of an invariant: which law, and the row that breaks it. */
export type Breach = {
  readonly invariant: string;
  readonly subject: string;
  readonly detail: string;
};

export interface Ledger extends AsyncDisposable {
  /**
   * @throws GatewayError `store_unavailable` when nothing of the batch can be known to be durable, so that
   *   repeating it is the remedy; `invalid_value` when a command is malformed, and then nothing of the
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
  /** Settles as free every pending hold whose epoch is not `liveEpoch`; returns how many. */
  releaseOrphans(liveEpoch: string, atMs: number): Promise<number>;
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
