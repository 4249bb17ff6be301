/** The conformance suite of stored secrets, run on every engine. */
import { expect } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { failureOf } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { SqlExecutor, SqlRow } from '../store/sql.ts';
import { keysIn, newKey } from './secret-keys.ts';
import {
  MAX_SECRET_BYTES,
  MIN_CHARS_FOR_LAST_FOUR,
  SecretVault,
  type SecretVaultDeps,
} from './secret-vault.ts';

const VALUE = 'sk-live-0123456789-abcdefghij-WXYZ';
const OLD = newKey(systemClock);
const NEW = newKey(systemClock);

const openVault = (sql: SqlExecutor, keys: string, more: Partial<SecretVaultDeps> = {}) =>
  SecretVault.open({
    sql,
    clock: systemClock,
    readKeys: async () => keysIn(keys, 'the test'),
    ...more,
  });

const set = (vault: SecretVault, name: string, value = VALUE, actor = 'usr_ada') =>
  vault.set(name, new Secret(value), actor);

function plainOf(vault: SecretVault, name: string): string | null {
  const found = vault.find(name);
  return found.state === 'ready' ? found.value.reveal() : null;
}

const query = (sql: SqlExecutor, text: string): Promise<readonly SqlRow[]> =>
  sql.query({ sql: text, params: [] });

const auditOf = async (sql: SqlExecutor) =>
  (await query(sql, "SELECT * FROM audit WHERE action LIKE 'secret.%' ORDER BY id")).map(
    ({ action, actor, subject, detail }) => ({ action, actor, subject, detail: String(detail) }),
  );

export function secretVaultConformance(open: Open): void {
  keeping(open);
  damage(open);
  rotation(open);
}

function keeping(open: Open): void {
  rule(open, 'a secret is found after a restart, and listed without its value', async ({ sql }) => {
    const before = systemClock.nowMs();
    await set(await openVault(sql, OLD), 'OPENAI');
    const vault = await openVault(sql, OLD);
    expect(plainOf(vault, 'OPENAI')).toBe(VALUE);
    expect(vault.find('OTHER')).toEqual({ state: 'unset' });
    const [record, ...others] = vault.list();
    expect(others).toEqual([]);
    expect(record).toMatchObject({ name: 'OPENAI', lastFour: 'WXYZ', setBy: 'usr_ada' });
    expect(record?.state).toBe('ready');
    expect(record?.setAtMs).toBeGreaterThanOrEqual(before);
    expect(Bun.inspect(vault.list())).not.toContain(VALUE);
  });

  rule(open, 'neither the row nor the audit log holds the value', async ({ sql }) => {
    const vault = await openVault(sql, OLD);
    await set(vault, 'OPENAI');
    await set(vault, 'OPENAI', `${VALUE}2`, 'admin');
    await vault.delete('OPENAI', 'admin');
    await set(vault, 'OPENAI');
    const audit = await auditOf(sql);
    expect(audit.map(({ action, actor, subject }) => [action, actor, subject])).toEqual([
      ['secret.set', 'usr_ada', 'OPENAI'],
      ['secret.set', 'admin', 'OPENAI'],
      ['secret.delete', 'admin', 'OPENAI'],
      ['secret.set', 'usr_ada', 'OPENAI'],
    ]);
    const rows = [
      ...(await query(sql, 'SELECT * FROM secret')),
      ...(await query(sql, 'SELECT * FROM audit')),
    ];
    const bytes = rows.flatMap((row) =>
      Object.values(row).map((cell) =>
        cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell),
      ),
    );
    for (const piece of [VALUE, VALUE.slice(0, 12), VALUE.slice(-8)]) {
      expect(bytes.filter((cell) => cell.includes(piece))).toEqual([]);
    }
  });

  rule(open, 'a change that the store refuses leaves no audit entry', async ({ sql }) => {
    const vault = await openVault(sql, OLD);
    const failing: SqlExecutor = {
      query: (statement) => sql.query(statement),
      transaction: (statements, audit) =>
        sql.transaction([...statements, { sql: 'SELECT * FROM no_table', params: [] }], audit),
    };
    expect(await failureOf(set(await openVault(failing, OLD), 'OPENAI'))).not.toBeNull();
    expect(await auditOf(sql)).toEqual([]);
    expect(await failureOf(vault.delete('OPENAI', 'admin'))).toMatchObject({ code: 'not_found' });
    expect(await auditOf(sql)).toEqual([]);
  });

  rule(
    open,
    'the last four characters of a short or strange value are not kept',
    async ({ sql }) => {
      const vault = await openVault(sql, OLD);
      const long = 'x'.repeat(MIN_CHARS_FOR_LAST_FOUR);
      for (const [value, lastFour] of [
        [long.slice(1), null],
        [long, 'xxxx'],
        [`${long}\n`, null],
        [`${long}ключ`, null],
      ] as const) {
        await set(vault, 'A', value);
        expect([value, vault.list()[0]?.lastFour]).toEqual([value, lastFour]);
        expect(plainOf(vault, 'A')).toBe(value);
      }
    },
  );

  rule(open, 'refuses names and values that are not valid, without the value', async ({ sql }) => {
    const vault = await openVault(sql, OLD);
    for (const name of ['', '1A', '-a', 'a b', 'a/b', `a${'b'.repeat(64)}`, 'ключ', 'a\n']) {
      const thrown = await failureOf(set(vault, name));
      expect([name, thrown]).toMatchObject([name, { code: 'invalid_value' }]);
    }
    for (const value of ['', `${VALUE}\0`, `${VALUE}\ud800`, 'y'.repeat(MAX_SECRET_BYTES + 1)]) {
      const thrown = await failureOf(set(vault, 'A', value));
      expect(thrown).toMatchObject({ code: 'invalid_value', param: 'value' });
      expect(Bun.inspect(thrown)).not.toContain(VALUE);
    }
    await set(vault, 'A', 'ü'.repeat(MAX_SECRET_BYTES / 2));
    expect(vault.list().map(({ name }) => name)).toEqual(['A']);
  });
}

function damage(open: Open): void {
  rule(
    open,
    'another key reads nothing, and setting a secret again repairs it',
    async ({ sql }) => {
      await set(await openVault(sql, OLD), 'A');
      await set(await openVault(sql, OLD), 'B');
      const vault = await openVault(sql, NEW);
      expect(vault.list().map(({ state }) => state)).toEqual(['unreadable', 'unreadable']);
      expect(vault.find('A')).toEqual({ state: 'unreadable' });
      await set(vault, 'A', `${VALUE}2`);
      expect(plainOf(vault, 'A')).toBe(`${VALUE}2`);
      expect(vault.find('B')).toEqual({ state: 'unreadable' });
      expect(plainOf(await openVault(sql, OLD), 'B')).toBe(VALUE);
    },
  );

  rule(open, 'a node without a key stores nothing and says why', async ({ sql }) => {
    await set(await openVault(sql, OLD), 'A');
    const vault = await openVault(sql, '');
    expect(vault.keyProblem).toContain('the test has no key');
    expect(vault.find('A')).toEqual({ state: 'unreadable' });
    for (const work of [set(vault, 'A'), vault.rotate('admin')]) {
      expect(await failureOf(work)).toMatchObject({
        code: 'secrets_key_missing',
        message: expect.stringContaining('the test has no key'),
      });
    }
    expect(plainOf(await openVault(sql, OLD), 'A')).toBe(VALUE);
  });

  rule(open, 'a ciphertext that was cut, altered or emptied is unreadable', async ({ sql }) => {
    const vault = await openVault(sql, OLD);
    await set(vault, 'A');
    const [row] = await query(sql, 'SELECT sealed FROM secret');
    const sealed = row?.['sealed'];
    if (!(sealed instanceof Uint8Array)) throw new Error('no ciphertext');
    const flipped = (at: number) => sealed.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const broken = [
      sealed.subarray(0, -1),
      sealed.subarray(0, 20),
      new Uint8Array(),
      flipped(0),
      flipped(14),
      flipped(sealed.byteLength - 1),
    ];
    for (const bytes of broken) {
      await sql.query({ sql: 'UPDATE secret SET sealed = $1', params: [bytes] });
      await vault.refresh();
      expect(vault.find('A')).toEqual({ state: 'unreadable' });
      expect(vault.list()[0]?.state).toBe('unreadable');
    }
    await sql.query({ sql: 'UPDATE secret SET sealed = $1', params: [sealed] });
    await vault.refresh();
    expect(plainOf(vault, 'A')).toBe(VALUE);
  });

  rule(open, 'a ciphertext that was moved to another name is unreadable', async ({ sql }) => {
    const vault = await openVault(sql, OLD);
    await set(vault, 'A', `${VALUE}-of-a`);
    await set(vault, 'B', `${VALUE}-of-b`);
    const rows = await query(sql, 'SELECT name, sealed FROM secret');
    for (const { name = null } of rows) {
      const other = rows.find((row) => row['name'] !== name)?.['sealed'] ?? null;
      await sql.query({
        sql: 'UPDATE secret SET sealed = $1 WHERE name = $2',
        params: [other, name],
      });
    }
    await vault.refresh();
    expect(vault.find('A')).toEqual({ state: 'unreadable' });
    expect(vault.find('B')).toEqual({ state: 'unreadable' });
  });
}

function rotation(open: Open): void {
  const NAMES = ['A', 'B', 'C'];
  const ofName = (name: string): string => `${VALUE}-${name}`;

  async function three(sql: SqlExecutor): Promise<void> {
    const vault = await openVault(sql, OLD);
    for (const name of NAMES) await set(vault, name, ofName(name));
  }

  rule(open, 'a rotation encrypts all under the first key, once', async ({ sql }) => {
    await three(sql);
    const vault = await openVault(sql, `${NEW}\n${OLD}`);
    expect(await vault.rotate('admin')).toMatchObject({ rotated: NAMES, current: [] });
    expect(await vault.rotate('admin')).toMatchObject({ rotated: [], current: NAMES });
    const entries = (await auditOf(sql)).filter(({ action }) => action === 'secret.rotate');
    expect(entries.map(({ subject }) => subject)).toEqual(NAMES);
    const onlyNew = await openVault(sql, NEW);
    expect(NAMES.map((name) => plainOf(onlyNew, name))).toEqual(NAMES.map(ofName));
    expect(onlyNew.list().every(({ setBy }) => setBy === 'usr_ada')).toBe(true);
  });

  rule(open, 'a rotation that is killed at any step is continued by the next', async ({ sql }) => {
    for (let step = 0; step <= NAMES.length; step++) {
      await query(sql, 'DELETE FROM secret');
      await three(sql);
      let left = step;
      const dying: SqlExecutor = {
        query: (statement) => sql.query(statement),
        transaction: async (statements, audit) => {
          if (left === 0) throw new Error('the process was killed');
          left -= 1;
          return await sql.transaction(statements, audit);
        },
      };
      const keys = `${NEW}\n${OLD}`;
      const first = (await openVault(dying, keys)).rotate('admin');
      const isKilled = await first.then(
        () => false,
        () => true,
      );
      expect(isKilled).toBe(step < NAMES.length);
      const between = await openVault(sql, keys);
      expect(NAMES.map((name) => plainOf(between, name))).toEqual(NAMES.map(ofName));
      const { rotated, current } = await between.rotate('admin');
      expect([rotated, current]).toEqual([NAMES.slice(step), NAMES.slice(0, step)]);
      const after = await openVault(sql, NEW);
      expect(NAMES.map((name) => plainOf(after, name))).toEqual(NAMES.map(ofName));
    }
  });

  rule(open, 'a rotation does not undo a value that is set meanwhile', async ({ sql }) => {
    await three(sql);
    const keys = `${NEW}\n${OLD}`;
    const other = await openVault(sql, keys);
    let isSet = false;
    const slow: SqlExecutor = {
      query: (statement) => sql.query(statement),
      transaction: async (statements, audit) => {
        if (!isSet) {
          isSet = true;
          await set(other, 'A', `${VALUE}-later`);
        }
        return await sql.transaction(statements, audit);
      },
    };
    const vault = await openVault(slow, keys);
    expect((await vault.rotate('admin')).rotated).toEqual(['B', 'C']);
    expect(plainOf(vault, 'A')).toBe(`${VALUE}-later`);
  });

  rule(open, 'a rotation leaves what it cannot read, and names it', async ({ sql }: Database) => {
    await set(await openVault(sql, newKey(systemClock)), 'LOST');
    await set(await openVault(sql, OLD), 'A');
    const vault = await openVault(sql, `${NEW} ${OLD}`);
    expect(await vault.rotate('admin')).toMatchObject({
      rotated: ['A'],
      current: [],
      unreadable: ['LOST'],
    });
    expect(vault.find('LOST')).toEqual({ state: 'unreadable' });
  });

  rule(open, 'an unknown key in the store makes a node read its keys again', async ({ sql }) => {
    await three(sql);
    let keys = OLD;
    const readKeys = async () => keysIn(keys, 'the test');
    const node = await openVault(sql, OLD, { readKeys });
    await (await openVault(sql, `${NEW} ${OLD}`)).rotate('admin');
    await node.refresh();
    expect(node.find('A')).toEqual({ state: 'unreadable' });
    keys = `${NEW} ${OLD}`;
    await node.refresh();
    expect(NAMES.map((name) => plainOf(node, name))).toEqual(NAMES.map(ofName));
  });

  rule(open, 'a failed reading of the keys loses none of those read before', async ({ sql }) => {
    await three(sql);
    let keys = OLD;
    const readKeys = async () => keysIn(keys, 'the test');
    const node = await openVault(sql, OLD, { readKeys });
    keys = '';
    const failure = await failureOf(node.rotate('admin'));
    expect(failure).toMatchObject({
      code: 'secrets_key_missing',
      message: expect.stringContaining('the test has no key'),
    });
    await set(await openVault(sql, NEW), 'D', ofName('D'));
    await node.refresh();
    expect([node.isOutdated, node.keyProblem]).toEqual([true, expect.stringContaining('no key')]);
    expect(NAMES.map((name) => plainOf(node, name))).toEqual(NAMES.map(ofName));
    expect(node.find('D')).toEqual({ state: 'unreadable' });
    await set(node, 'A', ofName('A2'));
    expect(plainOf(node, 'A')).toBe(ofName('A2'));
    keys = `${NEW} ${OLD}`;
    await node.refresh();
    expect([node.isOutdated, node.keyProblem, plainOf(node, 'D')]).toEqual([
      ...[false, null, ofName('D')],
    ]);
  });
}
