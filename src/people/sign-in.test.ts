import { expect, test } from 'bun:test';
import { MemoryStore } from '../accounts/store.fixture.ts';
import { manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { Browser, PASSWORD, roomOf, totpOf } from './people.fixture.ts';
import { codeOf } from './people-conformance.fixture.ts';
import { SessionCookies } from './session-cookie.ts';
import { SignIn } from './sign-in.ts';
import { FREE_GUESSES, SignInGuard } from './sign-in-guard.ts';

test('an unjudged guess does not reset earlier ones', async () => {
  const clock = manualClock();
  let isBusy = false;
  const unused = () => Promise.reject(new Error('nobody signs in here'));
  const signIn = new SignIn({
    clock,
    guard: new SignInGuard(clock),
    hasher: {
      hash: async () => {
        if (isBusy) throw new GatewayError('rate_limit_exceeded', 'busy');
        return '';
      },
      verify: unused,
    },
    cookies: new SessionCookies(new Secret('a secret of this test'), 'http://gateway'),
    secondFactor: { verify: unused },
    sessions: {
      draw: () => {
        throw new Error('nobody signs in here');
      },
      sweep: unused,
      signOut: unused,
    },
    sql: { query: () => Promise.resolve([]), transaction: () => Promise.resolve([]) },
  });
  const visitor = { cookie: null, address: '192.0.2.1', userAgent: null };
  const guess = () => codeOf(signIn.withPassword('bob@example.com', 'a guess', visitor));
  for (let wrong = 1; wrong < FREE_GUESSES.email; wrong++) {
    expect(await guess()).toBe('sign_in_failed');
  }
  isBusy = true;
  expect(await guess()).toBe('rate_limit_exceeded');
  isBusy = false;
  expect(await guess()).toBe('sign_in_failed');
  expect(await guess()).toBe('rate_limit_exceeded');
});

/**
 * Values from a database of earlier releases, which used better-auth with the same tables. They
 * were made with the secret of `roomOf`.
 */
const EARLIER = {
  cookie:
    'modelgate.session_token=zCpOlihbcWsHzbBv8jzOY0TtrIiaEdiR.RUFxwNnckMzGfHMfcLD1e8WYPq00EK%2BOHef%2BVGxUMJA%3D',
  tokenHash: '7BSMpt6uOR6oBfTFxNMCrpt9KX8C4EQ7BYp9PS+lyUA=',
  passwordHash:
    '$argon2id$v=19$m=8,t=1,p=1$ZDHTqgo0/6vU1t3aaC1m6Ybkd0RlKNMXqBkjeAqclsc$U7kPadGeLEzrhL/JzM9P1oY8rb3rs31O2gKf/srCpS0',
  secret:
    '$ba$1$6ad69af842a50384a05c8939e21510b1b9f7a8dda430ee3b34f308d8f5aee60eb315847608abd0dfae1700f9f28228f9a696c47ea395a70fe59500a2cd63c15448f57532a0ae807b',
  uri: 'otpauth://totp/Modelgate:bob%40example.com?secret=KFZG6V2EJ5CG443KKNEW24RVI5JEGYSSGFEGENKKNNBEONLLGZZA&issuer=Modelgate&digits=6&period=30',
  recoveryCodes:
    '$ba$1$edc420d1339531d0b9f2d1cbd2514b8014aeba6256667a40441f7b29c64424f36184b099b22051a7eefd21e4e8cf3da72f1b112152d3774ff37a57ac336ebeaf5f6603be82a79381f5053645a4dab2b69f0d81a70b18c50e9a09bd1d7c7700ee036046938c85d436cc2d9574ff507fe4cea45c9a31a7e135ec455b9989a2f1cef7238bcaa618cd3392e13ada1c493df650568ca72680228a8911fa57959b1ca0d3add0e8d20debb28c5991a2aaadfd7f46bd2c3d2b',
  recoveryCode: 'uiDQb-j8oGM',
};

test('accepts sessions, passwords, authenticators and recovery codes of earlier databases', async () => {
  const store = new MemoryStore();
  const room = roomOf({ sql: store });
  const nowMs = room.clock.nowMs();
  const insert = (sql: string, ...params: (string | number | Uint8Array)[]) =>
    store.query({ sql, params });
  await insert("INSERT INTO account (id, name, created_at_ms) VALUES ('alice', 'alice', 1)");
  await insert(
    `INSERT INTO person (id, account_id, role, email, name, totp_enabled, created_at_ms, updated_at_ms)
      VALUES ('usr_1', 'alice', 'owner', 'bob@example.com', 'bob', 1, 1, 1)`,
  );
  await insert(
    `INSERT INTO credential
        (id, person_id, subject, provider, password_hash, created_at_ms, updated_at_ms)
      VALUES ('crd_1', 'usr_1', 'usr_1', 'credential', $1, 1, 1)`,
    EARLIER.passwordHash,
  );
  await insert(
    `INSERT INTO session (id, person_id, token_hash, created_at_ms, seen_at_ms, expires_at_ms)
      VALUES ('ses_1', 'usr_1', $1, $2, $2, $3)`,
    new Uint8Array(Buffer.from(EARLIER.tokenHash, 'base64')),
    nowMs,
    nowMs + 60_000,
  );
  await insert(
    `INSERT INTO totp (id, person_id, secret, recovery_codes, verified, failures, last_step)
      VALUES ('otp_1', 'usr_1', $1, $2, 1, 0, 59844770)`,
    EARLIER.secret,
    EARLIER.recoveryCodes,
  );

  expect((await room.sessions.of(EARLIER.cookie))?.person.id).toBe('usr_1');
  const enter = async (code: string) => {
    const browser = new Browser();
    const begun = await room.signIn.withPassword('bob@example.com', PASSWORD, browser.visitor);
    expect(begun.personId).toBeNull();
    browser.keep(begun.cookies);
    return (await room.signIn.withCode(code, browser.visitor)).personId;
  };
  expect(await enter(totpOf(EARLIER.uri))).toBe('usr_1');
  expect(await enter(EARLIER.recoveryCode)).toBe('usr_1');
  expect(await codeOf(enter(EARLIER.recoveryCode))).toBe('wrong_code');
});
