/**
 * Authenticates calls to providers that do not use a fixed key. AWS requires a signature of each
 * call; Google and Azure require a token that expires after about an hour.
 */
import type { SignInSettings } from '../config/upstream-schema.ts';
import { type NetworkOptions, type PostRequest, post } from './network.ts';
import { azureToken, googleToken, type TokenDeps, TokenKeeper } from './oauth-token.ts';
import type { UpstreamRequest } from './upstream.ts';

export interface SignIn {
  /**
   * Returns the headers that authenticate this call.
   * @throws NotSent when the provider issues no token; the signal's reason after an abort.
   */
  headersFor(url: string, request: UpstreamRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Called when the provider refused a call with 401. Returns whether to send the call again with
   * new headers.
   */
  refused(headers: Readonly<Record<string, string>>): boolean;
  /**
   * Whether the headers contain a signature of the body, so that the whole body must be known
   * before the call.
   */
  readonly signsBody: boolean;
  /** The credentials. They are masked in the provider's messages. */
  readonly hidden: readonly string[];
}

export function createSignIn(settings: SignInSettings, deps: TokenDeps): SignIn {
  switch (settings.kind) {
    case 'aws':
      return new AwsSignIn(settings);
    case 'google':
      return new TokenSignIn(new TokenKeeper(googleToken(settings), deps), [
        settings.credentials.privateKey.reveal(),
        settings.credentials.email,
      ]);
    case 'azure':
      return new TokenSignIn(new TokenKeeper(azureToken(settings), deps), [
        settings.client_secret.reveal(),
        settings.client_id,
        settings.tenant_id,
      ]);
  }
}

/**
 * Authenticates a request and posts it, as `post` does. If the provider answers 401 and the
 * authentication can be renewed, sends the call once more. This is safe, because a provider that
 * answers 401 has done nothing.
 */
export function signedPost(
  url: string,
  headers: HeadersInit,
  request: PostRequest,
  options: NetworkOptions,
  signIn: SignIn,
): Promise<Response> {
  if (!signIn.signsBody) return postTwice(url, headers, request, options, signIn);
  // A signature is not renewed, so the body is not kept while the answer is awaited.
  return signIn
    .headersFor(url, request)
    .then((signed) => post(url, withHeaders(headers, signed), request, options));
}

async function postTwice(...call: Parameters<typeof signedPost>): Promise<Response> {
  const [url, headers, request, options, signIn] = call;
  const signed = await signIn.headersFor(url, request);
  const response = await post(url, withHeaders(headers, signed), request, options);
  if (response.status !== 401 || !signIn.refused(signed)) return response;
  await response.body?.cancel();
  const again = await signIn.headersFor(url, request);
  return await post(url, withHeaders(headers, again), request, options);
}

function withHeaders(headers: HeadersInit, signed: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(signed)) all.set(name, value);
  return all;
}

class TokenSignIn implements SignIn {
  readonly signsBody = false;
  readonly #tokens: TokenKeeper;
  readonly #fixed: readonly string[];

  constructor(tokens: TokenKeeper, fixed: readonly string[]) {
    this.#tokens = tokens;
    this.#fixed = fixed;
  }

  get hidden(): readonly string[] {
    const token = this.#tokens.current;
    return token === null ? this.#fixed : [...this.#fixed, token];
  }

  async headersFor(_url: string, { signal }: UpstreamRequest) {
    return { authorization: `Bearer ${await this.#tokens.token(signal)}` };
  }

  refused({ authorization = '' }: Readonly<Record<string, string>>): boolean {
    this.#tokens.forget(authorization.replace('Bearer ', ''));
    return true;
  }
}

type AwsSettings = Extract<SignInSettings, { kind: 'aws' }>;

/**
 * The number of cached signing keys above which the cache is cleared. The library adds a few keys a
 * day.
 */
const MAX_SIGNING_KEYS = 8;

class AwsSignIn implements SignIn {
  readonly signsBody = true;
  readonly hidden: readonly string[];
  readonly #settings: AwsSettings;
  readonly #keys = new Map<string, ArrayBuffer>();

  constructor(settings: AwsSettings) {
    this.#settings = settings;
    const { access_key_id: id, secret_access_key: key, session_token: token } = settings;
    this.hidden = [id, key, ...(token === null ? [] : [token])].map((secret) => secret.reveal());
  }

  async headersFor(url: string, { body, signal }: UpstreamRequest) {
    const { region, service, access_key_id, secret_access_key, session_token } = this.#settings;
    // The package is loaded when first used, because few gateways need it.
    const { AwsV4Signer } = await import('aws4fetch');
    signal.throwIfAborted();
    if (this.#keys.size > MAX_SIGNING_KEYS) this.#keys.clear();
    // Of the headers, only host, date and token are signed. So the signature stays valid if the
    // runtime changes other headers.
    const signer = new AwsV4Signer({
      ...{ method: 'POST', url, body, region, service, cache: this.#keys },
      accessKeyId: access_key_id.reveal(),
      secretAccessKey: secret_access_key.reveal(),
      ...(session_token !== null && { sessionToken: session_token.reveal() }),
    });
    const { headers } = await signer.sign();
    headers.delete('host');
    return Object.fromEntries(headers);
  }

  refused(): boolean {
    return false;
  }
}
