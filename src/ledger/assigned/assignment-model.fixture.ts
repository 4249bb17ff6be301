/**
 * A simple model, in memory, of the store that nodes share. It implements `AssignmentStore` and
 * behaves like the stored functions in `assignments.sql`. `LedgerModel` decides the commands of an
 * account.
 */
import { CURRENCIES, type Currency } from '../../money/amount.ts';
import { LedgerModel, type ModelHold } from '../conformance/ledger-model.fixture.ts';
import type { Charge, FloatHold } from '../float/float-account.ts';
import type { CapOwner, Command } from '../ledger.ts';
import type { Reply } from '../wire.ts';
import type {
  Assign,
  Assigned,
  Check,
  Checked,
  LoadedKey,
  Place,
  Recalled,
  StoredCommand,
  StoreQuestions,
  Surrender,
  Surrendered,
} from './assignment-store.ts';

export type Assignment = {
  readonly accountId: string;
  readonly currency: Currency;
  readonly epoch: string;
  amount: bigint;
  used: bigint;
  version: bigint;
  isRecalled: boolean;
};
type Answers = {
  readonly [Kind in keyof StoreQuestions]: (
    ask: StoreQuestions[Kind]['ask'],
  ) => StoreQuestions[Kind]['answer'];
};
/** An assignment is raised by at most the wallet's free money divided by this number. */
const SHARE = 4n;

export class AssignmentModel {
  nowMs: number;
  readonly accounts = new Map<string, LedgerModel>();
  assignments: Assignment[] = [];
  /** Called with each wallet command that the model has applied. */
  onOrder: (command: Command, accountId: string) => void = () => undefined;
  /** Called with an account's id after a change to data that a node may have in memory. */
  onTouched: (accountId: string) => void = () => undefined;
  readonly leases = new Map<string, number>();
  #versions = 0n;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  readonly answers: Answers = {
    assign: (ask) => this.assign(ask),
    surrender: (ask) => this.surrender(ask),
    charge: (ask) => this.charge(ask),
    command: (ask) => this.command(ask),
    move: (ask) => this.move(ask),
    check: (ask) => this.check(ask),
  };

  addAccount(id: string): LedgerModel {
    const account = new LedgerModel({ has: (epoch) => this.hasLease(epoch) }, 'stored');
    this.accounts.set(id, account);
    return account;
  }

  account(id: string): LedgerModel {
    const account = this.accounts.get(id);
    if (account === undefined) throw new Error(`no account ${id}`);
    return account;
  }

  hasLease(epoch: string): boolean {
    return (this.leases.get(epoch) ?? 0) > this.nowMs;
  }

  /** Returns false if the lease of the epoch has ended. */
  join(epoch: string, leaseMs: number): boolean {
    if (this.leases.has(epoch) && !this.hasLease(epoch)) return false;
    this.leases.set(epoch, this.nowMs + leaseMs);
    return true;
  }

  /** Returns whether the lease was live. An ended lease cannot be renewed. */
  renew(epoch: string, leaseMs: number): boolean {
    const isLive = this.hasLease(epoch);
    if (isLive) this.join(epoch, leaseMs);
    return isLive;
  }

  leave(epoch: string): void {
    this.leases.set(epoch, this.nowMs);
  }

  reap(): void {
    this.endAssignments(null);
    for (const account of this.accounts.values()) account.reap(this.nowMs);
  }

  /** Changes the status, a key or a cap of an account, as an administrator does. */
  change(accountId: string, apply: (account: LedgerModel) => void): void {
    apply(this.account(accountId));
    this.onTouched(accountId);
  }

  /** Asks all nodes to surrender an account. Returns whether any node has an assignment of it. */
  recall(accountId: string): boolean {
    this.endAssignments(accountId);
    const assigned = this.of(accountId);
    for (const assignment of assigned) assignment.isRecalled = true;
    if (assigned.length > 0) this.onTouched(accountId);
    return assigned.length > 0;
  }

  assign({ accountId, epoch, currency, version, change, atLeast, keyIds }: Assign): Assigned {
    const account = this.account(accountId);
    const isFit = this.#isFit(accountId);
    const hasKey = account.isKeyActive && !hasCap(account, 'key');
    const keys = hasKey ? keyIds.map((id) => ({ id, expiresAtMs: null })) : [];
    const mayRaise = isFit && keys.length > 0 && this.hasLease(epoch);
    const spare = account.free(currency) / SHARE;
    const raise = change < spare ? change : spare;
    const isEnough = mayRaise && raise > 0n && raise >= atLeast;
    const granted = change > 0n ? (isEnough ? raise : 0n) : change;
    const known = this.find(accountId, currency, epoch);
    if (granted !== 0n && (known?.version ?? null) === version) {
      if (known === null) this.#begin({ accountId, currency, epoch }, granted);
      else {
        known.amount += granted;
        if (known.amount < 0n) throw new Error(`${accountId} is assigned less than nothing`);
        known.version = ++this.#versions;
      }
      account.held[currency] += granted;
    }
    const state = (unit: Currency) => {
      const assignment = this.find(accountId, unit, epoch);
      const rest = this.#rest(accountId, unit, epoch);
      return { version: assignment?.version ?? null, amount: assignment?.amount ?? 0n, rest };
    };
    return { isFit, wallets: { USD: state('USD'), CNY: state('CNY') }, keys };
  }

  surrender({ accountId, epoch, versions, holds }: Surrender): Surrendered {
    const version = (unit: Currency) => this.find(accountId, unit, epoch)?.version ?? null;
    const left = { USD: version('USD'), CNY: version('CNY'), refused: [] };
    if (CURRENCIES.some((unit) => left[unit] !== null && left[unit] !== versions[unit])) {
      return left;
    }
    for (const held of holds) this.move(held);
    this.end((each) => each.accountId === accountId && each.epoch === epoch);
    return { USD: null, CNY: null, refused: [] };
  }

  /** Writes a charge that a node has planned in memory, and deducts it from the assignment. */
  charge({ by, hold: { by: made }, plan }: Charge): Reply {
    const account = this.account(made.accountId);
    if (account.charged(by.id) !== null) return account.apply(by);
    const assignment = this.find(made.accountId, made.currency, made.epoch);
    // A hold that has become a row is settled by the store itself, so the node's charge is not
    // applied.
    if (account.isKnown(by.id) || assignment === null || assignment.amount < plan.taken) {
      return { status: 'epoch_over' };
    }
    assignment.amount -= plan.taken;
    return account.take(made, by);
  }

  /** Stores a node's hold as a row, unless it already has a row or a receipt. */
  move({ by, amount }: FloatHold): null {
    const account = this.account(by.accountId);
    const assignment = this.find(by.accountId, by.currency, by.epoch);
    if (account.isKnown(by.id) || assignment === null || assignment.amount < amount) return null;
    assignment.amount -= amount;
    account.move(by, amount);
    return null;
  }

  command({ command, moved, isFirm }: StoredCommand): Reply | Recalled {
    if (moved !== null) this.move(moved);
    const accountId = this.accountOf(command);
    if (accountId === null) return { status: 'hold_unknown' };
    if (!isFirm && this.#lacks(command, accountId)) {
      this.recall(accountId);
      return { status: 'recalled', accountId };
    }
    const account = this.account(accountId);
    const wasCareful = account.careful > 0;
    const outcome = account.apply(command);
    if (outcome.status === 'applied') this.onOrder(command, accountId);
    if (!wasCareful && account.careful > 0) this.onTouched(accountId);
    return outcome;
  }

  check({ epoch, used, keys }: Check): Checked {
    const listed = new Set<string>();
    for (const { accountId, currency, amount } of used) {
      listed.add(accountId);
      const assignment = this.find(accountId, currency, epoch);
      if (assignment !== null) assignment.used = amount;
    }
    const own = new Set(this.assignments.filter((each) => each.epoch === epoch).map(accountOf));
    const rests = [...listed].map((accountId) => ({
      accountId,
      USD: this.#rest(accountId, 'USD', epoch),
      CNY: this.#rest(accountId, 'CNY', epoch),
    }));
    const changed = new Set(keys.filter((key) => this.#hasChanged(key)).map(accountOf));
    const mayStay = (id: string): boolean => listed.has(id) && this.#isFit(id) && !changed.has(id);
    return { recalled: [...own].filter((id) => !mayStay(id)), rests };
  }

  of(accountId: string): readonly Assignment[] {
    return this.assignments.filter((each) => each.accountId === accountId);
  }

  find(accountId: string, currency: Currency, epoch: string): Assignment | null {
    const isIt = (each: Assignment): boolean =>
      each.epoch === epoch && each.currency === currency && each.accountId === accountId;
    return this.assignments.find(isIt) ?? null;
  }

  /**
   * Ends the assignments of nodes whose lease has ended.
   * @param accountId the account whose assignments end; null for all accounts.
   */
  endAssignments(accountId: string | null): void {
    this.end(
      (each) => !this.hasLease(each.epoch) && (accountId === null || each.accountId === accountId),
    );
  }

  /** Ends the assignments for which `isOver` is true, and returns their money to the wallets. */
  end(isOver: (assignment: Assignment) => boolean): void {
    for (const each of this.assignments.filter(isOver)) {
      this.account(each.accountId).held[each.currency] -= each.amount;
    }
    this.assignments = this.assignments.filter((each) => !isOver(each));
  }

  /**
   * Whether a command needs money that is assigned to nodes. First ends the account's assignments
   * whose lease is over.
   */
  #lacks(command: Command, accountId: string): boolean {
    const account = this.account(accountId);
    const isSettled = command.kind === 'settle' && account.charged(command.id)?.isReaped === false;
    const needed = isSettled ? null : neededFor(command, account);
    if (needed === null) return false;
    this.endAssignments(accountId);
    const assigned = this.of(accountId);
    if (assigned.length === 0) return false;
    if (needed === 'all' || (command.kind === 'hold' && !isPlain(account))) return true;
    const { currency, amount, scaled } = needed;
    const own = account.free(currency);
    if (own < amount && assigned.some((each) => each.currency === currency)) return true;
    const other = account.free(currency === 'USD' ? 'CNY' : 'USD');
    return own + (scaled === null ? 0n : (other * scaled) / 100_000_000n) < amount;
  }

  /** Returns a command's account; null if it refers to an unknown hold or receipt. */
  accountOf(command: Command): string | null {
    if (command.kind === 'settle') return command.receipt.accountId;
    if ('accountId' in command) return command.accountId;
    const id = command.kind === 'refund' ? command.requestId : command.holdId;
    for (const [accountId, account] of this.accounts) if (account.isKnown(id)) return accountId;
    return null;
  }

  /**
   * Whether nodes may decide holds of an account: only its balance can refuse a hold, and none of
   * its assignments is recalled.
   */
  #isFit(accountId: string): boolean {
    if (!isPlain(this.account(accountId))) return false;
    return this.of(accountId).every(({ isRecalled }) => !isRecalled);
  }

  /** Whether a key differs from the state in a node's memory. Keys of the model do not expire. */
  #hasChanged({ accountId, expiresAtMs }: LoadedKey): boolean {
    const account = this.account(accountId);
    return !account.isKeyActive || hasCap(account, 'key') || expiresAtMs !== null;
  }

  #rest(accountId: string, currency: Currency, epoch: string): bigint {
    let rest = this.account(accountId).free(currency);
    for (const each of this.of(accountId)) {
      if (each.currency !== currency || each.epoch === epoch) continue;
      rest += each.used < each.amount ? each.amount - each.used : 0n;
    }
    return rest < 0n ? 0n : rest;
  }

  #begin(place: Pick<Assignment, 'accountId' | 'currency' | 'epoch'>, amount: bigint): void {
    const version = ++this.#versions;
    this.assignments.push({ ...place, amount, used: 0n, version, isRecalled: false });
  }
}

const accountOf = ({ accountId }: Place | LoadedKey): string => accountId;

const hasCap = ({ meters, memberCaps }: LedgerModel, owner: CapOwner): boolean => {
  const caps = owner === 'member' ? memberCaps : meters[owner].caps;
  return Object.values(caps).some((cap) => cap !== null);
};

function runningHold(account: LedgerModel, id: string): ModelHold | undefined {
  const hold = account.holds.get(id);
  return hold?.state === 'pending' ? hold : undefined;
}

const isPlain = (account: LedgerModel): boolean =>
  account.isActive &&
  account.careful === 0 &&
  !hasCap(account, 'account') &&
  !hasCap(account, 'member');

/** Returns the money that a command needs; `all` if all assignments must be returned first. */
function neededFor(command: Command, account: LedgerModel) {
  switch (command.kind) {
    case 'hold': {
      const { currency, amount, exchange } = command;
      return { currency, amount: BigInt(amount), scaled: exchange?.scaled ?? null };
    }
    case 'extend': {
      const hold = runningHold(account, command.holdId);
      if (hold === undefined) return null;
      return { ...hold, amount: BigInt(command.amount) };
    }
    case 'settle': {
      const hold = runningHold(account, command.id);
      const { currency } = command.receipt;
      const amount = command.charge - (hold?.own ?? 0n);
      return { currency, amount, scaled: hold?.scaled ?? null };
    }
    case 'exchange':
    case 'credit_limit':
      return 'all';
    case 'adjust':
      return command.amount < 0n ? 'all' : null;
    default:
      return null;
  }
}
