/** Tests passkeys on every engine, with a software authenticator. */
import { describe, expect } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import {
  ADMIN,
  actionsOf,
  Browser,
  PASSWORD,
  type PeopleRoom,
  pausedRoom,
  roomOf,
  totpOf,
} from '../people.fixture.ts';
import { codeOf } from '../people-conformance.fixture.ts';
import { mustSetUpTotp, type PersonRecord } from '../person.ts';
import { FREE_GUESSES } from '../sign-in-guard.ts';
import { type Fault, TestAuthenticator } from './authenticator.fixture.ts';
import { CHALLENGE_MS } from './passkey-challenges.ts';
import { MAX_PASSKEYS } from './passkeys.ts';

const ADA = 'ada@example.com';

type Bench = {
  readonly settings: { passkeys: boolean };
  readonly room: PeopleRoom;
  readonly database: Database;
  readonly ada: PersonRecord;
  /** A browser in which Ada is signed in with her password. */
  readonly browser: Browser;
};
type Law = (name: string, statement: (bench: Bench) => Promise<void>) => void;

export function passkeysConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, async (database) => {
      const settings = { passkeys: true };
      const room = roomOf(database, settings);
      const ada = await room.join(ADA, 'administrator');
      await statement({ settings, room, database, ada, browser: await room.browserOf(ADA) });
    });
  describe('a passkey', () => {
    entering(law);
    proving(law);
    ending(law);
  });
  describe('an answer', () => {
    refusing(law);
    oncePerChallenge(law);
    amongTabs(law);
    refusingNew(law);
  });
}

/** Adds a passkey for Ada with the authenticator. */
async function add({ room, ada, browser }: Bench, authenticator: TestAuthenticator, fault?: Fault) {
  const { options, cookies } = await room.passkeys.begin(ada, PASSWORD, browser.visitor);
  browser.keep(cookies);
  const answer = authenticator.create(options, fault);
  browser.keep(await room.passkeys.add(ada, { name: 'laptop', answer }, browser.visitor));
}

/** Signs in with the authenticator, and returns the person's id. */
async function enter(
  { room }: Pick<Bench, 'room'>,
  authenticator: TestAuthenticator,
  fault?: Fault,
  browser = new Browser(),
): Promise<string | null> {
  const { options, cookies } = room.passkeySignIn.begin(browser.visitor);
  browser.keep(cookies);
  const answer = authenticator.get(options, fault);
  const result = await room.passkeySignIn.finish(answer, browser.visitor);
  browser.keep(result.cookies);
  return result.personId;
}

/** Returns the reason why a passkey was refused, the code of any other error, or `done`. */
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: unknown) => {
      if (!(thrown instanceof GatewayError)) throw thrown;
      return thrown.extra['reason'] ?? thrown.code;
    },
  );

function entering(law: Law): void {
  law('signs in without password and code, and counts as both factors', async (bench) => {
    const { room, database, ada, browser } = bench;
    const { uri } = await room.credentials.beginTotp(ada, PASSWORD, browser.visitor);
    const { cookies } = await room.credentials.confirmTotp(ada, totpOf(uri), browser.visitor);
    browser.keep(cookies);
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    expect(await room.passkeys.list(ada.id)).toMatchObject([
      { name: 'laptop', lastUsedAtMs: null },
    ]);

    const other = new Browser();
    expect(await enter(bench, authenticator, {}, other)).toBe(ada.id);
    expect(other.cookie).not.toContain('passkey');
    const session = await room.sessions.of(other.cookie);
    expect(session?.person).toMatchObject({ email: ADA, byPasskey: true });
    const [used] = await room.passkeys.list(ada.id);
    expect(used?.lastUsedAtMs).toBeGreaterThan(0);
    expect((await actionsOf(database)).slice(-2)).toEqual(['person.totp_on', 'person.passkey_add']);
  });

  law('frees only its own sessions from setting up an authenticator', async (bench) => {
    const { room, browser } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const other = new Browser();
    await enter(bench, authenticator, {}, other);
    const mustSetUp = async ({ cookie }: Browser): Promise<boolean> => {
      const session = await room.sessions.of(cookie);
      if (session === null) throw new Error('nobody is signed in');
      return mustSetUpTotp(session.person, true);
    };
    expect([await mustSetUp(browser), await mustSetUp(other)]).toEqual([true, false]);
    const session = await room.sessions.of(other.cookie);
    if (session === null) throw new Error('nobody is signed in');
    const words = { current: PASSWORD, next: 'several quiet lanterns' };
    const { cookies } = await room.credentials.changePassword(session.person, words, other.visitor);
    other.keep(cookies);
    expect(await mustSetUp(other)).toBe(false);
  });
}

function proving(law: Law): void {
  law('is added and removed with the password, or soon after a sign-in', async (bench) => {
    const { room, database, ada, browser } = bench;
    const begin = (password: string | undefined) =>
      codeOf(room.passkeys.begin(ada, password, browser.visitor));
    expect(await begin('wrong')).toBe('wrong_password');
    expect(await begin(undefined)).toBe('missing_required_parameter');
    await add(bench, new TestAuthenticator());
    const [passkey] = await room.passkeys.list(ada.id);
    const remove = (password: string | undefined, person = ada) =>
      codeOf(room.passkeys.remove(person, passkey?.id ?? '', password, browser.visitor));
    expect(await remove('wrong')).toBe('wrong_password');
    const grace = await room.join('grace@example.com', 'owner');
    expect(await remove(PASSWORD, grace)).toBe('not_found');
    const rename = (person = ada) =>
      codeOf(room.passkeys.rename(person, passkey?.id ?? '', 'Mine'));
    expect([await rename(grace), await rename()]).toEqual(['not_found', 'done']);
    expect((await room.passkeys.list(ada.id)).map(({ name }) => name)).toEqual(['Mine']);

    await database.sql.query({ sql: 'DELETE FROM credential', params: [] });
    expect(await begin(undefined)).toBe('done');
    room.advance(601_000);
    expect([await begin(undefined), await remove(undefined)]).toEqual([
      'sign_in_again',
      'sign_in_again',
    ]);
    const fresh = new Browser();
    fresh.keep((await room.signIn.asPerson(ada, fresh.visitor)).cookies);
    await room.passkeys.remove(ada, passkey?.id ?? '', undefined, fresh.visitor);
    expect(await room.passkeys.list(ada.id)).toEqual([]);
    expect((await actionsOf(database)).filter((each) => /passkey/.test(each))).toEqual([
      'person.passkey_add',
      'person.passkey_rename',
      'person.passkey_remove',
    ]);
  });

  law(`is one of at most ${MAX_PASSKEYS}, and added once`, async (bench) => {
    const { room, ada, browser } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    expect(await codeOf(add(bench, authenticator))).toBe('conflict');
    const begun = await room.passkeys.begin(ada, PASSWORD, browser.visitor);
    expect(begun.options.excludeCredentials).toEqual([
      { type: 'public-key', id: authenticator.id },
    ]);
    for (let has = 1; has < MAX_PASSKEYS; has++) await add(bench, new TestAuthenticator());
    expect(await codeOf(add(bench, new TestAuthenticator()))).toBe('conflict');
    browser.keep(begun.cookies);
    const answer = new TestAuthenticator().create(begun.options);
    const late = room.passkeys.add(ada, { name: 'late', answer }, browser.visitor);
    expect(await codeOf(late)).toBe('conflict');
    expect(await room.passkeys.list(ada.id)).toHaveLength(MAX_PASSKEYS);
  });
}

function ending(law: Law): void {
  law('ends when it is removed, with its person, and with a lost authenticator', async (bench) => {
    const { room, database, ada, browser } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const [passkey] = await room.passkeys.list(ada.id);
    await room.passkeys.remove(ada, passkey?.id ?? '', PASSWORD, browser.visitor);
    expect(await reasonOf(enter(bench, authenticator))).toBe('unknown');

    await add(bench, authenticator);
    await room.members.clearTotp(ada.id, ADMIN);
    expect((await actionsOf(database)).at(-1)).toBe('person.totp_clear');
    expect(await reasonOf(enter(bench, authenticator))).toBe('unknown');

    await room.join('root@example.com', 'administrator');
    await add(bench, authenticator);
    await room.members.remove(ada.id, ADMIN);
    expect(await reasonOf(enter(bench, authenticator))).toBe('unknown');
    const left = await database.sql.query({ sql: 'SELECT id FROM passkey', params: [] });
    expect(left).toEqual([]);
  });

  law('does not sign in if it is removed while it is verified', async (bench) => {
    const { room, database, ada, browser } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const [passkey] = await room.passkeys.list(ada.id);
    const late = pausedRoom(database, /INSERT INTO session/);
    const entering = reasonOf(enter(late, authenticator));
    await late.reached;
    await room.passkeys.remove(ada, passkey?.id ?? '', PASSWORD, browser.visitor);
    late.proceed();
    expect(await entering).toBe('unknown');
    expect(await room.sessions.list(ada.id)).toHaveLength(1);
  });

  law('works only while passkeys are on, and can always be removed', async (bench) => {
    const { settings, room, ada, browser } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const other = new Browser();
    const begun = room.passkeySignIn.begin(other.visitor);
    other.keep(begun.cookies);
    settings.passkeys = false;
    const answer = authenticator.get(begun.options);
    expect(await reasonOf(room.passkeySignIn.finish(answer, other.visitor))).toBe('off');
    expect(await reasonOf(enter(bench, authenticator))).toBe('off');
    expect(await reasonOf(add(bench, new TestAuthenticator()))).toBe('off');
    const [passkey] = await room.passkeys.list(ada.id);
    await room.passkeys.remove(ada, passkey?.id ?? '', PASSWORD, browser.visitor);
    expect(await room.passkeys.list(ada.id)).toEqual([]);
  });

  law('of a stranger who registered an address ends when its owner proves it', async (bench) => {
    const { room } = bench;
    const eve = await room.join('eve@example.com', 'owner');
    const authenticator = new TestAuthenticator();
    await add({ ...bench, ada: eve, browser: await room.browserOf(eve.email) }, authenticator);
    await room.identities.link({ issuer: 'https://sso.example', subject: '1' }, eve);
    expect(await reasonOf(enter(bench, authenticator))).toBe('unknown');
  });
}

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://gateway:81' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a user who is not verified', { isVerified: false }],
  ['changed data', { isTampered: true }],
  ['another person', { userHandle: Buffer.from('usr_other').toString('base64url') }],
];

function refusing(law: Law): void {
  law('that is not exact is refused', async (bench) => {
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    for (const [at, [what, fault]] of FAULTS.entries()) {
      const browser = new Browser(`192.0.2.${at}`);
      const reason = await reasonOf(enter(bench, authenticator, fault, browser));
      expect([what, reason]).toEqual([what, 'refused']);
      expect(await bench.room.sessions.of(browser.cookie)).toBeNull();
      await enter(bench, authenticator);
    }
    expect(await reasonOf(enter(bench, new TestAuthenticator()))).toBe('unknown');
  });

  law('of a passkey of somebody else does not sign in', async (bench) => {
    const { room, ada } = bench;
    const [own, other] = [new TestAuthenticator(), new TestAuthenticator()];
    await add(bench, own);
    const grace = await room.join('grace@example.com', 'owner');
    await add({ ...bench, ada: grace, browser: await room.browserOf(grace.email) }, other);
    const browser = new Browser();
    const { options, cookies } = room.passkeySignIn.begin(browser.visitor);
    browser.keep(cookies);
    // The answer is signed by Grace's authenticator, but names Ada's passkey.
    const forged = { ...other.get(options), id: own.id };
    expect(await reasonOf(room.passkeySignIn.finish(forged, browser.visitor))).toBe('refused');
    const handle = Buffer.from(ada.id).toString('base64url');
    const signed = { ...forged, response: { ...forged.response, userHandle: handle } };
    expect(await reasonOf(room.passkeySignIn.finish(signed, browser.visitor))).toBe('refused');
  });

  law('of an authenticator with a counter must have a higher count', async (bench) => {
    const authenticator = new TestAuthenticator({ isCounting: true });
    await add(bench, authenticator);
    expect(await enter(bench, authenticator)).toBe(bench.ada.id);
    expect(await reasonOf(enter(bench, authenticator, { uses: 2 }))).toBe('counter');
    expect(await reasonOf(enter(bench, authenticator, { uses: 0 }))).toBe('counter');
    expect(await enter(bench, authenticator, { uses: 4_294_967_295 })).toBe(bench.ada.id);
  });

  law('that is wrong many times begins a pause', async (bench) => {
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const tries: unknown[] = [];
    for (let tried = 0; tried <= FREE_GUESSES.email; tried++)
      tries.push(await reasonOf(enter(bench, authenticator, { isTampered: true })));
    expect(tries.slice(-2)).toEqual(['refused', 'rate_limit_exceeded']);
    expect(await codeOf(bench.room.browserOf(ADA))).toBe('done');
  });
}

function oncePerChallenge(law: Law): void {
  law('counts once, in the browser that began, for 5 minutes', async (bench) => {
    const { room, ada } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const begun = () => {
      const browser = new Browser();
      const { options, cookies } = room.passkeySignIn.begin(browser.visitor);
      browser.keep(cookies);
      return { visitor: browser.visitor, answer: authenticator.get(options) };
    };
    const finish = (answer: ReturnType<typeof begun>['answer'], visitor: Browser['visitor']) =>
      reasonOf(room.passkeySignIn.finish(answer, visitor));
    const [mine, other, late] = [begun(), begun(), begun()];
    expect(await finish(mine.answer, new Browser().visitor)).toBe('expired');
    expect(await finish(mine.answer, other.visitor)).toBe('refused');
    const { personId } = await room.passkeySignIn.finish(mine.answer, mine.visitor);
    expect(personId).toBe(ada.id);
    expect(await finish(mine.answer, mine.visitor)).toBe('expired');
    const twice = [finish(other.answer, other.visitor), finish(other.answer, other.visitor)];
    expect((await Promise.all(twice)).toSorted()).toEqual(['done', 'expired']);
    room.advance(CHALLENGE_MS + 1_000);
    expect(await finish(late.answer, late.visitor)).toBe('expired');
  });
}

function amongTabs(law: Law): void {
  law('counts in each tab of the browser that began', async (bench) => {
    const { room, ada } = bench;
    const authenticator = new TestAuthenticator();
    await add(bench, authenticator);
    const browser = new Browser();
    const [first, second] = [0, 1].map(() => {
      const { options, cookies } = room.passkeySignIn.begin(browser.visitor);
      browser.keep(cookies);
      return options;
    });
    if (first === undefined || second === undefined) throw new Error('no options');
    expect(first.challenge).not.toBe(second.challenge);
    const { personId } = await room.passkeySignIn.finish(authenticator.get(first), browser.visitor);
    expect(personId).toBe(ada.id);
    const other = room.passkeySignIn.finish(authenticator.get(second), browser.visitor);
    expect((await other).personId).toBe(ada.id);
  });
}

function refusingNew(law: Law): void {
  law('that adds a passkey is refused if it is not exact', async (bench) => {
    const { room, ada, browser } = bench;
    const faults: readonly Fault[] = [
      ...FAULTS.slice(0, 5).map(([, fault]) => fault),
      { format: 'apple' },
      { format: 'fido-u2f' },
    ];
    for (const fault of faults)
      expect([fault, await reasonOf(add(bench, new TestAuthenticator(), fault))]).toEqual([
        fault,
        'refused',
      ]);
    expect(await room.passkeys.list(ada.id)).toEqual([]);

    const authenticator = new TestAuthenticator();
    const addWith = (challenge: string, person = ada) => {
      const [rp, user] = [{ id: 'gateway' }, { id: Buffer.from(person.id).toString('base64url') }];
      const answer = authenticator.create({ rp, user, challenge });
      return reasonOf(room.passkeys.add(person, { name: 'a', answer }, browser.visitor));
    };
    // A challenge for a sign-in or for another person cannot be used to add a passkey.
    const signIn = room.passkeySignIn.begin(browser.visitor);
    browser.keep(signIn.cookies);
    expect(await addWith(signIn.options.challenge)).toBe('refused');
    const grace = await room.join('grace@example.com', 'owner');
    const { options, cookies } = await room.passkeys.begin(ada, PASSWORD, browser.visitor);
    browser.keep(cookies);
    expect(await addWith(options.challenge, grace)).toBe('refused');
    expect(await addWith(options.challenge)).toBe('done');
    expect(await addWith(options.challenge)).toBe('expired');
  });
}
