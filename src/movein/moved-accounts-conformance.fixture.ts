/** The conformance suite of moved accounts, run on every engine. */
import { expect } from 'bun:test';
import { Accounts } from '../accounts/accounts.ts';
import { generateKey, hashHex } from '../accounts/api-key.ts';
import { systemClock } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { failureOf } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { nano } from '../money/amount.ts';
import type { MovedAccount, MovedItem, MovedKey } from './move-in.ts';
import { MovedAccounts } from './moved-accounts.ts';

const KEY = `sk-${'a'.repeat(48)}`;

const key = (text: string, more: Partial<MovedKey> = {}): MovedKey => ({
  ...{ ref: `key:${hashHex(text)}`, name: 'app', hash: hashHex(text), form: 'sk-48' },
  ...{ prefix: text.slice(0, 7), last4: text.slice(-4), disabled: false, expiresAtMs: null },
  limits: { spend: { total: nano(5n) }, models: ['gen-x'] },
  ...more,
});

const ACME: MovedAccount = {
  ...{ ref: 'user:1', name: 'Acme', suspended: false, priceList: null },
  limits: { requestsPerMinute: 7 },
  people: [{ ref: 'person:1', email: 'ada@example.com', name: 'Ada', passwordHash: null }],
  keys: [key(KEY)],
  credits: [{ ref: 'balance:1', currency: 'USD', amount: nano(2_500_000_000n) }],
};

const opened = ({ sql, ledger }: Database) => ({
  moved: new MovedAccounts({
    ...{ sql, ledger, clock: systemClock },
    hasPriceList: (name) => name === 'vip',
  }),
  accounts: new Accounts({
    ...{ sql, clock: systemClock, inMemory: NOTHING_HELD },
    onLastUsedFailure: () => {},
  }),
});

const MOVING = { source: 'one-api', actor: 'usr_boss', isDryRun: false } as const;
const states = (items: readonly MovedItem[]) => items.map(({ kind, state }) => `${kind} ${state}`);
const MOVED = ['account moved', 'person moved', 'key moved', 'credit moved'];
const PRESENT = ['account present', 'person present', 'key present', 'credit present'];

/**
 * Returns only the accounts with this name, because other tests create accounts in the same
 * database.
 */
const acmes = async (accounts: Accounts) =>
  (await accounts.listAccounts()).items.filter(({ name }) => name === 'Acme');

const rows = async ({ sql }: Database, text: string) =>
  (await sql.query({ sql: text, params: [] })).map((row) =>
    Object.values(row).map(String).join(' '),
  );

export function movedAccountsConformance(open: Open): void {
  rule(open, 'an account moves once, with its people, keys and balance', async (database) => {
    const { moved, accounts } = opened(database);
    expect(states(await moved.move([ACME], { ...MOVING, isDryRun: true }))).toEqual(MOVED);
    expect(await rows(database, 'SELECT id FROM moved_in')).toEqual([]);
    expect(states(await moved.move([ACME], MOVING))).toEqual(MOVED);
    expect(states(await moved.move([ACME], MOVING))).toEqual(PRESENT);
    const items = await acmes(accounts);
    expect(items.map(({ name, limits }) => [name, limits.requestsPerMinute])).toEqual([
      ['Acme', 7],
    ]);
    await accounts.findForeignKeys();
    const caller = await accounts.authenticate(KEY);
    expect(caller).toMatchObject({ accountId: items[0]?.id ?? '', keyName: 'app' });
    expect(caller.limits.key.models).toEqual(['gen-x']);
    const record = await accounts.keysOf(null).get(caller.keyId);
    expect([record.masked, record.spend.total.cap]).toEqual(['sk-aaaa...aaaa', nano(5n)]);
    const [wallet] = await database.ledger.wallets(caller.accountId);
    expect(wallet?.balance).toBe(nano(2_500_000_000n));
    expect(await database.ledger.verify()).toEqual([]);
    expect(
      await rows(
        database,
        "SELECT actor, action FROM audit WHERE action NOT LIKE '%.publish' ORDER BY id",
      ),
    ).toEqual([
      ...['usr_boss account.move_in', 'usr_boss person.move_in', 'usr_boss key.move_in'],
      'system wallet.credit',
    ]);
  });

  rule(open, 'a run that was cut short is completed by the next', async (database) => {
    const { moved } = opened(database);
    await moved.move([{ ...ACME, keys: [], people: [] }], MOVING);
    // Simulates a crash: the ledger has booked the credit, but the credit is not recorded as moved.
    const cut = "DELETE FROM moved_in WHERE ref = 'balance:1' RETURNING id";
    await database.sql.transaction([{ sql: cut, params: [] }]);
    expect(states(await moved.move([ACME], MOVING))).toEqual([
      ...['account present', 'person moved', 'key moved', 'credit present'],
    ]);
    const [wallet] = await rows(database, 'SELECT SUM(balance) FROM wallet');
    expect(wallet).toBe('2500000000');
  });

  rule(open, 'what moved under an earlier ref is not credited again', async (database) => {
    const { moved, accounts } = opened(database);
    await moved.move([ACME], MOVING);
    const credits = [{ ref: 'balance:1:x', currency: 'USD', amount: nano(7n) }] as const;
    const renamed = {
      ...ACME,
      ref: 'user:1:x',
      earlierRef: 'user:1',
      people: [],
      keys: [],
      credits,
    };
    const [item, ...others] = await moved.move([renamed], MOVING);
    expect([item?.state, others]).toEqual(['left', []]);
    expect(item?.reason).toContain('without an invitation code');
    expect((await acmes(accounts)).length).toBe(1);
    const apart = { ...renamed, earlierRef: 'user:2' };
    expect(states(await moved.move([apart], MOVING))).toEqual(['account moved', 'credit moved']);
  });

  rule(open, 'a run leaves what is taken, and says why', async (database) => {
    const { moved, accounts } = opened(database);
    await moved.move([ACME], MOVING);
    const other = { ...ACME, people: [], keys: [], credits: [] };
    const left = await moved.move(
      [
        {
          ...other,
          ref: 'user:2',
          people: [{ ...ACME.people[0], ref: 'person:2' }],
          keys: ACME.keys,
        },
        { ...other, ref: 'user:3', priceList: 'gold' },
        { ...other, ref: 'user:4', priceList: 'vip', keys: [key(`${KEY.slice(0, -1)}b`)] },
        { ...other, credits: [{ ref: 'balance:2', currency: 'USD', amount: nano(1n) }] },
      ] as readonly MovedAccount[],
      { ...MOVING, source: 'new-api' },
    );
    expect(
      left.map(({ kind, state, reason }) => `${kind} ${state} ${reason ?? ''}`.trim()),
    ).toEqual([
      'account moved',
      'person left The email address belongs to a person of this gateway. Invite that person to the account.',
      'key left The same key already exists here, and stays as it is.',
      'account left The price list "gold" is not configured. Add it and run again.',
      ...['account moved', 'key moved', 'account moved', 'credit moved'],
    ]);
    const changed = { ...ACME, ref: 'user:1', credits: [] };
    expect(states(await moved.move([changed], MOVING))[0]).toBe('account present');
    const items = await acmes(accounts);
    // The order of accounts that were created in the same millisecond is arbitrary, so the lists
    // are sorted.
    const lists = items.map(({ priceList }) => priceList).toSorted();
    expect(lists).toEqual([null, null, null, 'vip']);
  });

  rule(
    open,
    'foreign keys are looked up only if there are keys of their form',
    async (database) => {
      const { moved, accounts } = opened(database);
      const codeOf = async (text: string) =>
        asGatewayError(await failureOf(accounts.authenticate(text)));
      await accounts.findForeignKeys();
      expect((await codeOf(KEY)).message).toContain('a valid key begins with');
      await moved.move([ACME], MOVING);
      await accounts.findForeignKeys();
      expect((await codeOf(`sk-${'b'.repeat(48)}`)).message).toContain('does not exist');
      for (const other of [
        `${KEY}-7`,
        `sk-${'b'.repeat(47)}`,
        KEY.slice(3),
        `sk-mg-${'a'.repeat(45)}`,
      ])
        expect((await codeOf(other)).message).toMatch(/a valid key begins with|malformed/);
      const { keyId } = await accounts.authenticate(KEY);
      await accounts.keysOf(null).revoke(keyId);
      expect((await codeOf(KEY)).message).toContain('was revoked');
    },
  );

  rule(open, 'a new key of our own form opens no lookup of foreign keys', async (database) => {
    const { moved, accounts } = opened(database);
    const own = generateKey(systemClock).reveal();
    await moved.move([{ ...ACME, keys: [key(own, { form: null })] }], MOVING);
    await accounts.findForeignKeys();
    expect((await accounts.authenticate(own)).keyName).toBe('app');
    const foreign = asGatewayError(await failureOf(accounts.authenticate(KEY)));
    expect(foreign.message).toContain('a valid key begins with');
  });
}
