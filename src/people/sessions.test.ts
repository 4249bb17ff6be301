import { expect, test } from 'bun:test';
import { MemoryStore } from '../accounts/store.fixture.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { unavailable } from '../store/store-fault.ts';
import { Browser, roomOf } from './people.fixture.ts';

test('refuses a cookie with a wrong signature without a query', async () => {
  const store = new MemoryStore();
  const room = roomOf({ sql: store });
  const before = store.asked;
  for (const cookie of [
    null,
    '',
    'a=b',
    'modelgate.session_token=x',
    `modelgate.session_token=${'a'.repeat(32)}.${'A'.repeat(43)}%3D`,
  ]) {
    expect(await room.sessions.of(cookie)).toBeNull();
  }
  expect(store.asked).toBe(before);
});

test('returns 503 when the store fails, and signs nobody in or out', async () => {
  const store = new MemoryStore();
  const room = roomOf({ sql: store });
  await store.query({
    sql: "INSERT INTO account (id, name, created_at_ms) VALUES ('alice', 'alice', 1)",
    params: [],
  });
  await room.join('bob@example.com', 'owner');
  const browser = await room.browserOf('bob@example.com');
  store.failure = new Error('the disk is gone');
  const codes = await Promise.all(
    [
      room.sessions.of(browser.cookie),
      room.signIn.withPassword('bob@example.com', 'wrong', new Browser().visitor),
      room.signUp.newSetupLink('system'),
    ].map((work) =>
      work.then(
        () => 'done',
        (thrown: { code?: string }) => thrown.code,
      ),
    ),
  );
  expect(codes).toEqual(['store_unavailable', 'store_unavailable', 'store_unavailable']);
  store.failure = null;
  expect((await room.sessions.of(browser.cookie))?.person.email).toBe('bob@example.com');
});

test('a person stays signed in while the store can be read and not written', async () => {
  const store = new MemoryStore();
  let isFull = false;
  const sql: SqlExecutor = {
    query: async (statement) => {
      if (isFull && statement.sql.startsWith('UPDATE')) throw unavailable('the disk is full');
      return await store.query(statement);
    },
    transaction: (...asked) => store.transaction(...asked),
  };
  const room = roomOf({ sql });
  await store.query({
    sql: "INSERT INTO account (id, name, created_at_ms) VALUES ('alice', 'alice', 1)",
    params: [],
  });
  await room.join('bob@example.com', 'owner');
  const browser = await room.browserOf('bob@example.com');
  room.advance(5 * 60_000);
  isFull = true;
  const seen = async () =>
    (await store.query({ sql: 'SELECT seen_at_ms FROM session', params: [] }))[0];
  const before = await seen();
  expect((await room.sessions.of(browser.cookie))?.person.email).toBe('bob@example.com');
  expect(await seen()).toEqual(before);
  isFull = false;
  expect((await room.sessions.of(browser.cookie))?.person.email).toBe('bob@example.com');
  expect(await seen()).not.toEqual(before);
});
