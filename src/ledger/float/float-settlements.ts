/** Settles requests: plans and deducts a charge in memory, and lets the store's thread write it. */
import { nano } from '../../money/amount.ts';
import type { Outcome, SettleCommand } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import type { Reply } from '../wire.ts';
import type { Float } from './float.ts';
import type { Charge } from './float-account.ts';
import type { FloatCommits, Submission } from './float-commits.ts';
import { chargeToWire, lateToWire } from './float-wire.ts';
import type { LoadedAccounts } from './loaded-accounts.ts';

const NONE = Promise.resolve(null);
/**
 * Maximum number of price cards that are remembered as published. After a card is forgotten, its
 * next charge must wait for the store's decision.
 */
const MAX_CARDS = 10_000;

export class FloatSettlements {
  readonly #float: Float;
  readonly #accounts: LoadedAccounts;
  readonly #commits: FloatCommits;
  /** Ids of price cards by which the store has booked a charge, so they are certainly published. */
  readonly #cards = new Set<string>();

  constructor(float: Float, accounts: LoadedAccounts, commits: FloatCommits) {
    this.#float = float;
    this.#accounts = accounts;
    this.#commits = commits;
  }

  /** Resolves when the charge is durable. @throws GatewayError as `Ledger.apply` */
  settle(command: SettleCommand): Promise<Outcome> {
    const charge = this.#chargeNow(command);
    if (charge === null) return this.#settleLater(command, this.#settleRunning(command));
    const isProven = this.#isProven(charge);
    const sent = this.#send(charge, isProven);
    return isProven ? sent : this.#settleLater(command, sent);
  }

  /**
   * Charges the hold if it is running and its account is loaded, which is the usual case; otherwise
   * returns null.
   */
  #chargeNow(command: SettleCommand): Charge | null {
    const held = this.#float.holds.get(command.id);
    if (held === undefined || this.#accounts.ready(held.by) === null) return null;
    return this.#float.charge(command, held);
  }

  /**
   * Returns the outcome of `first`. If that is null (no running hold) or `hold_resolved`, settles
   * without a hold.
   */
  async #settleLater(command: SettleCommand, first: Promise<Outcome | null>): Promise<Outcome> {
    for (let settling = first; ; settling = this.#settleRunning(command)) {
      let outcome = await settling;
      // The reaper may have charged the hold's checkpoint, although the store's reply was lost.
      // This settlement corrects that charge.
      if (outcome === null || outcome.status === 'hold_resolved') {
        outcome = await this.#settleAlone(command);
      }
      if (outcome !== null) return outcome;
    }
  }

  /** Charges a running hold. Returns null if no running hold has the command's id. */
  #settleRunning(command: SettleCommand): Promise<Outcome | null> {
    const by = this.#float.holds.get(command.id)?.by;
    if (by === undefined) return NONE;
    const { accountId, keyId } = by;
    const taken = this.#accounts.decide(accountId, keyId, () => {
      // The hold may have been resolved while the account was being loaded.
      const held = this.#float.holds.get(command.id);
      return held === undefined ? null : this.#float.charge(command, held);
    });
    const send = (charge: Charge | null) =>
      charge === null ? NONE : this.#send(charge, this.#isProven(charge));
    return taken instanceof Promise ? taken.then(send) : send(taken);
  }

  /** Drops from memory each charge that waits on disk to be sent again, if its hold has expired. */
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
        return await this.#send(unsent, this.#isProven(unsent));
      }
      const wire = lateToWire(command, this.#accounts.reservedOf(accountId));
      const [outcome] = await this.#commits.write([wire]);
      return outcome ?? { status: 'hold_unknown' };
    });
  }

  /** Lets the store write a charge. Resolves when it is durable. */
  #send(charge: Charge, isProven: boolean): Promise<Outcome> {
    charge.isSent = true;
    const sent = isProven
      ? new SentCharge(charge, 'append', this.#confirmed)
      : new SentCharge(charge, 'write', this.#decided);
    this.#commits.submit(sent);
    return sent.outcome;
  }

  /**
   * Whether the store will certainly accept a charge as planned. Such a charge is only appended to
   * the tail (the durable charges that are not booked yet). All others wait for the store's
   * decision: the first charge by each price card, and each charge that the store may already have.
   */
  #isProven({ hold, by }: Charge): boolean {
    return !hold.isInDoubt && this.#cards.has(by.receipt.cardId);
  }

  readonly #confirmed: OutcomeOf = (charge) => {
    this.#accounts.account(charge.hold.by.accountId).confirm(charge);
    const { plan, available } = charge;
    const result = { amount: nano(plan.taken), available: nano(available), loss: nano(plan.loss) };
    return { status: 'applied', result };
  };

  /**
   * @throws GatewayError when the store failed, or refused the charge as invalid. In the second
   *   case, its hold runs again.
   */
  readonly #decided: OutcomeOf = (charge, [reply]) => {
    if (reply === undefined) throw new Error(`no reply to the charge of ${charge.by.id}`);
    const isFaulty = reply.status === 'fault' && reply.code !== 'store_unavailable';
    if (isFaulty) this.#float.restore(charge);
    const outcome = outcomeOf(reply);
    this.#confirmed(charge, []);
    // The store had booked this request before, so the charge was not deducted again.
    if (outcome.status !== 'applied') this.#accounts.touched([charge.hold.by.accountId]);
    else this.#learnCard(charge.by.receipt.cardId);
    return outcome;
  };

  #learnCard(id: string): void {
    if (this.#cards.size >= MAX_CARDS) this.#cards.clear();
    this.#cards.add(id);
  }
}

/**
 * Returns the outcome of a durable charge. `replies` contains the store's reply, or is empty if the
 * charge was only appended.
 */
type OutcomeOf = (charge: Charge, replies: readonly Reply[]) => Outcome;

/** A charge on its way to the store. */
class SentCharge implements Submission {
  readonly kind: Submission['kind'];
  readonly wires: Submission['wires'];
  readonly #charge: Charge;
  readonly #outcomeOf: OutcomeOf;
  readonly #settled = Promise.withResolvers<Outcome>();

  constructor(charge: Charge, kind: Submission['kind'], outcomeOf: OutcomeOf) {
    this.kind = kind;
    this.wires = [chargeToWire(charge)];
    this.#charge = charge;
    this.#outcomeOf = outcomeOf;
  }

  get outcome(): Promise<Outcome> {
    return this.#settled.promise;
  }

  done(replies: readonly Reply[]): void {
    try {
      this.#settled.resolve(this.#outcomeOf(this.#charge, replies));
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  failed(thrown: unknown): void {
    this.#charge.isSent = false;
    this.#charge.hold.isInDoubt = true;
    this.#settled.reject(thrown);
  }
}
