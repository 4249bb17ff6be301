/**
 * The client of one identity provider. It builds the URL at which a sign-in begins. It checks the
 * provider's answer with `openid-client` (OpenID Connect Core 1.0, 3.1.3.7), and returns the
 * identity.
 */
import type { ClientAuth, Configuration } from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { GatewayError } from '../../errors.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { type OidcReason, oidcFailed, oidcUnavailable } from './oidc-errors.ts';
import { hasWhatIsNeeded, identityIn, type ProviderIdentity, withMore } from './provider-claims.ts';
import { ProviderFetch } from './provider-fetch.ts';

/** The timeout of each request to the provider. */
const ANSWER_SECONDS = 10;
/** The maximum difference between the clocks of the gateway and the provider. */
const CLOCK_TOLERANCE_SECONDS = 60;
/**
 * How long the discovery document is cached. If a token is signed with an unknown key, all keys are
 * fetched again.
 */
const DISCOVERY_MS = 60 * 60 * 1000;

/**
 * The secrets of one sign-in. They are derived from a cookie of the browser in which the sign-in
 * began.
 */
export type Attempt = {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
};

export type IdentityProviderDeps = {
  readonly settings: OidcSettings;
  /** The URL to which the provider redirects the browser. */
  readonly redirectUri: string;
  readonly clock: Clock;
};

type Discovered = { readonly configuration: Promise<Configuration>; readonly untilMs: number };

/** A client of the identity provider. Every method @throws GatewayError `oidc_unavailable`. */
export class IdentityProvider {
  readonly settings: OidcSettings;
  readonly #redirectUri: string;
  readonly #clock: Clock;
  readonly #fetch: ProviderFetch;
  #discovered: Discovered | null = null;

  constructor({ settings, redirectUri, clock }: IdentityProviderDeps) {
    this.settings = settings;
    this.#redirectUri = redirectUri;
    this.#clock = clock;
    this.#fetch = new ProviderFetch({ allowPrivate: settings.allow_private, clock });
  }

  /** Returns the provider's URL at which the person signs in. @throws `oidc_failed`. */
  async startUrl({ state, nonce, verifier }: Attempt): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    return await this.#orFailed(async () => {
      const url = buildAuthorizationUrl(await this.#configuration(), {
        redirect_uri: this.#redirectUri,
        scope: this.settings.scopes,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return url.href;
    });
  }

  /**
   * Checks the provider's answer, and returns the identity of the person who signed in.
   * @param query the query of the URL to which the provider redirected the browser.
   * @throws GatewayError `oidc_failed` if the answer is refused.
   */
  async identityOf(query: string, attempt: Attempt): Promise<ProviderIdentity> {
    const { authorizationCodeGrant } = await import('openid-client');
    return await this.#orFailed(async () => {
      const configuration = await this.#configuration();
      const answer = new URL(this.#redirectUri);
      answer.search = query;
      if (answer.searchParams.get('state') !== attempt.state) throw oidcFailed('not_started');
      const tokens = await authorizationCodeGrant(configuration, answer, {
        ...{ expectedState: attempt.state, expectedNonce: attempt.nonce, idTokenExpected: true },
        pkceCodeVerifier: attempt.verifier,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw oidcFailed('refused');
      const more = await this.#moreClaims(configuration, claims, tokens.access_token);
      return identityIn(withMore(claims, more), this.settings.role_claim);
    });
  }

  /**
   * Fetches the claims that a sign-in needs and the ID token lacks, because some providers return
   * them only from `userinfo`.
   */
  async #moreClaims(
    configuration: Configuration,
    claims: JsonObject & { readonly sub: string },
    accessToken: string,
  ): Promise<JsonObject> {
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasMore || hasWhatIsNeeded(claims, this.settings.role_claim)) return {};
    const { fetchUserInfo } = await import('openid-client');
    return await fetchUserInfo(configuration, accessToken, claims.sub);
  }

  #configuration(): Promise<Configuration> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#discovered === null || nowMs >= this.#discovered.untilMs) {
      const configuration = this.#discover();
      const discovered = { configuration, untilMs: nowMs + DISCOVERY_MS };
      this.#discovered = discovered;
      // A failed discovery is not cached, so the next sign-in tries again.
      configuration.catch(() => {
        if (this.#discovered === discovered) this.#discovered = null;
      });
    }
    return this.#discovered.configuration;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, client_id: id, client_secret: secret, allow_private } = this.settings;
    // Loaded when first used, because few gateways need it.
    const oidc = await import('openid-client');
    const discover = async (auth: ClientAuth) =>
      await oidc.discovery(
        new URL(issuer),
        id,
        { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        auth,
        {
          // The signature of the ID token is checked, although OpenID Connect does not require this
          // for a token that came over TLS.
          execute: [
            oidc.enableNonRepudiationChecks,
            ...(allow_private ? [oidc.allowInsecureRequests] : []),
          ],
          timeout: ANSWER_SECONDS,
          [oidc.customFetch]: (url, init) => this.#fetch.fetch(url, init as RequestInit),
        },
      );
    const found = await discover(oidc.ClientSecretBasic(secret.reveal()));
    // If the document lists no authentication methods, `client_secret_basic` is used (OpenID
    // Connect Discovery 1.0, 3).
    const { token_endpoint_auth_methods_supported: methods } = found.serverMetadata();
    if (methods === undefined || methods.includes('client_secret_basic')) return found;
    return await discover(oidc.ClientSecretPost(secret.reveal()));
  }

  async #orFailed<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.code === 'oidc_failed') throw thrown;
      const reason = await reasonOf(thrown);
      const cause = await withAnswer(thrown);
      throw reason === null ? oidcUnavailable(cause) : oidcFailed(reason, cause);
    }
  }
}

/**
 * Returns the reason why the provider or this client refused the sign-in. Returns null if there was
 * no answer or it could not be parsed.
 */
async function reasonOf(thrown: unknown): Promise<OidcReason | null> {
  const oidc = await import('openid-client');
  if (thrown instanceof oidc.AuthorizationResponseError)
    return thrown.error === 'access_denied' ? 'canceled' : 'refused';
  if (thrown instanceof oidc.ResponseBodyError) return 'refused';
  if (!(thrown instanceof oidc.ClientError)) return null;
  const { cause } = thrown;
  const detail = asJsonObject(cause instanceof Error ? cause.cause : cause) ?? {};
  switch (thrown.code) {
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return detail['attribute'] === 'issuer' ? 'issuer' : null;
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return REASON_OF_CLAIM[String(detail['claim'])] ?? 'refused';
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'clock';
    case 'OAUTH_KEY_SELECTION_FAILED':
    case 'OAUTH_UNSUPPORTED_OPERATION':
      return 'signature';
    case 'OAUTH_INVALID_RESPONSE':
      if ('signature' in detail || 'header' in detail) return 'signature';
      // `state` was checked before, so the only parameter that can be wrong here is `iss` (RFC
      // 9207).
      return 'parameters' in detail ? 'issuer' : 'refused';
    default:
      return null;
  }
}

/** The maximum length of a provider's words in the log. */
const MAX_ANSWER_CHARS = 300;

/**
 * Returns the error with the provider's own words for the log. The library leaves them out of its
 * message.
 */
async function withAnswer(thrown: unknown): Promise<unknown> {
  const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client');
  const isAnswer =
    thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError;
  if (!isAnswer) return thrown;
  const { error, error_description: description = 'no description' } = thrown;
  const words = `${error}: ${description}`.slice(0, MAX_ANSWER_CHARS);
  return new Error(`the identity provider answered ${words}`, { cause: thrown });
}

const REASON_OF_CLAIM: Readonly<Record<string, OidcReason>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
};
