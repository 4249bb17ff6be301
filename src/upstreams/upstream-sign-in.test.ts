import { afterEach, expect, test } from 'bun:test';
import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import type { SignInSettings } from '../config/upstream-schema.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { createOpenAiUpstream } from './adapters.ts';
import { Egress } from './egress.ts';
import { PLAIN_FIELDS } from './known-fields.ts';
import { NotSent, type Upstream, type UpstreamRequest } from './upstream.ts';
import { createSignIn } from './upstream-sign-in.ts';

type Handler = (request: Request) => Response | Promise<Response>;

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop(true))));

function listen(handle: Handler): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: handle });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const LIFE_S = 1_000;

/**
 * A token server that issues `token-1`, `token-2` and so on, and a provider that checks the tokens.
 */
class Provider {
  /** The forms that were posted to the token server. */
  readonly forms: URLSearchParams[] = [];
  /** The tokens that the provider received, one per call. */
  readonly presented: string[] = [];
  readonly failures: string[] = [];
  readonly clock: ManualClock = manualClock();
  /** If set, the token server returns this answer instead of issuing tokens. */
  instead: (() => Response | Promise<Response>) | null = null;
  /** Tokens that the provider refuses. */
  readonly revoked = new Set<string>();
  readonly tokens = listen(async (request) => {
    this.forms.push(new URLSearchParams(await request.text()));
    if (this.instead !== null) return await this.instead();
    return Response.json({ access_token: `token-${this.forms.length}`, expires_in: LIFE_S });
  });
  readonly #calls = listen((request) => {
    const token = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
    this.presented.push(token);
    return new Response('{}', { status: this.revoked.has(token) ? 401 : 200 });
  });

  upstream(settings: SignInSettings): Upstream {
    return upstreamAt(this.#calls, settings, this.clock, (reason) => this.failures.push(reason));
  }
}

function upstreamAt(
  baseUrl: string,
  settings: SignInSettings,
  clock: ManualClock,
  onFailure: (message: string) => void,
): Upstream {
  const egressOf = (url: string): Egress =>
    new Egress({ name: 'cloud', baseUrl: url, allowPrivate: true, isProxied: false, clock });
  return createOpenAiUpstream({
    ...{ name: 'cloud', clock, baseUrl, egress: egressOf(baseUrl), apiKey: null, headers: {} },
    ...{ quirks: NO_QUIRKS, fields: PLAIN_FIELDS },
    ...{ connectTimeoutMs: 60_000, firstByteTimeoutMs: 60_000 },
    signIn: createSignIn(settings, { clock, egressOf, onFailure }),
  });
}

const azure = (authority: string): SignInSettings => ({
  kind: 'azure',
  tenant_id: 'contoso.example',
  client_id: 'app',
  client_secret: new Secret('hush-hush'),
  authority,
  scope: 'https://cognitiveservices.azure.com/.default',
});

function request(controller = new AbortController()): UpstreamRequest {
  return {
    format: 'chat',
    body: new TextEncoder().encode('{"model":"m"}'),
    ...{ stream: false, headers: {}, scope: '', traceparent: null },
    ...{ connectMs: null, firstByteMs: null },
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
  };
}

const statusOf = async (upstream: Upstream): Promise<number> =>
  (await upstream.send(request())).status;

const refusalOf = (upstream: Upstream, asked = request()): Promise<unknown> =>
  upstream.send(asked).then(
    () => expect.unreachable('the call was sent'),
    (thrown: unknown) => thrown,
  );

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(1);
}

/** Sends calls until one of them presents this token. */
async function presents(token: string, provider: Provider, upstream: Upstream): Promise<void> {
  while (provider.presented.at(-1) !== token) expect(await statusOf(upstream)).toBe(200);
}

test('Azure gets the credentials of the app, and calls that come together share one token', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  expect(await Promise.all(Array.from({ length: 50 }, () => statusOf(upstream)))).toEqual(
    Array.from({ length: 50 }, () => 200),
  );
  expect(provider.forms.map((form) => Object.fromEntries(form))).toEqual([
    {
      grant_type: 'client_credentials',
      client_id: 'app',
      client_secret: 'hush-hush',
      scope: 'https://cognitiveservices.azure.com/.default',
    },
  ]);
  expect(new Set(provider.presented)).toEqual(new Set(['token-1']));
});

test('Google gets a request that the service account signed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider();
  const upstream = provider.upstream({
    kind: 'google',
    credentials: {
      email: 'gate@project.example',
      keyId: 'key-7',
      privateKey: new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    },
    token_url: provider.tokens,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
  });
  expect(await statusOf(upstream)).toBe(200);
  const [form] = provider.forms;
  expect(form?.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const now = provider.clock.nowMs();
  const { payload, protectedHeader } = await jwtVerify(form?.get('assertion') ?? '', publicKey, {
    issuer: 'gate@project.example',
    audience: provider.tokens,
    currentDate: new Date(now),
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-7' });
  expect(payload['scope']).toBe('https://www.googleapis.com/auth/cloud-platform');
  expect(payload.exp).toBe(Math.floor(now / 1000) + 3_600);
});

test('a token is renewed before it ends, and no call waits for it or fails', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  const life = LIFE_S * 1000;
  expect(await statusOf(upstream)).toBe(200);
  provider.clock.advance(life * 0.8);
  // While the token server is slow, calls still use the first token.
  const slow = Promise.withResolvers<Response>();
  provider.instead = () => slow.promise;
  expect(await Promise.all([statusOf(upstream), statusOf(upstream)])).toEqual([200, 200]);
  expect(provider.presented).toEqual(['token-1', 'token-1', 'token-1']);
  slow.resolve(Response.json({ access_token: 'fresh', expires_in: String(LIFE_S) }));
  await presents('fresh', provider, upstream);
  provider.clock.advance(life * 0.19);
  expect(await statusOf(upstream)).toBe(200);
  expect(provider.presented.at(-1)).toBe('fresh');
  expect(provider.forms).toHaveLength(2);
});

test('a failed renewal is reported and tried again, while the token still works', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  await statusOf(upstream);
  const error = { error: 'invalid_client', error_description: 'The secret\nhas expired.' };
  provider.instead = () => Response.json(error, { status: 401 });
  provider.clock.advance(LIFE_S * 800);
  expect(await statusOf(upstream)).toBe(200);
  await until(() => provider.failures.length > 0);
  expect(provider.failures).toEqual([
    expect.stringMatching(
      /^127\.0\.0\.1:\d+ issued no token: 401 invalid_client: The secret has expired\.$/,
    ),
  ]);
  // The gateway waits ten seconds after a failed renewal before it asks the token server again.
  expect(await statusOf(upstream)).toBe(200);
  expect(provider.forms).toHaveLength(2);
  provider.instead = null;
  provider.clock.advance(10_000);
  await presents('token-3', provider, upstream);
});

test('without a token nothing is sent, and the next call asks again', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  const answers: readonly [() => Response, string][] = [
    [() => new Response('<html>', { status: 503 }), '503'],
    [() => Response.json({ token: 'x' }), 'the answer has no access_token'],
    [() => Response.json({ access_token: 'a b\n' }), 'the answer has no access_token'],
    [() => new Response('x'.repeat(70_000)), 'the answer exceeds 65536 bytes'],
    [() => new Response(null, { status: 302, headers: { location: 'http://else' } }), '302'],
  ];
  for (const [answer, reason] of answers) {
    provider.instead = answer;
    const refusal = await refusalOf(upstream);
    expect(refusal).toBeInstanceOf(NotSent);
    expect(String((refusal as NotSent).cause)).toEndWith(`issued no token: ${reason}`);
  }
  expect(provider.presented).toEqual([]);
  provider.instead = null;
  expect(await statusOf(upstream)).toBe(200);
});

test('a token server that hangs fails the call in time, and a caller who leaves does not wait', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  provider.instead = () => new Promise<Response>(() => {});
  const controller = new AbortController();
  const left = refusalOf(upstream, request(controller));
  const waiting = refusalOf(upstream);
  await until(() => provider.forms.length > 0);
  const gone = new Error('the caller left');
  controller.abort(gone);
  expect(await left).toBe(gone);
  provider.clock.advance(10_000);
  expect(await waiting).toBeInstanceOf(NotSent);
  expect(provider.forms).toHaveLength(1);
});

test('a refused token is replaced, and the call is sent once more', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  await statusOf(upstream);
  provider.revoked.add('token-1');
  expect(await Promise.all([statusOf(upstream), statusOf(upstream)])).toEqual([200, 200]);
  expect(provider.forms).toHaveLength(2);
  for (const name of ['token-2', 'token-3', 'token-4']) provider.revoked.add(name);
  const before = provider.presented.length;
  expect(await statusOf(upstream)).toBe(401);
  expect(provider.presented.slice(before)).toEqual(['token-2', 'token-3']);
});

test('credentials and tokens are masked in messages of the provider', async () => {
  const provider = new Provider();
  const upstream = provider.upstream(azure(provider.tokens));
  expect(upstream.hidden).toContain('hush-hush');
  await statusOf(upstream);
  expect(upstream.hidden).toContain('token-1');
});

const AWS: SignInSettings = {
  ...{ kind: 'aws', region: 'eu-west-1', service: 'bedrock' },
  access_key_id: new Secret('AKIDEXAMPLE'),
  secret_access_key: new Secret('wJalrXUtnFEMI/K7MDENG'),
  session_token: new Secret('session+token='),
};

test('AWS calls do not keep a large body while they wait for the answer', async () => {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const base = listen(async (request) => {
    await request.bytes();
    arrived.resolve();
    return await answer.promise;
  });
  const upstream = upstreamAt(base, AWS, manualClock(), (reason) => expect.unreachable(reason));
  const send = () => {
    const asked = { ...request(), body: new Uint8Array(256 * 1024) };
    return { body: new WeakRef(asked.body), answering: upstream.send(asked) };
  };
  const { body, answering } = send();
  await arrived.promise;
  await until(() => {
    Bun.gc(true);
    return body.deref() === undefined;
  });
  answer.resolve(new Response('{}'));
  expect((await answering).status).toBe(200);
});

test('AWS calls carry a signature that AWS accepts', async () => {
  const received = Promise.withResolvers<{ request: Request; body: string }>();
  const base = listen(async (request) => {
    received.resolve({ request, body: await request.text() });
    return new Response('{}');
  });
  const upstream = upstreamAt(`${base}/openai/v1`, AWS, manualClock(), (reason) =>
    expect.unreachable(reason),
  );
  expect(await statusOf(upstream)).toBe(200);
  const { request: got, body } = await received.promise;
  expect(got.headers.get('x-amz-security-token')).toBe('session+token=');
  expect(got.headers.get('authorization')).toBe(
    signatureOf(got, body, 'AKIDEXAMPLE', 'wJalrXUtnFEMI/K7MDENG'),
  );
  // The form of an image edit is streamed, so its bytes cannot be signed before the call.
  expect(upstream.formats.has('image_edits')).toBe(false);
  expect(upstream.hidden).toEqual(
    expect.arrayContaining(['AKIDEXAMPLE', 'wJalrXUtnFEMI/K7MDENG', 'session+token=']),
  );
});

/** Computes the AWS Signature Version 4 of a POST request without a query, as AWS documents it. */
function signatureOf(request: Request, body: string, id: string, secret: string): string {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const date = request.headers.get('x-amz-date') ?? '';
  const names = ['host', 'x-amz-date', 'x-amz-security-token'];
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${request.headers.get(name)}\n`).join('');
  const path = new URL(request.url).pathname;
  const canonical = ['POST', path, '', lines, signed, sha256(body)].join('\n');
  const scope = [date.slice(0, 8), 'eu-west-1', 'bedrock', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  const signature = hmac(key, text).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature}`;
}
