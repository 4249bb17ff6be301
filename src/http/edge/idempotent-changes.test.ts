import { beforeEach, expect, test } from 'bun:test';
import type { Caller } from '../../accounts/account.ts';
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { scopeBits } from '../../accounts/scopes.ts';
import { MemoryStore, stoppedClock } from '../../accounts/store.fixture.ts';
import { GatewayError } from '../../errors.ts';
import { IdempotencyKeys } from '../../idempotency/idempotency-keys.ts';
import type { Person } from '../../people/person.ts';
import { DOCUMENT_LIMITS, MAX_VALUES } from './body.ts';
import { edgeOf } from './edge.fixture.ts';
import { idempotentChanges } from './idempotent-changes.ts';
import { RequestBytes } from './request-bytes.ts';
import type { Route } from './route.ts';

const DOC = { summary: 'Make one', tag: 'console' } as const;
const people: Record<string, Person> = {};
for (const id of ['usr_a', 'usr_b']) {
  people[id] = { id, email: `${id}@x`, name: id, role: 'owner', accountId: 'acc_1' };
}

let made: number;
let refuses: boolean;
let losesAnswers: boolean;
let waits: Promise<void> | null;
let keys: IdempotencyKeys;
let send: (who: string, key: string | null, body?: unknown, path?: string) => Promise<Response>;

const callerOf = (keyId: string): Caller => ({
  ...{ accountId: 'acc_1', keyId, keyName: keyId, allowExchange: true, priceList: null },
  ...{ limits: { key: NO_LIMITS, account: NO_LIMITS }, scopes: scopeBits(['top_up']) },
});

/** A handler that creates another object each time it runs. */
const make = async (call: {
  readonly readJson: () => Promise<Record<string, unknown>>;
}): Promise<Response> => {
  const { name } = await call.readJson();
  await waits;
  if (refuses) throw new GatewayError('invalid_value', 'name is taken.', { param: 'name' });
  made += 1;
  if (losesAnswers) throw new GatewayError('store_unavailable', 'The store did not answer.');
  return Response.json(
    { name, secret: `s-${made}` },
    { status: 201, headers: { 'cache-control': 'no-store' } },
  );
};

beforeEach(async () => {
  made = 0;
  refuses = false;
  losesAnswers = false;
  waits = null;
  const clock = stoppedClock();
  const sql = new MemoryStore();
  // The node must be alive, because another process may take over the claim of a dead node.
  await sql.query({
    sql: `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
          VALUES ('epoch', 'n', 0, $1)`,
    params: [clock.nowMs() + 60_000],
  });
  keys = new IdempotencyKeys({
    sql,
    clock,
    epoch: () => 'epoch',
    totalTimeoutMs: 1_000,
    isHeld: () => false,
    onFailure: (thrown) => {
      throw thrown;
    },
  });
  const common = { method: 'POST', dialect: 'openai', doc: DOC, handle: make } as const;
  const routes: readonly Route[] = [
    { ...common, path: '/console/api/things/:id', auth: 'session', role: 'member' },
    { ...common, path: '/admin/v1/things', auth: 'admin' },
    { ...common, path: '/v1/top-ups', auth: 'key', scope: 'top_up' },
    { ...common, path: '/admin/v1/documents', auth: 'admin', scanLimits: DOCUMENT_LIMITS },
  ];
  const edge = edgeOf(idempotentChanges(routes, keys), {
    requestBytes: new RequestBytes(Number.MAX_SAFE_INTEGER),
    signedIn: (headers) => Promise.resolve(people[headers.get('x-who') ?? ''] ?? null),
    authenticate: (headers) => Promise.resolve(callerOf(headers.get('x-who') ?? '')),
  });
  send = async (who, key, body = { name: 'n' }, path = '/console/api/things/1') =>
    await edge.fetch(
      new Request(`http://gateway${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-who': who,
          ...(who === 'admin' ? { authorization: 'Bearer admin' } : {}),
          ...(who.startsWith('key_') ? { authorization: `Bearer ${who}` } : {}),
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      }),
    );
});

const codeOf = async (answer: Response) => [answer.status, (await answer.json()).error.code];

test('runs the same request once per key, and replays its answer with the secret', async () => {
  const first = await send('usr_a', 'k');
  const again = await send('usr_a', 'k');
  expect(made).toBe(1);
  expect(again.status).toBe(201);
  expect(await again.json()).toEqual(await first.json());
  expect(again.headers.get('cache-control')).toBe('no-store');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('x-original-request-id')).toBe(first.headers.get('x-request-id'));
});

test('runs every request without a key', async () => {
  await send('usr_a', null);
  await send('usr_a', null);
  expect(made).toBe(2);
});

test('refuses another body or URL under the same key', async () => {
  await send('usr_a', 'k');
  const reused = [422, 'idempotency_key_reused'];
  expect(await codeOf(await send('usr_a', 'k', { name: 'other' }))).toEqual(reused);
  expect(await codeOf(await send('usr_a', 'k', undefined, '/console/api/things/2'))).toEqual(
    reused,
  );
  expect(made).toBe(1);
});

test('a key belongs to one person', async () => {
  expect((await (await send('usr_a', 'k')).json()).secret).toBe('s-1');
  expect((await (await send('usr_b', 'k')).json()).secret).toBe('s-2');
  const path = '/admin/v1/things';
  expect((await (await send('admin', 'k', undefined, path)).json()).secret).toBe('s-3');
  expect((await (await send('admin', 'k', undefined, path)).json()).secret).toBe('s-3');
});

test('a key of a person is not answered from another of their accounts', async () => {
  const person: Person = {
    id: 'usr_a',
    email: 'a@x',
    name: 'a',
    role: 'owner',
    accountId: 'acc_2',
  };
  people['usr_a elsewhere'] = person;
  expect((await (await send('usr_a', 'k')).json()).secret).toBe('s-1');
  const reused = [422, 'idempotency_key_reused'];
  expect(await codeOf(await send('usr_a elsewhere', 'k'))).toEqual(reused);
  expect((await send('usr_a', 'k')).headers.get('idempotency-replayed')).toBe('true');
  expect(made).toBe(1);
});

test('a top-up with an API key is opened once', async () => {
  const top = (key: string | null) => send('key_a', key, undefined, '/v1/top-ups');
  expect((await (await top('k')).json()).secret).toBe('s-1');
  expect((await (await top('k')).json()).secret).toBe('s-1');
  const other = await send('key_a', 'k', { name: 'other' }, '/v1/top-ups');
  expect(await codeOf(other)).toEqual([422, 'idempotency_key_reused']);
  expect(made).toBe(1);
});

test('runs one of two concurrent requests and asks the other to retry', async () => {
  const gate = Promise.withResolvers<void>();
  waits = gate.promise;
  const both = [send('usr_a', 'k'), send('usr_a', 'k')];
  const refused = await Promise.race(both);
  expect(await codeOf(refused)).toEqual([409, 'idempotency_in_progress']);
  expect(refused.headers.get('retry-after')).toBe('1');
  gate.resolve();
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(made).toBe(1);
});

test('frees the key of a refused request', async () => {
  refuses = true;
  expect(await codeOf(await send('usr_a', 'k'))).toEqual([400, 'invalid_value']);
  refuses = false;
  expect((await send('usr_a', 'k')).status).toBe(201);
});

test('does not repeat a request that may have taken effect', async () => {
  losesAnswers = true;
  expect(await codeOf(await send('usr_a', 'k'))).toEqual([503, 'store_unavailable']);
  losesAnswers = false;
  expect(await codeOf(await send('usr_a', 'k'))).toEqual([409, 'idempotency_not_replayable']);
  expect(made).toBe(1);
});

test('refuses an invalid key before running anything', async () => {
  expect(await codeOf(await send('usr_a', 'k'.repeat(256)))).toEqual([400, 'invalid_value']);
  expect(made).toBe(0);
});

test('a change may be as large with a key as without', async () => {
  const body = { name: 'n', list: new Array(MAX_VALUES).fill(0) };
  for (const key of [null, 'large-1'] as const) {
    expect((await send('admin', key, body, '/admin/v1/documents')).status).toBe(201);
    expect((await send('admin', key && `${key}b`, body, '/admin/v1/things')).status).toBe(400);
  }
});
