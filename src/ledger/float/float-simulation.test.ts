/** Runs the simulation of the float with many seeds, and with planted faults that it must find. */
import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test';
import { StoreFile } from '../../store/sqlite/store-file.ts';
import { removeFiles } from '../sqlite/sqlite.fixture.ts';
import { SqliteSlice } from '../sqlite/sqlite-slice.ts';
import { SqliteTail } from '../sqlite/sqlite-tail.ts';
import { AccountGates } from './account-gates.ts';
import { AccountState, type MemberSheet } from './account-state.ts';
import { Float } from './float.ts';
import { FloatAccount } from './float-account.ts';
import { FloatCommits } from './float-commits.ts';
import { FloatLedger } from './float-ledger.ts';
import { type Plan, simulate } from './float-simulation-run.fixture.ts';
import { FloatUpkeep } from './float-upkeep.ts';

/** The number of seeds, always the same ones; `test/soak` runs thousands of new ones. */
const SEEDS = 200;
const STEPS = 150;
/** The number of seeds within which the simulation must find a planted fault. */
const SEEDS_TO_FIND = 400;
const LIMIT_MS = 180_000;

afterAll(removeFiles);

test(
  'float, store and requests agree after every step, whatever happens',
  async () => {
    expect(await simulate({ first: 1, seeds: SEEDS, steps: STEPS })).toBeNull();
  },
  LIMIT_MS,
);

type Fault = {
  readonly fault: string;
  /** A text that the simulation's report must contain. */
  readonly found: string;
  /** Plants the fault. Restoring the returned mock removes the fault. */
  readonly plant: () => { readonly mockRestore: () => void } | null;
  readonly prepare?: Plan['prepare'];
  /** The first seed; 1 if absent. Seeds before it do not find the fault, and would take seconds. */
  readonly first?: number;
};

const { release, absorb } = FloatAccount.prototype;
const { absorb: absorbState } = AccountState.prototype;
const { query } = StoreFile.prototype;
const { finish } = SqliteSlice.prototype;

const FAULTS: readonly Fault[] = [
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
    fault: 'a hold is never released',
    found: 'running holds',
    plant: () => spyOn(FloatAccount.prototype, 'release').mockReturnValue(0n),
  },
  {
    fault: 'a request is sold without a hold',
    found: 'nothing is held',
    plant: () => {
      const nothing = { amount: 1n, available: 0n, loss: 0n } as never;
      return spyOn(Float.prototype, 'hold').mockReturnValue({ status: 'applied', result: nothing });
    },
  },
  {
    fault: 'a wallet command leaves the balance in memory as it was',
    found: 'the float has',
    plant: () => spyOn(FloatAccount.prototype, 'markStale').mockReturnValue(undefined),
  },
  {
    fault: "an administrator's change does not reach the memory",
    found: '',
    plant: () => spyOn(FloatLedger.prototype, 'touched').mockReturnValue(undefined),
  },
  {
    fault: 'loading an account resets the window of its cap',
    found: 'in_day: the float has',
    plant: () =>
      spyOn(FloatAccount.prototype, 'absorb').mockImplementation(function reset(
        this: FloatAccount,
        sheet,
        keyId,
        key,
      ) {
        const without = sheet === null ? null : { ...sheet, meter: { ...sheet.meter, in_day: 0n } };
        absorb.call(this, without, keyId, key);
      }),
  },
  {
    fault: 'a checkpoint is not written',
    found: 'checkpoint',
    plant: () => null,
    prepare: (thread) => {
      thread.losesCheckpoints = true;
    },
  },
  {
    fault: 'the checkpoint of a void request is not deleted',
    found: '1 left',
    first: 36,
    plant: () => spyOn(FloatUpkeep.prototype, 'forget').mockResolvedValue(undefined),
  },
  {
    fault: 'a slice of the tail is booked twice',
    found: '',
    plant: () =>
      spyOn(SqliteSlice.prototype, 'finish').mockImplementation(function twice(this: SqliteSlice) {
        finish.call(this);
        finish.call(this);
      }),
  },
  {
    fault: 'the tail is not deleted when it is booked',
    found: '',
    plant: () => null,
    prepare: (thread) => {
      thread.keepsTail = true;
    },
  },
  {
    fault: 'the file is read before the tail is booked',
    found: '',
    plant: () => spyOn(SqliteTail.prototype, 'bookAll').mockReturnValue(undefined),
  },
  {
    fault: 'charges are reported as durable before they are',
    found: '',
    plant: () => spyOn(SqliteTail.prototype, 'append').mockReturnValue(undefined),
  },
  {
    fault: 'holds do not wait for a wallet command',
    found: '',
    plant: () =>
      spyOn(AccountGates.prototype, 'alone').mockImplementation((_accountIds, work) => work()),
  },
  {
    fault: 'a wallet command does not know what is held',
    found: '',
    plant: () => spyOn(FloatAccount.prototype, 'reserved').mockReturnValue(0n),
  },
  {
    fault: 'loading an account forgets charges that wait on disk',
    found: '',
    plant: () =>
      spyOn(FloatAccount.prototype, 'absorb').mockImplementation(function forgetful(
        this: FloatAccount,
        sheet,
        keyId,
        key,
      ) {
        const charges = [...this.charges];
        this.charges.clear();
        absorb.call(this, sheet, keyId, key);
        for (const [id, charge] of charges) this.charges.set(id, charge);
      }),
  },
  {
    fault: "a member's cap is not loaded",
    found: 'room of',
    plant: () => withMember(() => null),
  },
  {
    fault: "a member's cap counts the key that holds, and not the member's other keys",
    found: 'room of',
    plant: () =>
      withMember((member, keyId) => ({
        ...member,
        keys: member.keys.filter(({ id }) => id === keyId),
      })),
  },
  {
    fault: "a member's cap forgets charges of other keys that wait on disk",
    found: 'total: the float has',
    plant: () =>
      spyOn(AccountState.prototype, 'absorb').mockImplementation(function forgetful(
        this: AccountState,
        ...[sheet, keyId, key]
      ) {
        absorbState.call(this, sheet, keyId, key);
        return new Set([keyId]);
      }),
  },
  {
    fault: "a change of a member's cap does not reach the memory",
    found: '',
    plant: () =>
      spyOn(StoreFile.prototype, 'query').mockImplementation(function unwatched(
        this: StoreFile,
        statement,
      ) {
        const isWatch = /TRIGGER IF NOT EXISTS member_cap/.test(statement.sql);
        return isWatch ? [] : query.call(this, statement);
      }),
  },
  {
    fault: "a change of a key's expiry does not reach the memory",
    first: 160,
    found: 'refusal of',
    plant: () =>
      spyOn(StoreFile.prototype, 'query').mockImplementation(function unwatched(
        this: StoreFile,
        statement,
      ) {
        const sql = statement.sql.replace('OF status, expires_at_ms', 'OF status');
        return query.call(this, { ...statement, sql });
      }),
  },
  {
    fault: 'a hold whose charge was refused reserves money that others hold',
    first: 230,
    found: 'is overspent',
    plant: () =>
      spyOn(FloatAccount.prototype, 'restore').mockImplementation(function whole(
        this: FloatAccount,
        { by, hold },
      ) {
        const { keyId, currency } = hold.by;
        this.charges.delete(by.id);
        this.running += 1;
        this.state.hold({ ...hold, keyId, currency, other: hold.reserve });
        this.markStale();
      }),
  },
  {
    fault: 'requests are sold while the store is away',
    found: 'while the store is away',
    plant: () => spyOn(FloatCommits.prototype, 'requireStore').mockReturnValue(undefined),
  },
];

/**
 * Plants a fault: when the float loads a key that belongs to a member of an account, it gets the
 * result of `change` instead of that member. If the result is null, the key has no member.
 */
const withMember = (change: (member: MemberSheet, keyId: string) => MemberSheet | null) =>
  spyOn(FloatAccount.prototype, 'absorb').mockImplementation(function changed(
    this: FloatAccount,
    sheet,
    keyId,
    key,
  ) {
    const member = key === null || key.member === null ? null : change(key.member, keyId);
    absorb.call(this, sheet, keyId, key === null ? null : { ...key, member });
  });

describe('the simulation finds that', () => {
  let planted: ReturnType<Fault['plant']> = null;
  afterEach(() => planted?.mockRestore());

  for (const { fault, found, plant, prepare, first = 1 } of FAULTS) {
    test(
      fault,
      async () => {
        planted = plant();
        const plan = { first, seeds: SEEDS_TO_FIND, steps: STEPS };
        const story = await simulate(prepare === undefined ? plan : { ...plan, prepare });
        expect(story).not.toBeNull();
        expect(String(story)).toContain(found);
      },
      LIMIT_MS,
    );
  }
});
