/** Settles requests: plans and deducts a charge in memory; the store's thread then writes it. */
import { nano } from '../../money/amount.ts';
import type { Outcome, SettleCommand } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import type { Reply } from '../wire.ts';
import type { Float } from './float.ts';
import type { Charge } from './float-account.ts';
import type { FloatCommits } from './float-commits.ts';
import { chargeToWire, lateToWire } from './float-wire.ts';
import type { LoadedAccounts } from './loaded-accounts.ts';

const NONE = Promise.resolve(null);
/** Maximum remembered price cards. Asking the store again is cheap. */
const MAX_CARDS = 10_000;

export class FloatSettlements {
  readonly #float: Float;
  readonly #accounts: LoadedAccounts;
  readonly #commits: FloatCommits;
  /** Price cards by which the store has booked a charge, so they are published. */
  readonly #cards = new Set<string>();

  constructor(float: Float, accounts: LoadedAccounts, commits: FloatCommits) {
    this.#float = float;
    this.#accounts = accounts;
    this.#commits = commits;
  }

  /** Resolves when the charge is durable. @throws GatewayError as `Ledger.apply` */
  async settle(command: SettleCommand): Promise<Outcome> {
    for (;;) {
      let outcome = await this.settleRunning(command, true);
      // The reaper may have charged the checkpoint without an answer. This settlement corrects it.
      if (outcome === null || outcome.status === 'hold_resolved') {
        outcome = await this.#settleAlone(command);
      }
      if (outcome !== null) return outcome;
    }
  }

  /**
   * Charges a running hold; null when none has the command's id. `isWatched` is false for a charge
   * by checkpoint.
   */
  settleRunning(command: SettleCommand, isWatched: boolean): Promise<Outcome | null> {
    const by = this.#float.holds.get(command.id)?.by;
    if (by === undefined) return NONE;
    const { accountId, keyId } = by;
    const taken = this.#accounts.decide(accountId, keyId, () => {
      // The hold may have been resolved while the account was loaded.
      const held = this.#float.holds.get(command.id);
      return held === undefined ? null : this.#float.charge(command, held, isWatched);
    });
    const send = (charge: Charge | null) =>
      charge === null ? NONE : this.#send(accountId, charge);
    return taken instanceof Promise ? taken.then(send) : send(taken);
  }

  /** Drops unconfirmed charges that wait on disk, after their holds would have expired. */
  forgetUnsent(nowMs: number): void {
    for (const account of this.#float.accounts.values()) {
      for (const charge of account.charges.values()) {
        if (charge.isSent || charge.hold.by.expiresAtMs > nowMs) continue;
        account.confirm(charge);
        account.markStale();
      }
    }
  }

  /**
   * Settles a request without a running hold: a repeated settlement, or one that waited on disk.
   * Returns null when the hold runs again, because another settlement of it was refused.
   */
  async #settleAlone(command: SettleCommand): Promise<Outcome | null> {
    const { accountId } = command.receipt;
    return await this.#accounts.alone([accountId], async () => {
      if (this.#float.holds.has(command.id)) return null;
      const unsent = this.#float.accounts.get(accountId)?.charges.get(command.id);
      if (unsent !== undefined && unsent.by.charge === command.charge) {
        return await this.#send(accountId, unsent);
      }
      const wire = lateToWire(command, this.#accounts.reservedOf(accountId));
      const [outcome] = await this.#commits.write([wire]);
      return outcome ?? { status: 'hold_unknown' };
    });
  }

  /** Lets the store write a charge. Resolves when it is durable. */
  #send(accountId: string, charge: Charge): Promise<Outcome> {
    charge.isSent = true;
    return new Promise((resolve, reject) => {
      const failed = (thrown: unknown): void => {
        charge.isSent = false;
        charge.hold.isInDoubt = true;
        reject(thrown);
      };
      const isProven = this.#isProven(charge);
      const done = (replies: readonly Reply[]): void => {
        try {
          resolve(isProven ? this.#confirmed(accountId, charge) : this.#decided(charge, replies));
        } catch (thrown) {
          failed(thrown);
        }
      };
      const kind = isProven ? 'append' : 'write';
      this.#commits.submit({ kind, wires: [chargeToWire(charge)], done, failed });
    });
  }

  /**
   * Whether the store is sure to accept a charge as planned, so that appending it to the tail is
   * enough. The store decides the first charge by each price card, and charges it may already have.
   */
  #isProven({ hold, by }: Charge): boolean {
    return !hold.isInDoubt && this.#cards.has(by.receipt.cardId);
  }

  #confirmed(accountId: string, charge: Charge): Outcome {
    this.#accounts.account(accountId).confirm(charge);
    const { plan, available } = charge;
    const result = { amount: nano(plan.taken), available: nano(available), loss: nano(plan.loss) };
    return { status: 'applied', result };
  }

  /** @throws GatewayError when the store refused the charge as invalid; its hold runs again. */
  #decided(charge: Charge, [reply]: readonly Reply[]): Outcome {
    if (reply === undefined) throw new Error(`no reply to the charge of ${charge.by.id}`);
    const isFaulty = reply.status === 'fault' && reply.code !== 'store_unavailable';
    if (isFaulty) this.#float.restore(charge);
    const outcome = outcomeOf(reply);
    const { accountId } = charge.hold.by;
    this.#confirmed(accountId, charge);
    // The store had booked this request before, so the charge was not taken again.
    if (outcome.status !== 'applied') this.#accounts.touched([accountId]);
    else this.#learnCard(charge.by.receipt.cardId);
    return outcome;
  }

  #learnCard(id: string): void {
    if (this.#cards.size >= MAX_CARDS) this.#cards.clear();
    this.#cards.add(id);
  }
}
