/**
 * Signs people in through the configured identity provider. Links identities, creates people and
 * changes roles only after all checks have passed.
 */
import { isShowable, showable } from '../../accounts/account.ts';
import { randomBase62 } from '../../accounts/api-key.ts';
import type { Clock } from '../../clock.ts';
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { GatewayError } from '../../errors.ts';
import { normalizedEmail } from '../email.ts';
import type { Authority, Members } from '../members.ts';
import { tryLater } from '../people-errors.ts';
import { isAtLeast, type PersonRecord, type Role } from '../person.ts';
import type { PersonStore } from '../person-store.ts';
import {
  isRecentStamp,
  newStamp,
  PROVIDER_COOKIE,
  type SessionCookies,
} from '../session-cookie.ts';
import { TOKEN_CHARS, type Visitor } from '../sessions.ts';
import type { SignIn, SignInResult } from '../sign-in.ts';
import type { Identities } from './identities.ts';
import { type Attempt, IdentityProvider } from './identity-provider.ts';
import { oidcFailed } from './oidc-errors.ts';
import { type ProviderIdentity, roleFrom } from './provider-claims.ts';

/** How long a person may take to sign in at the provider. */
const ATTEMPT_MS = 600_000;
/**
 * Maximum number of concurrent checks of the provider's answers. Anybody can cause a check, and
 * each check calls the provider.
 */
const MAX_CHECKS = 32;
const RETRY_SECONDS = 5;
/**
 * Matches a person's id at the provider, which has at most 255 characters (OpenID Connect Core 1.0,
 * 2). An empty id would make everybody the same person.
 */
const SUBJECT = /^\P{Cc}{1,255}$/u;
/** The maximum length of a person's name. The console's forms have the same limit. */
const MAX_NAME_CHARS = 100;

/**
 * The page to which the provider redirects the browser. The page passes the provider's answer to
 * `finish`.
 */
export const CALLBACK_PAGE = '/console/sign-in/callback';

const BY_CLAIM: Authority = {
  actor: 'system',
  role: 'administrator',
  accountId: null,
  via: 'role_claim',
};

export type ProviderSignInDeps = {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly cookies: SessionCookies;
  readonly identities: Identities;
  readonly people: Pick<PersonStore, 'get'>;
  readonly members: Pick<Members, 'change'>;
  readonly signIn: Pick<SignIn, 'asPerson'>;
  /** Returns the settings in force; undefined if no provider is configured. */
  readonly settings: () => OidcSettings | undefined;
  /** Called with each error that the provider or the settings cause. */
  readonly onFailure: (thrown: GatewayError) => void;
};

export class ProviderSignIn {
  readonly #deps: ProviderSignInDeps;
  #provider: IdentityProvider | null = null;
  #checks = 0;

  constructor(deps: ProviderSignInDeps) {
    this.#deps = deps;
  }

  /** The configured identity provider; null if none is configured. */
  get offered(): Pick<OidcSettings, 'name' | 'issuer'> | null {
    return this.#deps.settings() ?? null;
  }

  /**
   * Begins a sign-in. Returns the provider's URL and the browser's cookie. The browser keeps its
   * cookie, because a sign-in may run in several tabs.
   * @throws GatewayError `oidc_failed`, `oidc_unavailable`.
   */
  async begin({ cookie: known }: Pick<Visitor, 'cookie'>): Promise<{
    readonly url: string;
    readonly cookies: readonly string[];
  }> {
    const { clock, cookies } = this.#deps;
    const token = cookies.read(known, PROVIDER_COOKIE) ?? randomBase62(clock, TOKEN_CHARS);
    const stamp = newStamp(clock);
    const attempt = this.#attempt(token, stamp);
    const url = await this.#reported(() => this.#providerNow().startUrl(attempt));
    return { url, cookies: [cookies.write(PROVIDER_COOKIE, token, ATTEMPT_MS)] };
  }

  /**
   * Signs in the person whom the provider's answer identifies. `personId` in the result is null if
   * the person must still send a code of the authenticator.
   * @param query the query of the callback page's URL.
   * @throws GatewayError `oidc_failed`, `oidc_unavailable`, `rate_limit_exceeded`.
   */
  async finish(query: string, visitor: Visitor): Promise<SignInResult> {
    const { clock, cookies, people, signIn } = this.#deps;
    const provider = this.#providerNow();
    const token = cookies.read(visitor.cookie, PROVIDER_COOKIE);
    const stamp = /^([A-Za-z0-9]+)\./.exec(new URLSearchParams(query).get('state') ?? '')?.[1];
    // Anybody can write a stamp. The state with its HMAC is checked with the provider's answer.
    if (token === null || stamp === undefined || !isRecentStamp(stamp, clock, ATTEMPT_MS))
      throw oidcFailed('not_started');
    const identity = await this.#reported(() =>
      this.#inTurn(() => provider.identityOf(query, this.#attempt(token, stamp))),
    );
    const id = await this.#admit(identity, provider.settings);
    const result = await signIn.asPerson(await people.get(id), visitor);
    return { ...result, cookies: [...result.cookies, cookies.clear(PROVIDER_COOKIE)] };
  }

  /**
   * Returns the id of the person to whom the identity belongs. If necessary, links the identity to
   * an existing person or creates a person. Gives the person the role that the claim grants.
   */
  async #admit(identity: ProviderIdentity, settings: OidcSettings): Promise<string> {
    const { identities, people } = this.#deps;
    if (!SUBJECT.test(identity.subject)) throw oidcFailed('refused');
    const email = allowedEmail(identity, settings);
    const role = roleFrom(settings, identity);
    if (role === 'refuse') throw oidcFailed('no_role');
    const linked = await identities.personOf(identity);
    if (typeof linked === 'string') {
      await this.#giveRole(await people.get(linked), role, identity);
      return linked;
    }
    const known = await identities.personWithEmail(email);
    if (known !== null) {
      const person = await people.get(known);
      await identities.link(identity, person);
      await this.#giveRole(person, role, identity);
      return known;
    }
    // The identity belonged to a person who was removed. The person is not created again.
    if (linked === null) throw oidcFailed('removed');
    return await this.#create({ ...identity, email }, role, settings);
  }

  async #create(
    { issuer, subject, email, name }: ProviderIdentity & { readonly email: string },
    given: Role | null,
    { new_people: newPeople, account_id: accountId, default_role: usual }: OidcSettings,
  ): Promise<string> {
    if (newPeople === 'refuse') throw oidcFailed('unknown_person');
    const isOwner = newPeople === 'own_account';
    const wanted = given ?? (usual === 'refuse' ? 'member' : usual);
    // A new account needs an owner.
    const role = isOwner && !isAtLeast(wanted, 'owner') ? 'owner' : wanted;
    const shown = showable(name ?? email.split('@')[0] ?? email).slice(0, MAX_NAME_CHARS);
    return await this.#deps.identities.create(
      { issuer, subject, email, name: isShowable(shown) ? shown : email.slice(0, MAX_NAME_CHARS) },
      { role, accountId: isOwner ? null : accountId },
    );
  }

  /**
   * Gives the person the role that the claim grants. The last owner and the last administrator keep
   * their role. A person who left the account that the claim is for keeps the role in the account
   * that is the main one now; only an administrator's role is for all accounts.
   */
  async #giveRole(
    { id, role: has, accountId }: PersonRecord,
    role: Role | null,
    identity: ProviderIdentity,
  ): Promise<void> {
    if (role === null || role === has) return;
    const isForAll = role === 'administrator' || has === 'administrator';
    if (!isForAll && (await this.#deps.identities.roleAccount(identity)) !== accountId) return;
    try {
      await this.#deps.members.change(id, { role }, BY_CLAIM);
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      // Another sign-in of the person may have given the role at the same time.
      if (thrown.code === 'conflict' && (await this.#deps.people.get(id)).role === role) return;
      if (thrown.code !== 'last_of_role') throw thrown;
      this.#deps.onFailure(thrown);
    }
  }

  /** Returns the client of the provider. Creates a new client if the settings have changed. */
  #providerNow(): IdentityProvider {
    const { settings, publicUrl, clock } = this.#deps;
    const now = settings();
    if (now === undefined) throw oidcFailed('not_configured');
    if (this.#provider?.settings !== now) {
      const redirectUri = publicUrl + CALLBACK_PAGE;
      this.#provider = new IdentityProvider({ settings: now, redirectUri, clock });
    }
    return this.#provider;
  }

  /** Returns the secrets of the sign-in in this browser that began with this stamp. */
  #attempt(token: string, stamp: string): Attempt {
    const derived = (purpose: string): string =>
      this.#deps.cookies.derived(token, `${purpose} ${stamp} of`);
    return {
      state: `${stamp}.${derived('state')}`,
      nonce: derived('nonce'),
      verifier: derived('code verifier'),
    };
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#checks >= MAX_CHECKS) throw tryLater('Too many people are signing in', RETRY_SECONDS);
    this.#checks += 1;
    try {
      return await work();
    } finally {
      this.#checks -= 1;
    }
  }

  /**
   * Passes errors that the provider or the settings cause to `onFailure`, and throws them again.
   */
  async #reported<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.cause !== undefined)
        this.#deps.onFailure(thrown);
      throw thrown;
    }
  }
}

/** Returns the normalized email address if its owner may sign in. @throws `oidc_failed` if not. */
function allowedEmail(
  { email, isEmailVerified }: ProviderIdentity,
  settings: OidcSettings,
): string {
  if (email === null) throw oidcFailed('email_missing');
  if (!isEmailVerified) throw oidcFailed('email_not_verified');
  const folded = normalizedOrFailed(email);
  const domain = folded.slice(folded.lastIndexOf('@') + 1);
  if (!settings.email_domains.includes(domain)) throw oidcFailed('domain');
  return folded;
}

function normalizedOrFailed(email: string): string {
  try {
    return normalizedEmail(email);
  } catch (thrown) {
    throw oidcFailed('email_missing', thrown);
  }
}
