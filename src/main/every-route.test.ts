/** Tests the authorization of every registered route. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** Every public route. These routes need no credential. */
const PUBLIC = [
  'GET /',
  'GET /api/hello',
  'GET /console',
  'GET /console/api/pages/{id}',
  'GET /console/api/session',
  'GET /console/logo',
  'GET /console/{rest}',
  'GET /files/{name}',
  'GET /healthz',
  'GET /llms.txt',
  'GET /openai/models',
  'GET /openai/models/{id}',
  'GET /openai/v1/models',
  'GET /openai/v1/models/{id}',
  'GET /openapi.json',
  'GET /readyz',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /status.json',
  'GET /status/history.json',
  'GET /status/incidents.atom',
  'GET /v1/models',
  'GET /v1/models/{id}',
  'GET /v2/models',
  'GET /v2/models/{id}',
  'POST /console/api/link',
  'POST /console/api/password-reset',
  'POST /console/api/password-reset/mail',
  'POST /console/api/setup',
  'POST /console/api/sign-in',
  'POST /console/api/sign-in/oidc',
  'POST /console/api/sign-in/oidc/finish',
  'POST /console/api/sign-in/passkey',
  'POST /console/api/sign-in/passkey/finish',
  'POST /console/api/sign-in/totp',
  'POST /console/api/sign-out',
  'POST /console/api/sign-up',
  'POST /console/api/sign-up/mail',
];

const IN_AZURE = [
  ...['POST /chat/completions', 'POST /responses', 'POST /embeddings'],
  ...['POST /images/generations', 'POST /images/edits', 'GET /models', 'GET /models/{id}'],
];
const OF_A_DEPLOYMENT = ['chat/completions', 'embeddings', 'images/generations', 'images/edits'];
/** Routes that `/openapi.json` omits, because they are aliases of described routes. */
const ALIASES = [
  ...['/openai', '/openai/v1'].flatMap((prefix) =>
    IN_AZURE.map((route) => route.replace(' ', ` ${prefix}`)),
  ),
  ...OF_A_DEPLOYMENT.map((name) => `POST /openai/deployments/{model}/${name}`),
];

let gateway: Gateway;
let key: string;
let routes: readonly string[];

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  key = gateway.firstStart?.key.reveal() ?? '';
  const document = await (await send('GET /openapi.json')).json();
  const described = Object.entries(Object(document.paths)).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  routes = [...described, ...ALIASES];
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function send(route: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  return await gateway.edge.fetch(
    new Request(`http://gateway${path.replace(/\{\w+\}/g, 'x')}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: method === 'GET' || method === 'DELETE' ? null : '{}',
    }),
  );
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const isAdmin = (route: string): boolean => /^GET \/metrics$| \/admin\//.test(route);
/**
 * Whether the route requires a console session, and so refuses API keys and the administrator's
 * token.
 */
const isConsole = (route: string): boolean => route.includes(' /console/api/');
const closed = (): string[] => routes.filter((route) => !PUBLIC.includes(route));

async function statuses(of: readonly string[], headers: Record<string, string>) {
  const entries = of.map(async (route) => [route, (await send(route, headers)).status] as const);
  return new Map(await Promise.all(entries));
}
const all = (of: readonly string[], status: number) => new Map(of.map((route) => [route, status]));

test('the list of public routes is complete, and the inference endpoints are there', () => {
  expect(routes.filter((route) => PUBLIC.includes(route)).toSorted()).toEqual(PUBLIC);
  for (const prefix of ['/v1', '/v2']) {
    for (const path of [
      '/chat/completions',
      '/messages',
      '/responses',
      '/messages/count_tokens',
      '/images/generations',
    ]) {
      expect(closed()).toContain(`POST ${prefix}${path}`);
    }
  }
  expect(closed().filter(isAdmin).length).toBeGreaterThan(5);
});

test('describes token counting without an output limit', async () => {
  const { paths } = await (await send('GET /openapi.json')).json();
  for (const prefix of ['/v1', '/v2']) {
    const { schema } =
      paths[`${prefix}/messages/count_tokens`].post.requestBody.content['application/json'];
    expect(schema.required).toEqual(['model', 'messages']);
  }
});

describe('every route that is not public', () => {
  test('answers 401 without a credential', async () => {
    expect(await statuses(closed(), {})).toEqual(all(closed(), 401));
  });

  test('answers 401 to a well-formed unknown key', async () => {
    const other = await statuses(closed(), bearer(`sk-mg-${'A'.repeat(46)}`));
    expect(other).toEqual(all(closed(), 401));
  });

  test('answers 401 to another kind of credential', async () => {
    const admin = closed().filter(isAdmin);
    const inference = closed().filter((route) => !isAdmin(route));
    expect(await statuses(admin, bearer(key))).toEqual(all(admin, 401));
    expect(await statuses(admin, { 'x-api-key': key })).toEqual(all(admin, 401));
    expect(await statuses(inference, bearer(ADMIN_TOKEN))).toEqual(all(inference, 401));
  });

  test('accepts its own credential', async () => {
    for (const route of closed().filter((each) => !isConsole(each))) {
      const headers = bearer(isAdmin(route) ? ADMIN_TOKEN : key);
      expect([route, (await send(route, headers)).status]).not.toEqual([route, 401]);
    }
  });

  test('returns 405 with the allowed methods before authorization', async () => {
    for (const path of new Set(closed().map((route) => route.split(' ')[1] ?? ''))) {
      const response = await send(`PROPPATCH ${path}`);
      expect([path, response.status]).toEqual([path, 405]);
      expect(response.headers.get('allow')).toContain('OPTIONS');
    }
  });
});

test('answers HEAD probes without a credential', async () => {
  for (const path of ['/', '/api/hello']) {
    const response = await send(`HEAD ${path}`);
    expect([response.status, await response.text()]).toEqual([200, '']);
  }
});

test('every refusal is JSON in the dialect of its path', async () => {
  for (const route of closed()) {
    const response = await send(route);
    const body = await response.json();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect([route, typeof body.error.message]).toEqual([route, 'string']);
    if (route.includes('/messages')) expect(body.type).toBe('error');
  }
});
