/**
 * The questions that a node asks a store that it shares with other nodes.
 *
 * An assignment is money of one wallet that only one epoch (one start of a node) may hold. The
 * store counts it as held, so no other node can spend it. It ends with the node's lease.
 */
import type { Currency } from '../../money/amount.ts';
import type { Charge, FloatHold } from '../float/float-account.ts';
import type { Command } from '../ledger.ts';
import type { Reply } from '../wire.ts';

/** The account and the node whose assignments a question is about. */
export type Place = { readonly accountId: string; readonly epoch: string };
type PerWallet<Value> = { readonly [Unit in Currency]: Value };

/**
 * The state of an assignment in the store. A change names the version that it expects, so that a
 * delayed change has no effect. `version` is null when nothing is assigned.
 */
export type AssignedWallet = {
  readonly version: bigint | null;
  readonly amount: bigint;
  /** What could be held of the wallet in addition, including what other nodes do not use. */
  readonly rest: bigint;
};

/** Raises (above zero) or lowers the assignment of one wallet, or only reads the state (zero). */
export type Assign = Place & {
  readonly currency: Currency;
  /** The version to change; null to begin an assignment. */
  readonly version: bigint | null;
  readonly change: bigint;
  /** The smallest useful raise. If the wallet has less to spare, nothing is raised. */
  readonly atLeast: bigint;
  readonly keyIds: readonly string[];
};

/** The account's assignments on this node after the change, and which keys may use them. */
export type Assigned = {
  /** Whether nodes may decide requests of the account: see `books_is_fit`. */
  readonly isFit: boolean;
  readonly wallets: PerWallet<AssignedWallet>;
  readonly keys: readonly { readonly id: string; readonly expiresAtMs: number | null }[];
};

/**
 * Stores running holds, and charges that may not have arrived, as rows, and ends the account's
 * assignments. Skips a hold that is already a row or has a receipt.
 */
export type Surrender = Place & {
  readonly versions: PerWallet<bigint | null>;
  readonly holds: readonly FloatHold[];
};

/** The versions of assignments that remain, because they have changed meanwhile. */
export type Surrendered = PerWallet<bigint | null> & {
  /** Holds that the store cannot store. They are void; their settlements state what was held. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
};

/** The amount that running requests use of an assignment. Balances are shown with it. */
export type Used = {
  readonly accountId: string;
  readonly currency: Currency;
  readonly amount: bigint;
};

/** A command that the store decides. `moved` is its hold in memory, to be stored first. */
export type StoredCommand = {
  readonly command: Command;
  readonly moved: FloatHold | null;
  /** If true, the store does not recall assignments, but decides by what the wallet has now. */
  readonly isFirm: boolean;
};

/** The reply if a command needs assigned money. All nodes were asked to surrender the account. */
export type Recalled = { readonly status: 'recalled'; readonly accountId: string };

/** A key that may hold in memory, because the store last reported it as active and uncapped. */
export type LoadedKey = {
  readonly accountId: string;
  readonly id: string;
  readonly expiresAtMs: number | null;
};

export type Check = {
  readonly epoch: string;
  readonly used: readonly Used[];
  readonly keys: readonly LoadedKey[];
};
export type Checked = {
  /**
   * Accounts to surrender: recalled by the store, not fit, with an assignment that `used` lacks, or
   * with a changed key in `keys`.
   */
  readonly recalled: readonly string[];
  readonly rests: readonly (Pick<Place, 'accountId'> & PerWallet<bigint>)[];
};

export type StoreQuestions = {
  assign: { ask: Assign; answer: Assigned };
  surrender: { ask: Surrender; answer: Surrendered };
  /** The reply `epoch_over`: the assignment lacks the money, and nothing was charged. */
  charge: { ask: Charge; answer: Reply };
  command: { ask: StoredCommand; answer: Reply | Recalled };
  /** Stores a hold as a row, which can have checkpoints, unless it has a row or receipt already. */
  move: { ask: FloatHold; answer: null };
  /** Reports the used amounts, which balances are shown with, and returns what has changed. */
  check: { ask: Check; answer: Checked };
};

export type AssignmentStore = {
  /**
   * Sends a question. The answers of one node arrive in the order in which the store applied its
   * questions: `received` is called before the promise resolves, and before any other answer.
   * @throws GatewayError `store_unavailable` when it was not applied; the subclass
   *   `OutcomeInDoubt` when it may have been applied, or may be later.
   */
  ask<Kind extends keyof StoreQuestions>(
    kind: Kind,
    ask: StoreQuestions[Kind]['ask'],
    received?: (answer: StoreQuestions[Kind]['answer']) => void,
  ): Promise<StoreQuestions[Kind]['answer']>;
};
