/**
 * The ledger of a node that shares its store with other nodes. The store assigns money of a wallet
 * to a node. A hold that this assignment covers is decided in memory, and settled with one write.
 * The store decides all other commands. If such a command is about a hold in memory, the hold is
 * first stored as a row.
 *
 * Only the store refuses a hold. Before the store refuses a hold for lack of money, it recalls the
 * money that is assigned to nodes.
 */
import type { Clock } from '../../clock.ts';
import { type Currency, ZERO } from '../../money/amount.ts';
import { checkCommand } from '../check-command.ts';
import { Float } from '../float/float.ts';
import type { FloatAccount, FloatHold } from '../float/float-account.ts';
import type {
  Applied,
  Breach,
  Command,
  ExtendCommand,
  HoldCommand,
  Outcome,
  PublishedRate,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';
import { AssignedAccounts } from './assigned-accounts.ts';
import type { AssignmentStore } from './assignment-store.ts';
import { Assignments, type OnFault } from './assignments.ts';
import { NodeRight } from './node-right.ts';
import { PlannedCharges } from './planned-charges.ts';
import { StoredCommands } from './stored-commands.ts';
import type { OnUnanswered } from './unanswered-recall.ts';

export type AssignedDeps = {
  readonly store: AssignmentStore;
  readonly clock: Clock;
  /** An empty float (the holds in memory), which the ledger fills; by default a new one. */
  readonly float?: Float;
  readonly onFault?: OnFault;
  readonly onUnanswered?: OnUnanswered;
};

export class AssignedLedger {
  readonly #clock: Clock;
  readonly #float: Float;
  readonly right: NodeRight;
  readonly #accounts: AssignedAccounts;
  readonly #assignments: Assignments;
  readonly #commands: StoredCommands;
  readonly #charges: PlannedCharges;

  constructor({ store, clock, float = new Float(), ...watch }: AssignedDeps) {
    const { onFault = () => {}, onUnanswered = () => {} } = watch;
    const right = new NodeRight(clock);
    this.right = right;
    const noted: AssignmentStore = {
      ask: (kind, ask, received) => right.note(store.ask(kind, ask, received)),
    };
    this.#clock = clock;
    this.#float = float;
    this.#accounts = new AssignedAccounts(float, right);
    const deps = { float, accounts: this.#accounts, store: noted, right, clock, onFault };
    const assignments = new Assignments(deps);
    const commands = new StoredCommands({ ...deps, assignments, onUnanswered });
    this.#assignments = assignments;
    this.#commands = commands;
    this.#charges = new PlannedCharges({ ...deps, assignments, commands });
  }

  /** Makes a hold. Returns a promise only if the store decides it. @throws as `apply` */
  hold(command: HoldCommand): Outcome | Promise<Outcome> {
    checkCommand(command);
    const running = this.#float.holds.get(command.id);
    if (running !== undefined) return this.#float.hold(command, this.#of(running));
    const isNew = !this.#commands.isStored(command.id);
    const account = isNew && this.#knowsRates(command) ? this.#accounts.ready(command) : null;
    if (account !== null) return this.#holdOf(account, command);
    this.#assignments.note(command);
    return this.#commands.decide(command, null);
  }

  /** Extends a hold if the store allows it, which saves the checkpoint. @throws as `apply` */
  async extend(command: ExtendCommand): Promise<Outcome> {
    checkCommand(command);
    return await this.#commands.decide(command, command.holdId);
  }

  /** Resolves with the outcome when the charge is durable. @throws GatewayError as `apply` */
  async settle(command: SettleCommand, isKeyed = false): Promise<Outcome> {
    checkCommand(command);
    const { id, charge } = command;
    const { accountId, fxRateId } = command.receipt;
    const surrender = this.#assignments.settled(accountId);
    if (surrender !== null) await surrender;
    const held = this.#commands.running(id);
    const isRated = fxRateId === null || this.#float.hasRate(fxRateId);
    if (held !== null && isRated && charge <= held.amount) {
      const planned = this.#float.charge(command, held);
      planned.available = this.#accounts.available(held.by);
      return await this.#charges.send(planned, isKeyed);
    }
    const unsent = this.#float.accounts.get(accountId)?.charges.get(id);
    if (unsent !== undefined && !unsent.isSent && unsent.by.charge === charge) {
      return await this.#charges.send(unsent, isKeyed);
    }
    return await this.#commands.decide(command, id, isKeyed);
  }

  /**
   * Moves a hold from memory to a row of the store, because only a row can have checkpoints. Never
   * rejects. If this fails and the process dies, the request is not charged.
   */
  keepCheckpoint(holdId: string): void {
    const held = this.#commands.running(holdId);
    if (held !== null) this.#commands.move(held).catch(() => {});
  }

  /** Applies one command. @throws GatewayError as `Ledger.apply` */
  async applyOne(command: Command): Promise<Outcome> {
    switch (command.kind) {
      case 'hold':
        return await this.hold(command);
      case 'extend':
        return await this.extend(command);
      case 'settle':
        return await this.settle(command);
      case 'void':
        return await this.#void(command);
      default:
        checkCommand(command);
        return await this.#commands.decide(command, null);
    }
  }

  /** Whether the store may have assigned money of the account to this node. */
  isAssigned(accountId: string): boolean {
    return this.#accounts.isAssigned(accountId);
  }

  /** Surrenders accounts to the store, which has recalled them; null for all. Never rejects. */
  recalled(accountIds: readonly string[] | null): Promise<void> {
    return this.#assignments.recalled(accountIds);
  }

  /**
   * Reports the used amounts, surrenders accounts that the store has recalled, and returns unused
   * money. Call it with each heartbeat.
   * @throws GatewayError `store_unavailable`
   */
  check(): Promise<void> {
    return this.#assignments.check();
  }

  /** Forgets all assignments, because they belong to the previous epoch. */
  joined(): void {
    this.#accounts.forget();
    this.#float.live = this.right.epoch;
  }

  /** Surrenders all accounts. From then on, no hold is made in memory. Never rejects. */
  async leave(): Promise<void> {
    await this.#assignments.recalled(null);
    this.right.lost();
    this.#float.live = null;
  }

  /** Releases holds in memory that have expired or whose epoch has ended. Returns their number. */
  async reap(): Promise<number> {
    const nowMs = this.#clock.nowMs();
    const lost = this.#float.lost(nowMs);
    // A hold that the store may already have as a row is not released here: that could free its
    // money twice. Instead, its account is surrendered.
    const isInMemory = ({ by }: FloatHold): boolean => this.#commands.running(by.id) !== null;
    const doubtful = lost.filter((held) => !isInMemory(held)).map(({ by }) => by.accountId);
    const expired = lost.filter(isInMemory);
    for (const held of expired) this.#float.release(held);
    await this.#assignments.recalled([...this.#accounts.stuck(nowMs), ...doubtful]);
    return expired.length;
  }

  learn(rates: readonly Omit<PublishedRate, 'effectiveFromMs'>[]): void {
    this.#float.learn(rates);
  }

  isHeld(requestId: string): boolean {
    return this.#float.holds.has(requestId);
  }

  /**
   * Returns the amount of a wallet in running holds and unconfirmed charges, minus the amount last
   * reported to the store; below zero if less is used now.
   */
  unreported(accountId: string, currency: Currency): bigint {
    return this.#accounts.unreported(accountId, currency);
  }

  /**
   * Returns the amount, in nano-USD, that holds and unconfirmed charges use of the caps of an
   * account, or of one of its keys.
   */
  meteredOf(accountId: string, keyId: string | null): bigint {
    return this.#float.accounts.get(accountId)?.metered(keyId) ?? 0n;
  }

  breaches(): readonly Breach[] {
    return this.#float.breaches();
  }

  #holdOf(account: FloatAccount, command: HoldCommand): Outcome {
    const outcome = this.#float.hold(command, account);
    const held = this.#float.holds.get(command.id);
    if (outcome.status !== 'applied' || held === undefined) return outcome;
    const available = this.#accounts.available(command);
    const result: Applied = { amount: outcome.result.amount, available, loss: ZERO };
    held.result = result;
    this.#assignments.note(command);
    return { status: 'applied', result };
  }

  async #void(command: VoidCommand): Promise<Outcome> {
    checkCommand(command);
    const surrender = this.#assignments.settled(command.accountId);
    if (surrender !== null) await surrender;
    const held = this.#commands.running(command.id);
    if (held === null) return await this.#commands.decide(command, command.id);
    const outcome = this.#float.void(command);
    if (outcome.status !== 'applied') return outcome;
    const available = this.#accounts.available(held.by);
    return { status: 'applied', result: { ...outcome.result, available } };
  }

  #knowsRates({ exchange, priceRate }: HoldCommand): boolean {
    return (
      (exchange === null || this.#float.knows(exchange)) &&
      (priceRate === null || this.#float.knows(priceRate))
    );
  }

  #of({ by }: FloatHold): FloatAccount {
    return this.#float.account(by.accountId, () => false);
  }
}
