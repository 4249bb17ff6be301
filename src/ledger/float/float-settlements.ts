/** Settles requests: plans and takes each charge in memory, and has the store's thread write it. */
import type { Outcome, SettleCommand } from '../ledger.ts';
import type { Reply } from '../wire.ts';
import type { Float } from './float.ts';
import type { Charge } from './float-account.ts';
import type { FloatCommits } from './float-commits.ts';
import { chargeToWire, lateToWire } from './float-wire.ts';
import type { LoadedAccounts } from './loaded-accounts.ts';

export class FloatSettlements {
  readonly #float: Float;
  readonly #accounts: LoadedAccounts;
  readonly #commits: FloatCommits;

  constructor(float: Float, accounts: LoadedAccounts, commits: FloatCommits) {
    this.#float = float;
    this.#accounts = accounts;
    this.#commits = commits;
  }

  /** Resolves when the charge is durable. @throws GatewayError as `Ledger.apply` */
  async settle(command: SettleCommand): Promise<Outcome> {
    for (;;) {
      const outcome =
        (await this.settleRunning(command, true)) ?? (await this.#settleAlone(command));
      if (outcome !== null) return outcome;
    }
  }

  /**
   * Charges a running hold; null when none has the command's id. `isWatched` is false for a charge
   * by checkpoint.
   */
  async settleRunning(command: SettleCommand, isWatched: boolean): Promise<Outcome | null> {
    const by = this.#float.holds.get(command.id)?.by;
    if (by === undefined) return null;
    const { accountId, keyId } = by;
    const taken = this.#accounts.decide(accountId, keyId, () => {
      // The hold may have been resolved while this waited.
      const held = this.#float.holds.get(command.id);
      return held === undefined ? null : this.#float.charge(command, held, isWatched);
    });
    const charge = taken instanceof Promise ? await taken : taken;
    return charge === null ? null : await this.#send(accountId, charge);
  }

  /** Forgets charges that wait on disk for longer than their holds would have lived. */
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
   * Settles without a running hold: a repeated settlement, or one that waited on disk. Returns null
   * when the hold runs again, because another settlement of it was refused.
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

  async #send(accountId: string, charge: Charge): Promise<Outcome> {
    charge.isSent = true;
    const received = (reply: Reply): void => this.#answered(accountId, charge, reply);
    const sending = this.#commits.write([chargeToWire(charge)], received);
    try {
      const [outcome] = await this.#accounts.track(accountId, sending);
      return outcome ?? { status: 'hold_unknown' };
    } catch (thrown) {
      charge.isSent = false;
      throw thrown;
    }
  }

  #answered(accountId: string, charge: Charge, reply: Reply): void {
    const account = this.#accounts.account(accountId);
    if (reply.status === 'fault') {
      if (reply.code !== 'store_unavailable') this.#float.restore(charge);
      return;
    }
    account.confirm(charge);
    // The store had booked this request before, so the charge was not taken again.
    if (reply.status !== 'applied') account.markStale();
  }
}
