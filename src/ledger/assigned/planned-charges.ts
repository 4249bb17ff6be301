/** Sends charges that this node has planned in memory and deducted from its assignment. */
import { nano } from '../../money/amount.ts';
import type { Float } from '../float/float.ts';
import type { Charge } from '../float/float-account.ts';
import type { Outcome } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import type { Reply } from '../wire.ts';
import type { AssignmentStore } from './assignment-store.ts';
import type { Assignments } from './assignments.ts';
import type { StoredCommands } from './stored-commands.ts';

export type PlannedChargeDeps = {
  readonly float: Float;
  readonly store: AssignmentStore;
  readonly assignments: Assignments;
  readonly commands: StoredCommands;
};

export class PlannedCharges {
  readonly #deps: PlannedChargeDeps;

  constructor(deps: PlannedChargeDeps) {
    this.#deps = deps;
  }

  /**
   * Writes a planned charge. If the assignment lacks the money, for example because it has ended,
   * the store decides what the wallet pays. `isKeyed`: see `Ledger.settle`.
   */
  async send(charge: Charge, isKeyed: boolean): Promise<Outcome> {
    charge.isSent = true;
    try {
      const reply = await this.#deps.store.ask('charge', charge, (it) => this.#charged(charge, it));
      if (reply.status !== 'epoch_over') return outcomeOf(reply);
    } catch (thrown) {
      charge.isSent = false;
      throw thrown;
    }
    const { by, amount } = charge.hold;
    const exchangeId = by.exchange?.id ?? null;
    const late = { ...charge.by, held: nano(amount), exchangeId };
    return await this.#deps.commands.decide(late, null, isKeyed);
  }

  #charged(charge: Charge, reply: Reply): void {
    const { assignments, float } = this.#deps;
    const account = float.accounts.get(charge.hold.by.accountId);
    if (account?.charges.get(charge.by.id) !== charge) return;
    if (reply.status === 'fault') {
      if (reply.code === 'store_unavailable') return;
      // The store refused the charge as invalid and took no money. So the hold counts as running
      // again, until a later settlement charges it or a reap resolves it.
      float.restore(charge);
    } else {
      account.confirm(charge);
    }
    // If the charge was not applied as planned, memory and store may have taken different amounts.
    // So the account is surrendered.
    if (reply.status !== 'applied') void assignments.recalled([account.id]);
  }
}
