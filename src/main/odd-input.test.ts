/**
 * Tests invalid input to every route, with SQLite and with PostgreSQL. Each answer must name the
 * problem, and no answer may be a 500.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Secret } from '../config/secret.ts';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The timeout is long because the tests may have to start PostgreSQL first, on a busy machine. */
setDefaultTimeout(180_000);

const PARAMETERS = [
  '%00',
  'a%00b',
  '%25',
  '%2e%2e%2f',
  '__proto__',
  "'; DROP TABLE account; --",
  '%F0%9F%AA%99',
  '%ff',
  '-1',
  '9'.repeat(400),
];
const BODIES = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1},"constructor":1}',
  '['.repeat(100_000),
];
/** The values to try in each field of a body. Each is invalid for some field. */
const VALUES = [
  null,
  true,
  -1,
  1e308,
  '',
  '-1',
  '9223372036.9',
  '99999999999999999999',
  '1e9',
  'a\u0000b',
  '\ud800',
  'USD',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  'x'.repeat(2_000),
  [],
  ['\u0000'],
  {},
  { day: '9223372036854775807' },
];

afterAll(removeFolders);

describe('SQLite', () => laws(async () => 'sqlite'));
describe('PostgreSQL', () => laws(newTestDatabase));

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly queries: readonly string[];
};

function laws(database: () => Promise<string>): void {
  test('odd paths, queries and bodies never cause a 500, and the ledger stays sound', async () => {
    const gateway = await openWithAll(await database());
    const key = gateway.firstStart?.key.reveal() ?? '';
    const failed: string[] = [];
    const send = async (method: string, path: string, body: string | null) => {
      const token = path.startsWith('/admin/') ? ADMIN_TOKEN : key;
      const request = new Request(`http://gateway${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'stripe-signature': 't=1,v1=00',
        },
        body,
      });
      const response = await gateway.edge.fetch(request);
      const answer = await response.text();
      if (response.status >= 500) failed.push(`${method} ${path} ${body} ${answer}`.slice(0, 400));
      return answer;
    };
    const document = JSON.parse(await send('GET', '/openapi.json', null));
    const { data } = JSON.parse(await send('GET', '/admin/v1/accounts', null));
    for (const operation of operationsOf(document)) await sendOdd(operation, data[0].id, send);
    expect(failed).toEqual([]);
    expect(JSON.parse(await send('GET', '/admin/v1/ledger/verify', null)).breaches).toEqual([]);
    await gateway.close();
  });
}

async function openWithAll(database: string): Promise<Gateway> {
  const env = { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN, MODELGATE_DATABASE: database };
  const stripe = {
    secret_key: new Secret('sk_test_x'),
    webhook_secret: new Secret('whsec_x'),
    min: { USD: '5', CNY: '35' },
    max: { USD: '1000', CNY: '7000' },
    api_base: 'http://127.0.0.1:9',
  };
  const config = { ...configFor(newFolder(), env), payments: { stripe } };
  return await openGatewayOn(config);
}

function operationsOf(document: { readonly paths: unknown }): readonly Operation[] {
  return Object.entries(Object(document.paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => {
      const { requestBody, parameters = [] } = Object(operation);
      const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
      const named: readonly { readonly in: string; readonly name: string }[] = parameters;
      const queries = named.filter((it) => it.in === 'query').map(({ name }) => name);
      return { method: method.toUpperCase(), path, fields: Object.keys(properties), queries };
    }),
  );
}

type Send = (method: string, path: string, body: string | null) => Promise<unknown>;

async function sendOdd(
  { method, path, fields, queries }: Operation,
  account: string,
  send: Send,
): Promise<void> {
  const plain = path.replace('/accounts/{id}', `/accounts/${account}`).replace(/\{\w+\}/g, 'x');
  const body = method === 'GET' || method === 'DELETE' ? null : '{}';
  for (const odd of PARAMETERS) {
    if (plain !== path) await send(method, path.replace(/\{\w+\}/g, odd), body);
    for (const name of queries) await send(method, `${plain}?${name}=${odd}`, body);
  }
  if (body === null) return;
  for (const odd of BODIES) await send(method, plain, odd);
  for (const odd of VALUES) {
    await send(method, plain, JSON.stringify(Object.fromEntries(fields.map((it) => [it, odd]))));
    for (const field of fields) {
      const good = Object.entries({ ...GOOD, account_id: account });
      const known = Object.fromEntries(good.filter(([name]) => fields.includes(name)));
      await send(method, plain, JSON.stringify({ ...known, [field]: odd }));
    }
  }
}

/**
 * Valid values for the fields that are not being tested, so that only the tested field can be
 * refused.
 */
const GOOD = {
  amount: '1',
  currency: 'USD',
  from: 'USD',
  to: 'CNY',
  reason: 'odd',
  name: 'odd',
  count: 1,
};
