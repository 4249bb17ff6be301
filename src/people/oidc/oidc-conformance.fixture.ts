/** Tests sign-in through an identity provider on every engine. */
import { describe, expect } from 'bun:test';
import type { GatewayError } from '../../errors.ts';
import type { Open } from '../../ledger/conformance/conformance-rule.fixture.ts';
import { ADMIN, actionsOf, Browser, PASSWORD, tokenOf, totpOf } from '../people.fixture.ts';
import { codeOf } from '../people-conformance.fixture.ts';
import { ranking } from './claim-conformance.fixture.ts';
import { countOf, entered, type Law, lawsOf, provider } from './sso.fixture.ts';
import { ADA, type Forgery } from './test-provider.fixture.ts';

export function oidcConformance(open: Open): void {
  const law = lawsOf(open);
  describe('an identity', () => linking(law));
  describe('a newcomer', () => arriving(law));
  describe('a claim', () => ranking(law));
  describe('an answer', () => refusing(law));
  describe('a person without a password', () => proving(law));
}
function linking(law: Law): void {
  law('is linked once to the person with its verified address', async ({ room, ...sso }) => {
    const ada = await room.join('ada@example.com', 'owner');
    const browser = new Browser();
    expect(await sso.enter(browser)).toBe(ada.id);
    expect((await room.sessions.of(browser.cookie))?.person.email).toBe('ada@example.com');
    expect(await room.identities.list(ada.id)).toMatchObject([{ issuer: provider.issuer }]);
    expect(await sso.enter()).toBe(ada.id);
    expect(await actionsOf(sso.database)).toEqual([
      'invitation.create',
      'person.join',
      'person.identity_link',
    ]);
  });

  law('ends what was there before anybody proved the address', async ({ room, enter }) => {
    const ada = await room.join('ada@example.com', 'owner');
    const early = await room.browserOf('ada@example.com');
    const browser = new Browser();
    await enter(browser);
    expect(await room.sessions.of(early.cookie)).toBeNull();
    expect(await codeOf(room.browserOf('ada@example.com'))).toBe('sign_in_failed');
    const next = 'several quiet tractors';
    const words = { current: undefined, next };
    browser.keep((await room.credentials.changePassword(ada, words, browser.visitor)).cookies);
    await enter();
    expect(await room.sessions.of((await room.browserOf('ada@example.com', next)).cookie)).not.toBe(
      null,
    );
    await room.join('root@example.com', 'administrator');
    provider.user = { ...ADA, sub: 'root', email: 'root@example.com' };
    await enter();
    expect(await codeOf(room.browserOf('root@example.com'))).toBe('done');
  });

  law('ends links and unfinished sign-ins from before', async ({ room, ...sso }) => {
    await room.join('root@example.com', 'administrator');
    const early = await room.join('ada@example.com', 'owner');
    const { url } = await room.members.resetLink(early.id, ADMIN);
    const own = await room.browserOf('ada@example.com');
    const { uri } = await room.credentials.beginTotp(early, PASSWORD, own.visitor);
    await room.credentials.confirmTotp(early, totpOf(uri), own.visitor);
    const pending = await room.browserOf('ada@example.com');
    const place = { accountId: null, newAccount: 'More' };
    const by = { ...ADMIN, actor: early.id };
    const { link } = await room.invitations.create({ role: 'owner', email: null, place }, by);
    expect(await sso.enter()).toBe('code needed');
    expect(await room.links.open(tokenOf(link.url))).toBeNull();
    const next = 'several quiet tractors';
    expect(await codeOf(room.credentials.resetPassword(tokenOf(url), next))).toBe('link_not_valid');
    expect(await codeOf(room.signIn.withCode(totpOf(uri, 1), pending.visitor))).toBe(
      'sign_in_failed',
    );
  });

  law('ends nothing if it is not linked', async ({ room, ...sso }) => {
    const ada = await room.join('ada@example.com', 'owner');
    expect(await sso.enter()).toBe(ada.id);
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    provider.user = { ...ADA, sub: 'later' };
    expect(await sso.enter()).toBe('other_identity');
    expect(await room.links.open(tokenOf(url))).not.toBeNull();
  });

  law('stays the same person when the address changes', async ({ room, enter }) => {
    const ada = await room.join('ada@example.com', 'owner');
    await room.join('grace@example.com', 'owner');
    expect(await enter()).toBe(ada.id);
    provider.user = { ...ADA, email: 'Grace@Example.com' };
    expect(await enter()).toBe(ada.id);
    provider.user = { ...ADA, sub: 'later', email: 'ada@example.com' };
    expect(await enter()).toBe('other_identity');
  });

  law('is not linked without a verified address in an allowed domain', async (sso) => {
    await sso.room.join('ada@example.com', 'owner');
    for (const [user, reason] of [
      [{ email_verified: false }, 'email_not_verified'],
      [{ email_verified: undefined }, 'email_not_verified'],
      [{ email: undefined }, 'email_missing'],
      [{ email: 'ada@example.com.evil.example' }, 'domain'],
      [{ email: 'ada@sub.example.com' }, 'domain'],
    ] as const) {
      provider.user = { ...ADA, ...user };
      expect(await sso.enter()).toBe(reason);
    }
    expect(await countOf(sso.database, 'identity')).toBe(0);
    provider.user = ADA;
    sso.set({ email_domains: ['example.org'] });
    expect(await sso.enter()).toBe('domain');
  });

  law('is linked if only userinfo says that the address is verified', async (sso) => {
    const ada = await sso.room.join('ada@example.com', 'owner');
    provider.forgery = { claims: ({ email_verified: _, ...it }) => it };
    expect(await sso.enter()).toBe(ada.id);
    provider.forgery = {
      claims: ({ email_verified: _, ...it }) => ({ ...it, email: 'other@example.com' }),
    };
    expect(await sso.enter()).toBe('email_not_verified');
  });

  law('of a removed person stays out until somebody invites them', async ({ room, ...sso }) => {
    await room.join('owner@example.com', 'owner');
    const ada = await room.join('ada@example.com', 'member');
    expect(await sso.enter()).toBe(ada.id);
    await room.members.remove(ada.id, ADMIN);
    sso.set({ new_people: 'own_account' });
    expect(await sso.enter()).toBe('removed');
    const again = await room.join('ada@example.com', 'member');
    expect(await sso.enter()).toBe(again.id);
  });

  law('still needs the code of an authenticator', async ({ room, enter }) => {
    const ada = await room.join('ada@example.com', 'owner');
    const own = await room.browserOf('ada@example.com');
    const { uri } = await room.credentials.beginTotp(ada, PASSWORD, own.visitor);
    await room.credentials.confirmTotp(ada, totpOf(uri), own.visitor);
    const browser = new Browser();
    expect(await enter(browser)).toBe('code needed');
    expect(await room.sessions.of(browser.cookie)).toBeNull();
    const { personId } = await room.signIn.withCode(totpOf(uri, 1), browser.visitor);
    expect(personId).toBe(ada.id);
  });
}

function arriving(law: Law): void {
  law('is refused, gets an own account, or joins the named one', async ({ room, ...sso }) => {
    expect(await sso.enter()).toBe('unknown_person');
    expect(await countOf(sso.database, 'person')).toBe(0);
    sso.set({ new_people: 'account', account_id: 'acc_never' });
    expect(await sso.enter()).toBe('unknown_person');
    sso.set({ new_people: 'account', account_id: 'alice' });
    provider.user = { ...ADA, name: 'Ada\u200b Lovelace\u202e' };
    const joined = await room.people.get(await sso.enter());
    expect(joined).toMatchObject({ name: 'Ada  Lovelace', role: 'member', accountId: 'alice' });
    provider.user = { ...ADA, sub: 'bob', email: 'Bob@example.com', name: undefined };
    sso.set({ new_people: 'own_account' });
    const own = await room.people.get(await sso.enter());
    expect(own).toMatchObject({ email: 'bob@example.com', role: 'owner', accountName: 'bob' });
    expect(await actionsOf(sso.database)).toEqual(['person.join', 'person.sign_up']);
  });

  law('is created once by concurrent sign-ins', async ({ room, set, database }) => {
    set({ new_people: 'own_account' });
    const each = [new Browser(), new Browser(), new Browser()].map((it) => entered(room, it));
    const ids = await Promise.all(each);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^usr_/);
    expect(await countOf(database, 'person')).toBe(1);
    expect(await countOf(database, 'identity')).toBe(1);
  });
}

const hours = (count: number): number => count * 3_600;
const FORGERIES: readonly (readonly [string, string, Forgery])[] = [
  ['issuer', 'of another issuer', { claims: (it) => ({ ...it, iss: 'https://evil.example' }) }],
  ['nonce', 'with another nonce', { claims: (it) => ({ ...it, nonce: 'another' }) }],
  ['refused', 'without a nonce', { claims: ({ nonce: _, ...it }) => it }],
  ['audience', 'for another client', { claims: (it) => ({ ...it, aud: 'another' }) }],
  [
    'audience',
    'for another client too',
    { claims: (it) => ({ ...it, aud: ['modelgate', 'another'], azp: 'another' }) },
  ],
  ['clock', 'that expired', { claims: (it) => ({ ...it, exp: Number(it['iat']) - hours(1) }) }],
  ['clock', 'of the future', { claims: (it) => ({ ...it, nbf: Number(it['iat']) + hours(1) }) }],
  ['signature', 'of another key', { signedBy: 'other_key' }],
  ['signature', 'without a signature', { signedBy: 'nobody' }],
];

function refusing(law: Law): void {
  law('that is not exact is refused, and changes nothing', async ({ room, ...sso }) => {
    await room.join('ada@example.com', 'owner');
    for (const [reason, what, forgery] of FORGERIES) {
      provider.forgery = forgery;
      const browser = new Browser();
      expect([what, await sso.enter(browser)]).toEqual([what, reason]);
      expect(await room.sessions.of(browser.cookie)).toBeNull();
    }
    expect(await countOf(sso.database, 'identity')).toBe(0);
    provider.forgery = {};
    provider.user = null;
    expect(await sso.enter()).toBe('canceled');
  });

  law('without a usable id of the person is refused', async ({ room, ...sso }) => {
    await room.join('ada@example.com', 'owner');
    for (const sub of ['', 'a\0b', 'a'.repeat(256)]) {
      // The ID token has all claims, so `userinfo`, which has the right id, is not asked.
      provider.forgery = { claims: (it) => ({ ...it, ...ADA, sub }) };
      expect([sub, await sso.enter()]).toEqual([sub, 'refused']);
    }
    expect(await countOf(sso.database, 'identity')).toBe(0);
  });

  law('counts once, in the browser that began, for 10 minutes', async ({ room }) => {
    const ada = await room.join('ada@example.com', 'owner');
    const { providerSignIn } = room;
    const begun = async (browser = new Browser()) => {
      const { url, cookies } = await providerSignIn.begin(browser.visitor);
      browser.keep(cookies);
      return { browser, query: await provider.answerTo(url) };
    };
    const reasonOf = (query: string, { visitor }: Browser) =>
      providerSignIn.finish(query, visitor).then(
        ({ personId }) => personId,
        (thrown: GatewayError) => thrown.extra['reason'],
      );
    const [mine, other] = [await begun(), await begun()];
    expect(await reasonOf(mine.query, new Browser())).toBe('not_started');
    expect(await reasonOf(mine.query, other.browser)).toBe('not_started');
    expect(await reasonOf('', mine.browser)).toBe('not_started');
    const elsewhere = mine.query.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example');
    expect(await reasonOf(elsewhere, mine.browser)).toBe('issuer');
    expect(await reasonOf(mine.query, mine.browser)).toBe(ada.id);
    expect(await reasonOf(mine.query, mine.browser)).toBe('refused');
    const again = await providerSignIn
      .finish(mine.query, mine.browser.visitor)
      .catch(({ cause }) => cause);
    expect(String(again)).toContain('answered invalid_grant: grant request is invalid');
    // Two tabs of a browser can sign in at once.
    const tab = await begun();
    await begun(tab.browser);
    expect(await reasonOf(tab.query, tab.browser)).toBe(ada.id);
    room.advance(601_000);
    expect(await reasonOf(other.query, other.browser)).toBe('not_started');
  });

  law('of a wrong or silent provider is refused with its reason', async ({ set, enter }) => {
    set({ issuer: `${provider.issuer.replace('127.0.0.1', 'localhost')}` });
    expect(await enter()).toBe('issuer');
    set({ issuer: 'http://127.0.0.1:1' });
    expect(await enter()).toBe('oidc_unavailable');
    set({ allow_private: false });
    expect(await enter()).toBe('oidc_unavailable');
    set({});
    expect(await enter()).toBe('unknown_person');
  });
}

function proving(law: Law): void {
  law('sets up an authenticator soon after the sign-in only', async ({ room, set, enter }) => {
    set({ new_people: 'own_account' });
    const browser = new Browser();
    const ada = await room.people.get(await enter(browser));
    const begin = () => codeOf(room.credentials.beginTotp(ada, undefined, browser.visitor));
    expect(await begin()).toBe('done');
    room.advance(601_000);
    expect(await begin()).toBe('sign_in_again');
  });

  law('gets one by a reset link', async ({ room, set, enter }) => {
    set({ new_people: 'own_account' });
    const id = await enter();
    expect(await room.credentials.hasPassword(id)).toBe(false);
    const { url } = await room.members.resetLink(id, ADMIN);
    await room.credentials.resetPassword(tokenOf(url), PASSWORD);
    expect(await room.credentials.hasPassword(id)).toBe(true);
    expect(await room.sessions.of((await room.browserOf('ada@example.com')).cookie)).not.toBeNull();
  });
}
