/**
 * Tests `check`, which a node asks the store at each heartbeat to learn which accounts it must
 * surrender (return to the store).
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  assignedTo,
  CHANGES,
  closeAll,
  eventually,
  holdAt,
  LEASE_MS,
  nodesWith,
  warmUp,
} from './float-nodes.fixture.ts';

/**
 * The time limit of a check of 5,000 accounts. It takes 0.15 seconds on an idle machine, while a
 * check that compares each account with each takes half a minute.
 */
const CHECK_MS = 10_000;

setDefaultTimeout(180_000);
afterAll(closeAll);

describe('a check', () => {
  for (const [name, sql, status] of CHANGES) {
    test(`returns the account when somebody ${name} and no notice arrives`, async () => {
      const [node] = await nodesWith(1_000_000n, 'a');
      if (node === undefined) return;
      await warmUp(node, 'w');
      // Without triggers, accounts are not recalled, as if the process that made the change had
      // died.
      for (const table of ['account', 'api_key', 'spend_meter', 'member_cap']) {
        await node.sql.query({ sql: `ALTER TABLE ${table} DISABLE TRIGGER USER`, params: [] });
      }
      await node.sql.query({ sql, params: [] });
      expect(await assignedTo(node)).toBeGreaterThan(0n);
      await node.ledger.renew('a', LEASE_MS);
      await eventually('the account is returned', async () => (await assignedTo(node)) === 0n);
      expect((await node.ledger.hold(holdAt(node, 'h1', 1n))).status).toBe(status);
    });
  }

  test('of thousands of accounts does not compare each with each, and finds those to return', async () => {
    const [node] = await nodesWith(1_000n, 'one');
    if (node === undefined) return;
    await node.sql.query({
      sql: `INSERT INTO account SELECT (jsonb_populate_record(a,
          jsonb_build_object('id', 'many' || n))).*
        FROM account a, generate_series(1, 5000) n WHERE a.id = 'alice'`,
      params: [],
    });
    await node.sql.query({
      sql: `INSERT INTO api_key SELECT (jsonb_populate_record(k, jsonb_build_object('id',
          'key' || n, 'account_id', 'many' || n, 'hash', '\\x' || md5('many' || n) || md5('key' || n)))).*
        FROM api_key k, generate_series(1, 4999) n WHERE k.id = 'key_alice'`,
      params: [],
    });
    await node.sql.query({
      sql: `UPDATE spend_meter SET cap_day = 0 WHERE owner_id = 'key7'`,
      params: [],
    });
    await node.sql.query({
      sql: `INSERT INTO assignment (account_id, currency, epoch, amount, version)
        SELECT 'many' || n, 'USD', 'one', 0, n FROM generate_series(1, 5000) n`,
      params: [],
    });
    const listed = Array.from({ length: 4_999 }, (_, n) => `many${n + 1}`);
    const used = listed.flatMap((id) => [
      [id, 'USD', '0'],
      [id, 'CNY', '0'],
    ]);
    const keys = listed.map((id) => [id, id.replace('many', 'key'), null]);
    const [, rows] = await node.sql.transaction([
      { sql: `SET LOCAL statement_timeout = ${CHECK_MS}`, params: [] },
      {
        sql: 'SELECT books_assignments($1::text::jsonb) AS answers',
        params: [JSON.stringify([['check', null, 'one', used, keys]])],
      },
    ]);
    const [[recalled, rests]] = JSON.parse(String(rows?.[0]?.['answers']));
    expect(recalled).toEqual(['many5000', 'many7']);
    expect(rests).toHaveLength(4_999);
  });
});
