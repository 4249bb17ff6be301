/**
 * Services for people in tests: a store, a clock that a test advances, browsers with cookies, and
 * authenticators.
 */
import { createHmac } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { noMail } from '../mail/mail.fixture.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import type { Authority } from './members.ts';
import { PasswordHasher } from './password.ts';
import { openPeople, type PeopleSettings } from './people.ts';
import type { PersonRecord, Role } from './person.ts';
import type { Visitor } from './sessions.ts';
import type { Newcomer } from './sign-up.ts';

export const HOUR_MS = 3_600_000;
export const PASSWORD = 'eleven purple tractors';
export const ADMIN: Authority = { actor: 'admin', role: 'administrator', accountId: null };
/** The lowest cost of a hash, because test passwords need no protection from guessing. */
export const CHEAP = { memoryCost: 8, timeCost: 1 };
const SETTINGS: PeopleSettings = {
  sign_up: 'closed',
  session_idle: 12 * HOUR_MS,
  session_max: 7 * 24 * HOUR_MS,
  require_totp: false,
  password_sign_in: true,
  passkeys: true,
};

export type PeopleRoom = ReturnType<typeof roomOf>;

/**
 * Returns all services for people, on this store. `advance` moves their clock forward; the clock
 * also runs by itself.
 */
export function roomOf(
  { sql }: { readonly sql: SqlExecutor },
  settings: Partial<PeopleSettings> = {},
  secret = 'a secret of these tests, long enough',
) {
  let aheadMs = 0;
  const clock: Clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
  };
  const people = openPeople({
    ...{ sql, clock, inMemory: NOTHING_HELD },
    hasher: new PasswordHasher(CHEAP),
    publicUrl: 'http://gateway',
    secret: new Secret(secret),
    settings: () => ({ ...SETTINGS, ...settings }),
    onProviderFailure: () => undefined,
    mailer: noMail,
    onFailure: (_what, thrown) => {
      throw thrown;
    },
  });
  const room = {
    ...people,
    clock,
    advance: (byMs: number): void => {
      aheadMs += byMs;
    },
    /** Creates a person in the account `alice`, or in another account, by an invitation. */
    join: async (email: string, role: Role, accountId = 'alice'): Promise<PersonRecord> => {
      const place = { accountId, newAccount: null };
      const { link } = await people.invitations.create({ role, email: null, place }, ADMIN);
      await people.signUp.acceptInvitation(tokenOf(link.url), newcomer(email));
      const { items } = await people.people.list(
        { accountId: null, email },
        { limit: 1, after: null },
      );
      const [person] = items;
      if (person === undefined) throw new Error(`${email} did not join`);
      return person;
    },
    /** Returns a browser in which the person is signed in. */
    browserOf: async (email: string, password = PASSWORD): Promise<Browser> => {
      const browser = new Browser();
      browser.keep((await people.signIn.withPassword(email, password, browser.visitor)).cookies);
      return browser;
    },
  };
  return room;
}

/**
 * Returns services on this store that wait for `proceed` before each statement that matches `at`.
 * `reached` resolves when the first one waits.
 */
export function pausedRoom(
  { sql }: { readonly sql: SqlExecutor },
  at: RegExp,
  settings: Partial<PeopleSettings> = {},
) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const pass = async (statements: readonly SqlStatement[]): Promise<void> => {
    if (!statements.some((each) => at.test(each.sql))) return;
    reached.resolve();
    await gate.promise;
  };
  const paused: SqlExecutor = {
    query: async (one) => {
      await pass([one]);
      return await sql.query(one);
    },
    transaction: async (all, audit) => {
      await pass(all);
      return await sql.transaction(all, audit);
    },
  };
  return {
    room: roomOf({ sql: paused }, settings),
    reached: reached.promise,
    proceed: gate.resolve,
  };
}

export const newcomer = (email: string, more: Partial<Newcomer> = {}): Newcomer => ({
  email,
  name: email.split('@')[0] ?? '',
  password: PASSWORD,
  ...more,
});

/** Returns the token in the fragment of a link's URL. */
export const tokenOf = (url: string): string => url.split('#token=')[1] ?? '';

/** A browser: stores cookies and sends them back. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #address: string;

  constructor(address = '192.0.2.1') {
    this.#address = address;
  }

  get visitor(): Visitor {
    return { cookie: this.cookie, address: this.#address, userAgent: 'a browser' };
  }

  /** The stored cookies as the value of a Cookie header. */
  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (/max-age=0(?:;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(at + 1));
    }
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/**
 * Returns the current code of an authenticator, or the code after `steps` periods of 30 s (RFC
 * 6238).
 */
export function totpOf(uri: string, steps = 0): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(systemClock.nowMs() / STEP_MS) + steps));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const code = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(code % 1_000_000).padStart(6, '0');
}

/** Returns the actions in the audit log that are about people, oldest first. */
export async function actionsOf({ sql }: Pick<Database, 'sql'>): Promise<string[]> {
  const rows = await sql.query({ sql: 'SELECT action FROM audit ORDER BY id', params: [] });
  return rows
    .map(({ action }) => String(action))
    .filter((action) => /^(person|setup|invit|sign)/.test(action));
}
