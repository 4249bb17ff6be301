/**
 * Requests access tokens from Google and Azure, caches them, and renews them before they expire.
 */
import type { Clock } from '../clock.ts';
import type { SignInSettings } from '../config/upstream-schema.ts';
import { asString, parsedObject } from '../json/object.ts';
import type { Egress } from './egress.ts';
import { NotSent } from './upstream.ts';

export type TokenDeps = {
  readonly clock: Clock;
  /** Returns the `Egress` that checks whether a token server's address is allowed. */
  readonly egressOf: (url: string) => Pick<Egress, 'permission'>;
  /** Called when a token could not be renewed. `message` is for the operator. */
  readonly onFailure: (message: string) => void;
};

/** Describes how to request a token from a provider. */
export type TokenSource = {
  readonly url: string;
  /** Returns the form that is posted to the token server. `nowMs` is the time of the request. */
  readonly form: (nowMs: number) => Promise<URLSearchParams>;
};

type Token = {
  readonly text: string;
  /** Monotonic time after which a call starts a renewal in the background. */
  readonly renewAtMs: number;
  /** Monotonic time after which the token is no longer used. */
  readonly endsAtMs: number;
};

/** The timeout of a request to a token server. */
const ANSWER_MS = 10_000;
/** The pause after a failed renewal. Meanwhile, calls use the old token, which is still valid. */
const RETRY_MS = 10_000;
/** The fraction of a token's lifetime after which a call renews the token in the background. */
const RENEW_AFTER = 0.75;
/**
 * The fraction of a token's lifetime, at its end, in which the token is no longer used. A call
 * takes time to reach the provider, and the token could expire on the way.
 */
const UNUSED_PART = 0.05;
/** The lifetime in seconds that is assumed if a token server states none, which RFC 6749 allows. */
const USUAL_LIFE_S = 3_600;
/** Maximum bytes of a token server's answer. A token has a few thousand characters. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_SHOWN_CHARS = 300;

/** Caches the current token of one upstream. Concurrent calls share the token and its renewal. */
export class TokenKeeper {
  readonly #source: TokenSource;
  readonly #deps: TokenDeps;
  readonly #egress: Pick<Egress, 'permission'>;
  #token: Token | null = null;
  #renewing: Promise<Token> | null = null;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(source: TokenSource, deps: TokenDeps) {
    this.#source = source;
    this.#deps = deps;
    this.#egress = deps.egressOf(source.url);
  }

  get current(): string | null {
    return this.#token?.text ?? null;
  }

  /**
   * Returns a valid token, and waits for a new one if necessary.
   * @throws NotSent when no token is issued; the signal's reason when the call is aborted.
   */
  async token(signal: AbortSignal): Promise<string> {
    const now = this.#deps.clock.monotonicMs();
    const token = this.#token;
    if (token === null || now >= token.endsAtMs)
      return (await orAborted(signal, this.#renew())).text;
    if (now >= token.renewAtMs && now >= this.#retryAtMs) this.#renewInBackground();
    return token.text;
  }

  /** Drops a token that the provider refused, unless a newer one has replaced it. */
  forget(text: string): void {
    if (this.#token?.text === text) this.#token = null;
  }

  #renewInBackground(): void {
    this.#renew().catch(({ cause }: NotSent) => {
      this.#retryAtMs = this.#deps.clock.monotonicMs() + RETRY_MS;
      this.#deps.onFailure(cause instanceof Error ? cause.message : String(cause));
    });
  }

  #renew(): Promise<Token> {
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #ask(): Promise<Token> {
    const { clock } = this.#deps;
    const timeout = new AbortController();
    const timer = clock.after(ANSWER_MS, () =>
      timeout.abort(new Error(`no answer within ${ANSWER_MS} ms`)),
    );
    try {
      await this.#egress.permission();
      const sentAtMs = clock.monotonicMs();
      const answer = await postForm(this.#source, clock.nowMs(), timeout.signal);
      this.#token = tokenOf(answer, sentAtMs);
      return this.#token;
    } catch (thrown) {
      if (thrown instanceof NotSent) throw thrown;
      throw this.#failed(timeout.signal.aborted ? timeout.signal.reason : thrown);
    } finally {
      timer.cancel();
    }
  }

  #failed(thrown: unknown): NotSent {
    const { host } = new URL(this.#source.url);
    const what = thrown instanceof Error ? thrown.message : String(thrown);
    const cause = new Error(`${host} issued no token: ${what}`, { cause: thrown });
    return new NotSent('The provider could not be reached.', { cause });
  }
}

async function postForm(
  { url, form }: TokenSource,
  nowMs: number,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: await form(nowMs),
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal,
  });
  const text = await readText(response);
  if (response.ok) return text;
  throw new Error(`${response.status} ${reasonIn(text)}`.trim());
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the reason in an error answer (RFC 6749, section 5.2). The reason contains no secret. */
function reasonIn(text: string): string {
  const answer = parsedObject(text);
  const { error, error_description: description } = answer ?? {};
  const reason = [asString(error), asString(description)].filter(Boolean).join(': ');
  return reason.replace(/\s+/g, ' ').slice(0, MAX_SHOWN_CHARS);
}

function tokenOf(answer: string, sentAtMs: number): Token {
  const { access_token: text, expires_in: life } = parsedObject(answer) ?? {};
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
    throw new Error('the answer has no access_token');
  // Some token servers send the lifetime as a string.
  const seconds = Number(life ?? USUAL_LIFE_S);
  const lifeMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_LIFE_S) * 1000;
  return {
    text,
    renewAtMs: sentAtMs + lifeMs * RENEW_AFTER,
    endsAtMs: sentAtMs + lifeMs * (1 - UNUSED_PART),
  };
}

/** Waits for a promise that several calls share. @throws the signal's reason when it aborts. */
async function orAborted<Value>(signal: AbortSignal, shared: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([shared, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

type GoogleSettings = Extract<SignInSettings, { kind: 'google' }>;
type AzureSettings = Extract<SignInSettings, { kind: 'azure' }>;

/** Maximum lifetime, in seconds, that Google accepts for a signed token request. */
const ASSERTION_LIFE_S = 3_600;

/**
 * Returns how to request tokens for a Google service account, which signs each request itself (RFC
 * 7523, section 2.1).
 */
export const googleToken = ({ credentials, token_url, scope }: GoogleSettings): TokenSource => ({
  url: token_url,
  form: async (nowMs) => {
    // The package is loaded when first used, because few gateways need it.
    const { importPKCS8, SignJWT } = await import('jose');
    const key = await importPKCS8(credentials.privateKey.reveal(), 'RS256');
    const issuedAt = Math.floor(nowMs / 1000);
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({
        alg: 'RS256',
        typ: 'JWT',
        ...(credentials.keyId !== null && { kid: credentials.keyId }),
      })
      .setIssuer(credentials.email)
      .setAudience(token_url)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ASSERTION_LIFE_S)
      .sign(key);
    const type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return new URLSearchParams({ grant_type: type, assertion });
  },
});

/**
 * Returns how to request tokens by the client credentials grant of Microsoft Entra (RFC 6749,
 * section 4.4).
 */
export const azureToken = (settings: AzureSettings): TokenSource => ({
  url: `${settings.authority.replace(/\/+$/, '')}/${settings.tenant_id}/oauth2/v2.0/token`,
  form: async () =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.client_id,
      client_secret: settings.client_secret.reveal(),
      scope: settings.scope,
    }),
});
