import { expect, test } from 'bun:test';
import { MemoryStore } from '../accounts/store.fixture.ts';
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
