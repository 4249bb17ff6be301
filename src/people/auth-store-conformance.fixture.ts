/** The law of the tables that better-auth keeps, on any engine: what it asks for, in its own kinds of values. */
import { describe, expect } from 'bun:test';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { type AuthStore, type AuthWhere, authStore, hashToken } from './auth-store.ts';

const AT = new Date(1_790_000_000_000);
const LATER = new Date(AT.getTime() + 1_000);

const is = (field: string, value: unknown, operator = 'eq'): AuthWhere => ({
  field,
  value,
  operator,
  connector: 'AND',
  mode: 'sensitive',
});

const verification = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  identifier: 'one',
  value: '0',
  created_at_ms: AT,
  updated_at_ms: AT,
  expires_at_ms: LATER,
  ...more,
});

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ id }) => id).toSorted();

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (thrown: unknown) => String(thrown),
  );

export function authStoreConformance(open: Open): void {
  describe('what better-auth keeps', () => {
    const law = (name: string, statement: (store: AuthStore) => Promise<void>) =>
      rule(open, name, async ({ sql }) => {
        await sql.query({
          sql: `INSERT INTO person (id, account_id, role, email, name, created_at_ms, updated_at_ms)
            VALUES ('usr_1', 'alice', 'owner', 'ada@example.com', 'Ada', 1, 1)`,
          params: [],
        });
        await statement(authStore(sql));
      });
    finding(law);
    changing(law);
  });
}

type Law = (name: string, statement: (store: AuthStore) => Promise<void>) => void;

function finding(law: Law): void {
  law('is found by each comparison that it makes, in order, so many at a time', async (store) => {
    for (const [id, created_at_ms] of [
      ['ver_1', AT],
      ['ver_2', LATER],
      ['ver_3', AT],
    ] as const) {
      const row = await store.create('verification', verification(id, { created_at_ms }));
      expect(row).toMatchObject({ id, expires_at_ms: BigInt(LATER.getTime()) });
    }
    const found = async (...where: AuthWhere[]) =>
      idsOf(await store.findMany('verification', where));
    expect(await found()).toEqual(['ver_1', 'ver_2', 'ver_3']);
    expect(await found(is('created_at_ms', AT))).toEqual(['ver_1', 'ver_3']);
    expect(await found(is('created_at_ms', AT, 'ne'))).toEqual(['ver_2']);
    expect(await found(is('created_at_ms', AT, 'gt'))).toEqual(['ver_2']);
    expect(await found(is('created_at_ms', LATER, 'lt'), is('id', 'ver_3', 'gte'))).toEqual([
      'ver_3',
    ]);
    expect(await found(is('created_at_ms', AT, 'lte'))).toEqual(['ver_1', 'ver_3']);
    expect(await found(is('id', ['ver_2', 'ver_9'], 'in'))).toEqual(['ver_2']);
    expect(await found(is('id', [], 'in'))).toEqual([]);
    const sortBy = { field: 'id', direction: 'desc' } as const;
    const page = await store.findMany('verification', [], { sortBy, limit: 1, offset: 1 });
    expect(page.map(({ id }) => id)).toEqual(['ver_2']);
    expect(await store.count('verification', [is('identifier', 'one')])).toBe(3);
  });

  law('of a token is its hash, and whoever names the token gets it back', async (store) => {
    const token = 'a-token-that-is-long-enough-0123';
    const session = {
      ...{ id: 'ses_1', person_id: 'usr_1', token_hash: token },
      ...{ created_at_ms: AT, seen_at_ms: AT, expires_at_ms: LATER },
    };
    expect((await store.create('session', session))['token_hash']).toBe(token);
    const [named] = await store.findMany('session', [is('token_hash', token)]);
    expect(named?.['token_hash']).toBe(token);
    const [unnamed] = await store.findMany('session', [is('person_id', 'usr_1')]);
    expect(unnamed?.['token_hash']).toBe(Buffer.from(hashToken(token)).toString('hex'));
    const hex = is('token_hash', Buffer.from(hashToken(token)).toString('hex'));
    expect(await store.findMany('session', [hex])).toEqual([]);
  });

  law('is asked for in no way that was not thought of', async (store) => {
    const find = (model: string, where: AuthWhere) => failure(store.findMany(model, [where]));
    expect(await find('account', is('id', 'x'))).toContain('no table');
    expect(await find('person', is('id; DROP TABLE person', 'x'))).toContain('no column');
    expect(await find('person', is('name', 'x', 'contains'))).toContain('compares by');
    expect(await find('person', { ...is('name', 'x'), connector: 'OR' })).toContain('OR');
    expect(await find('person', { ...is('name', 'x'), mode: 'insensitive' })).toContain(
      'insensitive',
    );
    expect(await find('person', is('name', { x: 1 }))).toContain('object');
    expect(await store.count('person', [])).toBe(1);
  });
}

function changing(law: Law): void {
  law('changes where it is as it was thought to be, and says what it is then', async (store) => {
    const totp = { id: 'otp_1', person_id: 'usr_1', secret: 's', recovery_codes: 'c' };
    expect(await store.create('totp', { ...totp, verified: false })).toMatchObject({
      verified: 0n,
    });
    const guard = [is('id', 'otp_1'), is('recovery_codes', 'c')];
    const change = { set: { recovery_codes: 'd', verified: true }, increment: { failures: 1 } };
    const [changed] = await store.update('totp', guard, change);
    expect(changed).toMatchObject({ recovery_codes: 'd', verified: 1n, failures: 1n });
    expect(await store.update('totp', guard, change)).toEqual([]);
    const lock = { set: { locked_until_ms: AT, failures: null } };
    expect(await store.update('totp', [is('id', 'otp_1')], lock)).toMatchObject([
      { locked_until_ms: BigInt(AT.getTime()), failures: null },
    ]);
    const again = await store.update('totp', [is('failures', null)], {
      set: {},
      increment: { failures: 2 },
    });
    expect(again).toMatchObject([{ failures: 2n }]);
  });

  law('is taken by one, however many ask for it at once', async (store) => {
    await store.create('verification', verification('ver_1'));
    await store.create('verification', verification('ver_2'));
    const takes = Array.from({ length: 6 }, () =>
      store.remove('verification', [is('id', 'ver_1')], 1),
    );
    expect((await Promise.all(takes)).flat()).toHaveLength(1);
    expect(idsOf(await store.remove('verification', [is('identifier', 'one')]))).toEqual(['ver_2']);
    expect(await store.count('verification', [])).toBe(0);
  });
}
