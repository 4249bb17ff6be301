/** Builds the services for people that use one store: their records, sign-up and sign-in. */
import type { Clock } from '../clock.ts';
import type { OidcSettings } from '../config/document/console-settings.ts';
import type { Secret } from '../config/secret.ts';
import type { HeldInMemory } from '../ledger/held-in-memory.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { Credentials } from './credentials.ts';
import { Encryption } from './encryption.ts';
import { Invitations } from './invitations.ts';
import { EntryMail } from './mail/entry-mail.ts';
import { MailPreferences } from './mail/mail-preferences.ts';
import { OwnerMail } from './mail/owner-mail.ts';
import { Members } from './members.ts';
import { MemberCaps } from './memberships/member-caps.ts';
import { Memberships } from './memberships/memberships.ts';
import { Identities } from './oidc/identities.ts';
import { ProviderSignIn, type ProviderSignInDeps } from './oidc/provider-sign-in.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { PasskeyChallenges } from './passkeys/passkey-challenges.ts';
import { PasskeySignIn } from './passkeys/passkey-sign-in.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { RelyingParty } from './passkeys/relying-party.ts';
import type { PasswordHasher } from './password.ts';
import { PersonStore } from './person-store.ts';
import { SecondFactor } from './second-factor.ts';
import { SessionCookies } from './session-cookie.ts';
import { Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { SignInGuard } from './sign-in-guard.ts';
import { SignUp } from './sign-up.ts';

export type PeopleSettings = {
  readonly sign_up: 'closed' | 'open';
  /** How long a session may be idle, in milliseconds. */
  readonly session_idle: number;
  readonly session_max: number;
  /** Whether administrators must use two-factor authentication. */
  readonly require_totp: boolean;
  /** Whether people can sign in and sign up with passwords. */
  readonly password_sign_in: boolean;
  /** Whether people can sign in with passkeys and add them. */
  readonly passkeys: boolean;
  readonly oidc?: OidcSettings | undefined;
};

export type PeopleDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly inMemory: HeldInMemory;
  readonly publicUrl: string;
  readonly hasher: PasswordHasher;
  /**
   * The console key, which signs cookies and encrypts authenticator secrets. It is the same on
   * every node.
   */
  readonly secret: Secret;
  readonly mailer: Mailer;
  /** Returns the settings in force. */
  readonly settings: () => PeopleSettings;
  readonly onProviderFailure: ProviderSignInDeps['onFailure'];
  /** Called when an email that somebody requested before signing in could not be queued. */
  readonly onFailure: (what: string, cause: unknown) => void;
};

export type People = ReturnType<typeof openPeople>;

export function openPeople(deps: PeopleDeps) {
  const { sql, clock, hasher, publicUrl, secret, settings, mailer, onFailure } = deps;
  const cookies = new SessionCookies(secret, publicUrl);
  const encryption = new Encryption(secret, clock);
  const links = new OneTimeLinks({ sql, clock, publicUrl });
  const people = new PersonStore(sql);
  const preferences = new MailPreferences(sql);
  const memberships = new Memberships({ sql, clock, links });
  const members = new Members({ sql, clock, people, links, mailer, preferences, memberships });
  const guard = new SignInGuard(clock);
  const secondFactor = new SecondFactor({ sql, clock, encryption });
  const sessions = new Sessions({
    sql,
    clock,
    cookies,
    times: () => ({ idleMs: settings().session_idle, maxMs: settings().session_max }),
  });
  const identities = new Identities({ sql, clock });
  const shared = { sql, clock, hasher, cookies, secondFactor, sessions, guard };
  const signIn = new SignIn(shared);
  const passkeysOn = () => settings().passkeys;
  const credentials = new Credentials({ ...shared, links });
  const passkeyParts = {
    party: new RelyingParty(publicUrl, passkeysOn),
    challenges: new PasskeyChallenges({ clock, cookies }),
  };
  // If sign-in by password is off, sign-up is closed, because new people could not sign in.
  const signUpMode = () => (settings().password_sign_in ? settings().sign_up : 'closed');
  return {
    links,
    sessions,
    people,
    members,
    memberships,
    memberCaps: new MemberCaps({ sql, clock, inMemory: deps.inMemory }),
    invitations: new Invitations({ sql, clock, links, mailer, preferences }),
    identities,
    signIn,
    providerSignIn: new ProviderSignIn({
      ...{ clock, publicUrl, cookies, identities, people, members, signIn },
      settings: () => settings().oidc,
      onFailure: deps.onProviderFailure,
    }),
    credentials,
    passkeys: new Passkeys({ ...shared, ...passkeyParts, credentials }),
    passkeySignIn: new PasskeySignIn({ ...shared, ...passkeyParts, signIn }),
    signUp: new SignUp({
      ...{ sql, clock, links, hasher, mode: signUpMode },
      mailIsOn: () => mailer.isOn,
    }),
    entryMail: new EntryMail({
      ...{ sql, clock, links, people, members, guard, mailer, preferences, publicUrl },
      mode: signUpMode,
      onFailure,
    }),
    preferences,
    ownerMail: new OwnerMail({ sql, mailer, clock }),
    mailIsOn: () => mailer.isOn,
    signUpMode,
    passwordSignIn: () => settings().password_sign_in,
    passkeysOn,
    requireTotp: () => settings().require_totp,
  };
}
