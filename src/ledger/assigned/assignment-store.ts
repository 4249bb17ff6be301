/**
 * The questions that a node asks a store that it shares with other nodes.
 *
 * An assignment is money of one wallet that only one epoch (one start of a node) may hold. The
 * store counts the assignment as held, so no other node can spend it. An assignment ends with the
 * lease of its node.
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
  /**
   * The amount that could be held in addition to the assignment. It includes money that is assigned
   * to other nodes but not in use there.
   */
  readonly rest: bigint;
};

/**
 * Raises (above zero) or lowers (below zero) the assignment of one wallet. A change of zero only
 * reads the assignment.
 */
export type Assign = Place & {
  readonly currency: Currency;
  /** The version to change; null to begin an assignment. */
  readonly version: bigint | null;
  readonly change: bigint;
  /** The smallest useful raise. If the wallet has less free money, the assignment is not raised. */
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
 * Stores the account's running holds as rows, and the holds of charges that may not have reached
 * the store. Ends the account's assignments. Skips a hold that is already a row or has a receipt.
 */
export type Surrender = Place & {
  readonly versions: PerWallet<bigint | null>;
  readonly holds: readonly FloatHold[];
};

/** The versions of the assignments that remain, because they were changed during the surrender. */
export type Surrendered = PerWallet<bigint | null> & {
  /**
   * Holds that cannot be stored as rows. They become void, but their settlements state the held
   * amount and are still charged.
   */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
};

/**
 * The amount of an assignment that running requests and unconfirmed charges use. Only this part of
 * the assignment is shown as held.
 */
export type Used = {
  readonly accountId: string;
  readonly currency: Currency;
  readonly amount: bigint;
};

/**
 * A command that the store decides. `moved` is its hold in memory, which must become a row first;
 * null if memory has no such hold.
 */
export type StoredCommand = {
  readonly command: Command;
  readonly moved: FloatHold | null;
  /**
   * If true, the store does not ask nodes to surrender the account, but decides by the money that
   * the wallet has now.
   */
  readonly isFirm: boolean;
  /** For a settlement: see `Ledger.settle`. */
  readonly isKeyed?: boolean;
};

/**
 * The reply to a command that needs assigned money. All nodes were asked to surrender the account.
 */
export type Recalled = { readonly status: 'recalled'; readonly accountId: string };

/**
 * A key with which the node may make holds in memory, because the store last reported the key as
 * active and uncapped.
 */
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
   * The accounts that the node must surrender. The reason is one of these:
   * - The store has recalled the account.
   * - Nodes may not decide its requests (`isFit`).
   * - `used` lacks an assignment of the account.
   * - A key of the account in `keys` was changed.
   */
  readonly recalled: readonly string[];
  readonly rests: readonly (Pick<Place, 'accountId'> & PerWallet<bigint>)[];
};

export type StoreQuestions = {
  assign: { ask: Assign; answer: Assigned };
  surrender: { ask: Surrender; answer: Surrendered };
  /**
   * The reply `epoch_over` means that the assignment lacks the money, and that nothing was charged.
   */
  charge: { ask: Charge; answer: Reply };
  command: { ask: StoredCommand; answer: Reply | Recalled };
  /**
   * Stores a hold as a row, so that it can have checkpoints, unless it has a row or a receipt
   * already.
   */
  move: { ask: FloatHold; answer: null };
  /**
   * Reports the used amounts, which are shown as held, and returns what has changed in the store.
   */
  check: { ask: Check; answer: Checked };
};

export type AssignmentStore = {
  /**
   * Sends a question. The answers of one node arrive in the order in which the store applied its
   * questions: `received` is called before the promise resolves, and before any other answer.
   * @throws GatewayError `store_unavailable` when the question was not applied; the subclass
   *   `OutcomeInDoubt` when it may have been applied, or may be applied later.
   */
  ask<Kind extends keyof StoreQuestions>(
    kind: Kind,
    ask: StoreQuestions[Kind]['ask'],
    received?: (answer: StoreQuestions[Kind]['answer']) => void,
  ): Promise<StoreQuestions[Kind]['answer']>;
};
