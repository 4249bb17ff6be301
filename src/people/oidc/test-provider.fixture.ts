/**
 * An identity provider for tests, on the loopback interface. It is `oidc-provider`, which here
 * signs in one user without showing a form. Tests can change its ID tokens.
 */
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { Secret } from '../../config/secret.ts';

export const CLIENT_ID = 'modelgate';
const CLIENT_SECRET = 'the secret of the client in these tests';

type Claims = { readonly sub: string; readonly [claim: string]: unknown };
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** Changes to the next ID tokens. The fixture, not the provider, signs the changed tokens. */
export type Forgery = {
  readonly claims?: (given: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /**
   * `other_key` means that the token is signed with another key. `nobody` means that it has no
   * signature.
   */
  readonly signedBy?: 'other_key' | 'nobody';
};

export const ADA: Claims = {
  sub: 'ada',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
};

export class TestProvider {
  readonly issuer: string;
  /** The user who signs in. If null, the sign-in is canceled. */
  user: Claims | null = ADA;
  forgery: Forgery = {};
  readonly #server: Server;
  readonly #key: Key;
  readonly #otherKey: Key;

  /**
   * Starts the provider.
   * @param publicUrl the URL of the gateway. If it is unknown, call `serve` later.
   */
  static async open(publicUrl = 'http://gateway'): Promise<TestProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const [own, other] = await Promise.all([newKey(), newKey()]);
    const provider = new TestProvider(server, port, [own, other]);
    await provider.serve(publicUrl);
    return provider;
  }

  /** Makes the provider accept sign-ins only from the gateway with this URL. */
  async serve(publicUrl: string): Promise<void> {
    const jwk = await exportJWK(this.#key);
    this.#server.removeAllListeners('request');
    this.#server.on('request', this.#listener(`${publicUrl}/console/sign-in/callback`, jwk));
  }

  private constructor(server: Server, port: number, [own, other]: readonly [Key, Key]) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${port}`;
    this.#key = own;
    this.#otherKey = other;
  }

  settings(more: Partial<OidcSettings> = {}): OidcSettings {
    return {
      name: 'Example SSO',
      issuer: this.issuer,
      client_id: CLIENT_ID,
      client_secret: new Secret(CLIENT_SECRET),
      scopes: 'openid email profile',
      email_domains: ['example.com'],
      new_people: 'refuse',
      account_id: null,
      role_claim: null,
      roles: { administrator: null, owner: null, member: null, read_only: null },
      default_role: 'member',
      allow_private: true,
      ...more,
    };
  }

  /** The gateway's settings for this provider, as YAML. */
  get yaml(): string {
    return `console:
  oidc:
    name: Example SSO
    issuer: ${this.issuer}
    client_id: ${CLIENT_ID}
    client_secret: ${CLIENT_SECRET}
    email_domains: example.com
    allow_private: true
`;
  }

  /**
   * Follows the provider's redirects as a browser does. Returns the query of the gateway URL that
   * the last redirect leads to.
   */
  async answerTo(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let at = url;
    while (at.startsWith(this.issuer)) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status} ${await response.text()}`);
      at = new URL(location, at).href;
    }
    return new URL(at).search;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #listener(redirectUri: string, jwk: object) {
    const provider: Provider = new Provider(this.issuer, {
      clients: [
        { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] },
      ],
      jwks: { keys: [{ ...jwk, kid: 'own', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of these tests'] },
      features: { devInteractions: { enabled: false } },
      conformIdTokenClaims: false,
      claims: {
        openid: ['sub', 'groups'],
        email: ['email', 'email_verified'],
        profile: ['name'],
      },
      // Lifetimes in seconds. Without these settings, the library prints a warning.
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      interactions: { url: () => '/interaction' },
      findAccount: (_context, id) => ({ accountId: id, claims: () => this.user ?? { sub: id } }),
      loadExistingGrant: async ({ oidc }) => {
        const { clientId } = oidc.client;
        const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const token = context.body?.id_token;
      if (context.oidc?.route === 'token' && token !== undefined)
        Object(context.body).id_token = await this.#forged(token);
    });
    const serve = provider.callback();
    return (...[request, response]: Parameters<typeof serve>): void => {
      if (request.url?.startsWith('/interaction') !== true) {
        serve(request, response);
        return;
      }
      const result =
        this.user === null ? { error: 'access_denied' } : { login: { accountId: this.user.sub } };
      void provider.interactionFinished(request, response, result);
    };
  }

  async #forged(token: string): Promise<string> {
    const { claims, signedBy } = this.forgery;
    if (claims === undefined && signedBy === undefined) return token;
    const [, payload = ''] = token.split('.');
    const given = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = claims?.(given) ?? given;
    if (signedBy === 'nobody') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part(changed)}.`;
    }
    return await new SignJWT(changed)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(signedBy === 'other_key' ? this.#otherKey : this.#key);
  }
}

const newKey = async (): Promise<Key> =>
  (await generateKeyPair('RS256', { extractable: true })).privateKey;
