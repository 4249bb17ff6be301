/**
 * A ledger whose holds are in memory. Holds and extensions of a loaded account are decided
 * synchronously. The store's thread writes charges and wallet commands. No other code may change
 * wallets in the store. When other code has changed keys, accounts or caps, it must call `touched`.
 */
import type { Clock, Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { Currency } from '../../money/amount.ts';
import { text } from '../../store/row.ts';
import { checkCharge, checkCommand } from '../check-command.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import type {
  Breach,
  Checkpoint,
  Command,
  ExtendCommand,
  HoldCommand,
  Outcome,
  PublishedRate,
  Reaped,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';
import type { WalletCommand } from '../wallet-command.ts';
import { Float } from './float.ts';
import { keepCheckpoint } from './float-account.ts';
import { FloatCommits } from './float-commits.ts';
import { FloatSettlements } from './float-settlements.ts';
import type { FloatLink, Touched } from './float-store.ts';
import { FloatUpkeep } from './float-upkeep.ts';
import { orderToWire } from './float-wire.ts';
import { LoadedAccounts } from './loaded-accounts.ts';

/** How often new checkpoints of running streams are written. */
export const CHECKPOINT_MS = 1_000;

export type FloatDeps = {
  readonly link: FloatLink;
  readonly clock: Clock;
  /** An empty float (the holds in memory), which the ledger fills; by default a new one. */
  readonly float?: Float;
};

export class FloatLedger {
  readonly #link: FloatLink;
  readonly #clock: Clock;
  readonly #float: Float;
  readonly #accounts: LoadedAccounts;
  readonly #commits: FloatCommits;
  readonly #settlements: FloatSettlements;
  readonly #upkeep: FloatUpkeep;
  readonly #timer: Timer;

  constructor({ link, clock, float = new Float() }: FloatDeps) {
    this.#link = link;
    this.#clock = clock;
    this.#float = float;
    const commits = new FloatCommits(link, clock);
    const accounts = new LoadedAccounts(float, link, commits);
    const settlements = new FloatSettlements(float, accounts, commits);
    this.#accounts = accounts;
    this.#commits = commits;
    this.#settlements = settlements;
    this.#upkeep = new FloatUpkeep({ float, link, accounts, commits, settlements });
    this.#timer = clock.every(CHECKPOINT_MS, () => void this.saveCheckpoints());
  }

  /** Makes a hold. Returns no promise if the account is loaded. @throws GatewayError as `apply` */
  hold(command: HoldCommand): Outcome | Promise<Outcome> {
    checkCommand(command);
    this.#commits.requireStore();
    const account = this.#accounts.ready(command);
    return account === null ? this.#holdLater(command) : this.#float.hold(command, account);
  }

  #holdLater(command: HoldCommand): Outcome | Promise<Outcome> {
    return this.#accounts.decide(command.accountId, command.keyId, (account) => {
      // The store may have failed while the account was loaded.
      this.#commits.requireStore();
      return this.#float.hold(command, account);
    });
  }

  /** Extends a hold. Returns no promise if the account is loaded. @throws as `apply` */
  extend(command: ExtendCommand): Outcome | Promise<Outcome> {
    checkCommand(command);
    const by = this.#float.holds.get(command.holdId)?.by;
    if (by === undefined) return { status: 'hold_unknown' };
    return this.#accounts.decide(by.accountId, by.keyId, (account) => {
      this.#commits.requireStore();
      return this.#float.extend(command, account);
    });
  }

  /** Resolves with the outcome when the charge is durable. @throws GatewayError as `apply` */
  settle(command: SettleCommand): Promise<Outcome> {
    try {
      checkCommand(command);
      return this.#settlements.settle(command);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /** Replaces a running hold's checkpoint. @throws as `Ledger.keepCheckpoint` */
  keepCheckpoint(holdId: string, checkpoint: Checkpoint): void {
    checkCharge(holdId, checkpoint);
    const held = this.#float.holds.get(holdId);
    if (held !== undefined) keepCheckpoint(held, checkpoint);
  }

  /** Applies commands in order. @throws GatewayError as `Ledger.apply` */
  async apply(batch: readonly Command[]): Promise<readonly Outcome[]> {
    for (const command of batch) checkCommand(command);
    if (batch.length > MAX_BATCH_COMMANDS) {
      const message = `A batch may have at most ${MAX_BATCH_COMMANDS} commands.`;
      throw new GatewayError('invalid_value', message, { param: 'batch' });
    }
    const outcomes: Outcome[] = [];
    let orders: WalletCommand[] = [];
    for (const command of batch) {
      if (isOrder(command)) {
        orders.push(command);
        continue;
      }
      // Consecutive wallet commands share a transaction. Any other command waits for the wallet
      // commands before it.
      outcomes.push(...(await this.#order(orders)));
      orders = [];
      outcomes.push(await this.#applyOne(command));
    }
    return [...outcomes, ...(await this.#order(orders))];
  }

  /** Resolves lost holds as `Ledger.reap` describes. */
  reap(): Promise<Reaped> {
    return this.#upkeep.reap(this.#clock.nowMs());
  }

  /** Writes the new checkpoints of running streams. Never rejects. */
  saveCheckpoints(): Promise<void> {
    return this.#upkeep.saveCheckpoints();
  }

  /** Marks accounts in memory as outdated, because other code has changed them in the store. */
  touched(accountIds: Touched): void {
    this.#accounts.touched(accountIds);
  }

  /** Adds published exchange rates, which holds may then use. */
  learn(rates: readonly Omit<PublishedRate, 'effectiveFromMs'>[]): void {
    this.#float.learn(rates);
  }

  isHeld(requestId: string): boolean {
    return this.#float.holds.has(requestId);
  }

  /** Returns the part of a wallet that running holds and unconfirmed charges use. */
  heldOf(accountId: string, currency: Currency): bigint {
    return this.#accounts.heldOf(accountId, currency);
  }

  /**
   * Returns the amount, in nano-USD, by which holds and unconfirmed charges count against the caps
   * of a key, or of the account if `keyId` is null.
   */
  meteredOf(accountId: string, keyId: string | null): bigint {
    return this.#float.accounts.get(accountId)?.metered(keyId) ?? 0n;
  }

  breaches(): readonly Breach[] {
    return this.#float.breaches();
  }

  /** From now on, only this epoch may make holds. */
  join(epoch: string): void {
    this.#float.live = epoch;
  }

  leave(epoch: string): void {
    if (this.#float.live === epoch) this.#float.live = null;
  }

  /** Records whether a write succeeded. After a failure, holds are refused until one succeeds. */
  noteWrite<Result>(writing: Promise<Result>): Promise<Result> {
    return this.#commits.noteWrite(writing);
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#accounts.idle();
    await this.#commits.close();
  }

  async #applyOne(command: Exclude<Command, WalletCommand>): Promise<Outcome> {
    switch (command.kind) {
      case 'hold':
        return await this.hold(command);
      case 'extend':
        return await this.extend(command);
      case 'settle':
        return await this.settle(command);
      case 'void':
        return await this.#void(command);
    }
  }

  async #void(command: VoidCommand): Promise<Outcome> {
    const { id, accountId, keyId } = command;
    const held = this.#float.holds.get(id);
    const release = (): Outcome => this.#float.void(command);
    const isHeld = held !== undefined;
    const outcome = isHeld ? await this.#accounts.decide(accountId, keyId, release) : release();
    // Without a hold, a dead process or a void that failed may have left a checkpoint.
    if (outcome.status === 'applied' && held?.checkpoint !== null) await this.#upkeep.forget(id);
    return outcome;
  }

  /** Lets the store apply wallet commands. */
  async #order(commands: readonly WalletCommand[]): Promise<readonly Outcome[]> {
    if (commands.length === 0) return [];
    const owners = commands.some(({ kind }) => kind === 'refund')
      ? await Promise.all(commands.map((command) => this.#ownerOf(command)))
      : commands.map((command) => ('accountId' in command ? command.accountId : ''));
    return await this.#accounts.alone(owners, async () =>
      this.#commits.write(
        commands.map((command, at) =>
          orderToWire(command, this.#accounts.reservedOf(owners[at] ?? '')),
        ),
      ),
    );
  }

  async #ownerOf(command: WalletCommand): Promise<string> {
    if (command.kind !== 'refund') return command.accountId;
    const [row] = await this.#link.ask('query', {
      sql: 'SELECT account_id FROM receipt WHERE request_id = $1',
      params: [command.requestId],
    });
    return row === undefined ? '' : text(row, 'account_id');
  }
}

const isOrder = (command: Command): command is WalletCommand =>
  command.kind !== 'hold' &&
  command.kind !== 'extend' &&
  command.kind !== 'settle' &&
  command.kind !== 'void';
