/** Tests that somebody who guesses a person's password cannot lock that person out. */
import { beforeEach, expect, test } from 'bun:test';
import { MemoryStore } from '../accounts/store.fixture.ts';
import { ADMIN, Browser, PASSWORD, type PeopleRoom, roomOf, tokenOf } from './people.fixture.ts';
import { codeOf } from './people-conformance.fixture.ts';
import { FREE_GUESSES } from './sign-in-guard.ts';

const BOB = 'bob@example.com';
let room: PeopleRoom;

beforeEach(async () => {
  const sql = new MemoryStore();
  const account = "INSERT INTO account (id, name, created_at_ms) VALUES ('alice', 'alice', 1)";
  await sql.query({ sql: account, params: [] });
  room = roomOf({ sql });
  await room.join(BOB, 'owner');
});

/** Signs in as Bob from a browser, which stores the cookies. */
const enter = (browser: Browser, password = PASSWORD): Promise<string> =>
  codeOf(
    room.signIn.withPassword(BOB, password, browser.visitor).then(({ cookies }) => {
      browser.keep(cookies);
    }),
  );

async function strangersGuess(): Promise<void> {
  for (let each = 0; each < FREE_GUESSES.email; each++) {
    expect(await enter(new Browser(`198.51.100.${each}`), 'wrong')).toBe('sign_in_failed');
  }
}

test('a device of the person signs in during the pause that strangers caused', async () => {
  const known = new Browser();
  expect(await enter(known)).toBe('done');
  await room.signIn.out(known.visitor);
  await strangersGuess();
  expect(await enter(new Browser())).toBe('rate_limit_exceeded');
  expect(await enter(known)).toBe('done');
});

test('a device of the person has few guesses, too', async () => {
  const known = new Browser();
  await enter(known);
  for (let each = 0; each < FREE_GUESSES.email; each++) {
    expect(await enter(known, 'wrong')).toBe('sign_in_failed');
  }
  expect(await enter(known)).toBe('rate_limit_exceeded');
  room.advance(60_000);
  expect(await enter(known)).toBe('done');
});

test("another person's device, and a changed cookie, count as strangers", async () => {
  await room.join('eve@example.com', 'owner');
  const eve = await room.browserOf('eve@example.com');
  const known = new Browser();
  await enter(known);
  const changed = new Browser();
  changed.keep([known.cookie.replace(/^.*(modelgate\.device=.)/, '$1x')]);
  await strangersGuess();
  expect(await enter(eve)).toBe('rate_limit_exceeded');
  expect(await enter(changed)).toBe('rate_limit_exceeded');
});

test('a reset link lets the person in during the pause', async () => {
  const { items } = await room.people.list(
    { accountId: null, email: BOB },
    { limit: 1, after: null },
  );
  await strangersGuess();
  const link = await room.members.resetLink(items[0]?.id ?? '', ADMIN);
  const email = await room.credentials.resetPassword(tokenOf(link.url), 'seven green lanterns');
  const { visitor } = new Browser();
  expect(await codeOf(room.signIn.withNewPassword(email, 'seven green lanterns', visitor))).toBe(
    'done',
  );
});
