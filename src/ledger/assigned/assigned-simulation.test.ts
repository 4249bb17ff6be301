/** Runs the simulation of nodes with many seeds, and with planted faults that it must find. */
import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import type { Currency } from '../../money/amount.ts';
import { LedgerModel } from '../conformance/ledger-model.fixture.ts';
import { FloatAccount } from '../float/float-account.ts';
import { AssignedAccounts } from './assigned-accounts.ts';
import { simulateNodes } from './assigned-simulation.fixture.ts';
import { AssignmentModel } from './assignment-model.fixture.ts';
import type { Place } from './assignment-store.ts';
import { LEASE_MARGIN_MS, NodeRight } from './node-right.ts';

/** The number of seeds, always the same ones; `test/soak` runs thousands of new ones. */
const SEEDS = 200;
const STEPS = 250;
/** The number of seeds in which the simulation must find a planted fault. */
const SEEDS_TO_FIND = 400;
const LIMIT_MS = 180_000;

test(
  'the amounts of nodes and store agree after every step',
  async () => {
    expect(await simulateNodes({ first: 1, seeds: SEEDS, steps: STEPS })).toBeNull();
  },
  LIMIT_MS,
);

type Planted = { readonly mockRestore: () => void };
type Fault = {
  readonly fault: string;
  /** A part of the error message that the simulation must report. */
  readonly found: string;
  /** Plants the fault. Restoring the returned mock removes the fault. */
  readonly plant: () => Planted;
};

const { release, charge } = FloatAccount.prototype;
const { ready } = AssignedAccounts.prototype;
const { granted, now } = NodeRight.prototype;
const model = AssignmentModel.prototype;
const { assign, recall, surrender, command, move } = model;
const modelCharge = model.charge;

const FAULTS: readonly Fault[] = [
  {
    fault: 'a recall that no node has heard counts as answered',
    found: 'holds after its',
    plant: () =>
      spyOn(model, 'recall').mockImplementation(function lost(this: AssignmentModel, accountId) {
        recall.call(this, accountId);
        return false;
      }),
  },
  {
    fault: 'money of an account is assigned although a member has a cap',
    found: 'holds after its cap',
    plant: () =>
      spyOn(model, 'assign').mockImplementation(function uncapped(this: AssignmentModel, ask) {
        const { memberCaps } = this.account(ask.accountId);
        const { month } = memberCaps;
        memberCaps.month = null;
        const assigned = assign.call(this, ask);
        memberCaps.month = month;
        return assigned;
      }),
  },
  {
    fault: 'a hold is released twice',
    found: 'running holds',
    plant: () =>
      spyOn(FloatAccount.prototype, 'release').mockImplementation(function twice(
        this: FloatAccount,
        held,
      ) {
        release.call(this, held);
        this.running += 1;
        return release.call(this, held);
      }),
  },
  {
    fault: 'the lease is judged by the wall clock alone',
    found: 'without a lease',
    plant: () => {
      const until = new WeakMap<NodeRight, number>();
      const noted = spyOn(NodeRight.prototype, 'granted').mockImplementation(function note(
        this: NodeRight,
        epoch,
        asked,
        leaseMs,
      ) {
        until.set(this, asked.wallMs + leaseMs - LEASE_MARGIN_MS);
        granted.call(this, epoch, asked, leaseMs);
      });
      const judged = spyOn(NodeRight.prototype, 'mayHold').mockImplementation(function byWall(
        this: NodeRight,
        epoch,
      ) {
        return this.epoch === epoch && now.call(this).wallMs < (until.get(this) ?? 0);
      });
      return bothOf(noted, judged);
    },
  },
  {
    fault: 'an assignment is given back while holds run',
    found: 'assigned 0',
    plant: () => spyOn(AssignedAccounts.prototype, 'holdsOf').mockReturnValue([]),
  },
  {
    fault: 'returned money can be held until the store confirms its return',
    found: 'assigned',
    plant: () => spyOn(AssignedAccounts.prototype, 'giveBack').mockReturnValue(undefined),
  },
  {
    fault: 'a change of an assignment that is sent again is applied twice',
    found: 'acc',
    plant: () => {
      const versionOf = (of: AssignmentModel, ask: Place, currency: Currency): bigint | null =>
        of.find(ask.accountId, currency, ask.epoch)?.version ?? null;
      const assigned = spyOn(model, 'assign').mockImplementation(function twice(
        this: AssignmentModel,
        ask,
      ) {
        return assign.call(this, { ...ask, version: versionOf(this, ask, ask.currency) });
      });
      const surrendered = spyOn(model, 'surrender').mockImplementation(function twice(
        this: AssignmentModel,
        ask,
      ) {
        const versions = { USD: versionOf(this, ask, 'USD'), CNY: versionOf(this, ask, 'CNY') };
        return surrender.call(this, { ...ask, versions });
      });
      return bothOf(assigned, surrendered);
    },
  },
  {
    fault: 'a raise goes beyond the floor',
    found: 'too low',
    plant: () =>
      spyOn(LedgerModel.prototype, 'free').mockImplementation(function all(
        this: LedgerModel,
        currency,
      ) {
        return this.balance[currency] - this.held[currency] + 400n;
      }),
  },
  {
    fault: 'a charge is written under an epoch that has ended',
    found: 'holds and assignments',
    plant: () =>
      spyOn(model, 'charge').mockImplementation(function always(this: AssignmentModel, ask) {
        const reply = modelCharge.call(this, ask);
        if (reply.status !== 'epoch_over') return reply;
        return this.account(ask.hold.by.accountId).take(ask.hold.by, ask.by);
      }),
  },
  {
    fault: 'a charge that is sent again is deducted twice',
    found: 'holds and assignments',
    plant: () =>
      spyOn(model, 'charge').mockImplementation(function twice(this: AssignmentModel, ask) {
        const { by, hold } = ask;
        const account = this.account(hold.by.accountId);
        const isRepeated = account.charged(by.id) !== null;
        return isRepeated ? account.take(hold.by, by) : modelCharge.call(this, ask);
      }),
  },
  {
    fault: 'a settlement releases more than its hold',
    found: 'assigned',
    plant: () =>
      spyOn(FloatAccount.prototype, 'charge').mockImplementation(function more(
        this: FloatAccount,
        by,
        held,
        rate,
      ) {
        const planned = charge.call(this, by, held, rate);
        this.state.take({ currency: held.by.currency, own: -held.amount, other: 0n });
        return planned;
      }),
  },
  {
    fault: 'memory decides holds of an account after its surrender was sent',
    found: 'assigned',
    plant: () =>
      spyOn(AssignedAccounts.prototype, 'ready').mockImplementation(function anyway(
        this: AssignedAccounts,
        asked,
      ) {
        const record = this.records.get(asked.accountId);
        if (record === undefined) return null;
        const { isRecalled } = record;
        record.isRecalled = false;
        const account = ready.call(this, asked);
        record.isRecalled = isRecalled;
        return account;
      }),
  },
  {
    fault: 'memory decides holds by a report that was loaded before the recall',
    found: 'assigned',
    plant: () => {
      const kept = spyOn(FloatAccount.prototype, 'markStale').mockReturnValue(undefined);
      const sold = spyOn(AssignedAccounts.prototype, 'ready').mockImplementation(function stale(
        this: AssignedAccounts,
        asked,
      ) {
        const record = this.records.get(asked.accountId);
        if (record === undefined) return null;
        const versions = { ...record.versions };
        record.versions[asked.currency] ??= 0n;
        const account = ready.call(this, asked);
        Object.assign(record.versions, versions);
        return account;
      });
      return bothOf(kept, sold);
    },
  },
  {
    fault: 'a new lease keeps the assignments of the previous lease',
    found: '',
    plant: () => spyOn(AssignedAccounts.prototype, 'forget').mockReturnValue(undefined),
  },
  {
    fault: 'the money of a hold that became a row stays in the assignment',
    found: 'holds and assignments',
    plant: () =>
      spyOn(model, 'move').mockImplementation(function twice(this: AssignmentModel, held) {
        const { accountId, currency, epoch, id } = held.by;
        const isNew = !this.account(accountId).isKnown(id);
        move.call(this, held);
        const assignment = this.find(accountId, currency, epoch);
        if (isNew && assignment !== null) assignment.amount += held.amount;
        return null;
      }),
  },
  {
    fault: 'an assignment is confirmed as returned before it is returned',
    found: 'held',
    plant: () =>
      spyOn(model, 'surrender').mockImplementation(function early(this: AssignmentModel, ask) {
        if (ask.holds.length > 0) return surrender.call(this, ask);
        return { USD: null, CNY: null, refused: [] };
      }),
  },
  {
    fault: 'a hold is refused although another node has idle money',
    found: 'served',
    plant: () =>
      spyOn(model, 'command').mockImplementation(function firm(this: AssignmentModel, ask) {
        return command.call(this, { ...ask, isFirm: true });
      }),
  },
  {
    fault: 'the lease of a dead node never ends',
    found: 'still held',
    plant: () =>
      spyOn(model, 'hasLease').mockImplementation(function forever(this: AssignmentModel, epoch) {
        return this.leases.has(epoch);
      }),
  },
];

const bothOf = (...planted: readonly Planted[]): Planted => ({
  mockRestore: () => {
    for (const each of planted) each.mockRestore();
  },
});

describe('the simulation finds that', () => {
  let planted: Planted | null = null;
  afterEach(() => planted?.mockRestore());

  for (const { fault, found, plant } of FAULTS) {
    test(
      fault,
      async () => {
        planted = plant();
        const story = await simulateNodes({ first: 1, seeds: SEEDS_TO_FIND, steps: STEPS });
        expect(story).not.toBeNull();
        expect(String(story)).toContain(found);
      },
      LIMIT_MS,
    );
  }
});
