/**
 * What the float of one node asks a store that it shares with other nodes.
 *
 * An assignment is money of one wallet that one epoch may hold. The store counts it as held, so
 * nobody else can spend it. Only its node changes it, and the store ends it with the node's lease.
 */
import type { Currency } from '../../money/amount.ts';
import type { Charge, FloatHold } from '../float/float-account.ts';
import type { Command } from '../ledger.ts';
import type { Reply } from '../wire.ts';

/** Whose assignments a question is about. */
export type Place = { readonly accountId: string; readonly epoch: string };
type PerWallet<Value> = { readonly [Unit in Currency]: Value };

/**
 * The state of an assignment in the store. A change names the version that it was decided for, so
 * that one that arrives late changes nothing. `version` is null when nothing is assigned.
 */
export type AssignedWallet = {
  readonly version: bigint | null;
  readonly amount: bigint;
  /** What else of the wallet could be held, also from what other nodes do not use. */
  readonly rest: bigint;
};

/** Raises (above zero) or lowers the assignment of one wallet, or only reads the state (zero). */
export type Assign = Place & {
  readonly currency: Currency;
  /** The version to change; null to begin an assignment. */
  readonly version: bigint | null;
  readonly change: bigint;
  /** The least useful raise. If the wallet cannot spare so much, nothing is raised. */
  readonly atLeast: bigint;
  readonly keyIds: readonly string[];
};

/** The account's assignments on this node after the change, and which keys may use them. */
export type Assigned = {
  /** Whether requests of the account may be decided by a node: see `books_is_fit`. */
  readonly isFit: boolean;
  readonly wallets: PerWallet<AssignedWallet>;
  readonly keys: readonly { readonly id: string; readonly expiresAtMs: number | null }[];
};

/**
 * Moves running holds, and charges that may not have arrived, to rows of the store, and ends the
 * account's assignments. A hold that is a row already, or has a receipt, is not moved again.
 */
export type Surrender = Place & {
  readonly versions: PerWallet<bigint | null>;
  readonly holds: readonly FloatHold[];
};

/** The versions of assignments that remain, because they have changed meanwhile. */
export type Surrendered = PerWallet<bigint | null> & {
  /** Holds that the store refuses as rows. They are void, and their settlements state them. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
};

/** What running requests reserve of a wallet's assignment, for readers of balances. */
export type Used = {
  readonly accountId: string;
  readonly currency: Currency;
  readonly amount: bigint;
};

/** A command that the store decides. `moved` is its hold, which becomes a row beforehand. */
export type StoredCommand = {
  readonly command: Command;
  readonly moved: FloatHold | null;
  /** Whether to decide by what the wallet has, even if assignments would cover the command. */
  readonly isFirm: boolean;
};

/** The command needs money that is assigned. All nodes were asked to surrender the account. */
export type Recalled = { readonly status: 'recalled'; readonly accountId: string };

/** A key that may hold in memory, as the store last reported it: active and without caps. */
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
   * Accounts to surrender: recalled, not fit, with assignments that `used` does not list, or with a
   * key in `keys` that has changed.
   */
  readonly recalled: readonly string[];
  readonly rests: readonly (Pick<Place, 'accountId'> & PerWallet<bigint>)[];
};

export type StoreQuestions = {
  assign: { ask: Assign; answer: Assigned };
  surrender: { ask: Surrender; answer: Surrendered };
  /** `epoch_over`: the assignment does not have the money any more, and nothing was charged. */
  charge: { ask: Charge; answer: Reply };
  command: { ask: StoredCommand; answer: Reply | Recalled };
  /** Makes a hold a row, so that its checkpoints are kept. See `Surrender` for holds. */
  move: { ask: FloatHold; answer: null };
  /** Notes what is used, for readers of balances, and finds what has changed. */
  check: { ask: Check; answer: Checked };
};

export type AssignmentStore = {
  /**
   * Asks and writes. Within the questions of one node, answers come in the order in which the store
   * applied them: `received` is called before the promise resolves, and before any other answer.
   * @throws GatewayError `store_unavailable`; the subclass `OutcomeInDoubt` when it may have been,
   *   or may yet be, applied.
   */
  ask<Kind extends keyof StoreQuestions>(
    kind: Kind,
    ask: StoreQuestions[Kind]['ask'],
    received?: (answer: StoreQuestions[Kind]['answer']) => void,
  ): Promise<StoreQuestions[Kind]['answer']>;
};
