/**
 * Tests the webhooks of accounts on both store engines, with a receiver on the loopback interface.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { Secret } from '../../config/secret.ts';
import type { GatewayError } from '../../errors.ts';
import { failureOf, furnish } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../../money/amount.ts';
import { POST_MS } from '../../upstreams/public-post.ts';
import { AccountWebhooks, OVERLAP_MS, type WebhookReach } from './account-webhooks.ts';
import { AlertOutbox, alertOf, MAX_WAITING, SEND_FOR_MS } from './alert-outbox.ts';
import { LowBalance } from './low-balance.ts';
import { SIGNATURE_HEADER } from './signature.ts';
import { MAX_TESTS, WebhookOutbox } from './webhook-outbox.ts';
import { WebhookSender } from './webhook-sender.ts';

/**
 * The timeout of a test. The first test that needs PostgreSQL also waits for the start of the
 * server.
 */
const SERVER_START_MS = 180_000;
afterAll(removeFiles);

type Got = { readonly path: string; readonly body: string; readonly signature: string };

let got: Got[];
let answer: (path: string) => Response | Promise<Response>;
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const path = new URL(request.url).pathname;
    const signature = request.headers.get(SIGNATURE_HEADER) ?? '';
    got.push({ path, body: await request.text(), signature });
    return await answer(path);
  },
});
afterAll(() => receiver.stop(true));
const urlOf = (path: string): string => `http://127.0.0.1:${receiver.port}${path}`;

let clock: ManualClock;
let database: Database;
let alerts: AlertOutbox;
let outbox: WebhookOutbox;
let senders: WebhookSender[];
let failures: unknown[];

const webhooksWith = (reach: WebhookReach, key = 'console key'): AccountWebhooks =>
  new AccountWebhooks({ sql: database.sql, clock, secret: new Secret(key), reach });

function newSender(webhooks = webhooksWith('private')): WebhookSender {
  const sender = new WebhookSender({
    ...{ outbox, webhooks, clock },
    network: { allowPrivate: true },
    onFailure: (_what, thrown) => failures.push(thrown),
  });
  senders.push(sender);
  return sender;
}

const raise = async (id: string, forAccount = 'alice'): Promise<boolean> => {
  const fields = { type: 'key.expiring', account_id: forAccount, key_name: 'ü' };
  return await alerts.add({ ...alertOf(id, fields, clock.nowMs()), forAccount });
};
const log = async (account = 'alice') =>
  (await outbox.list(account)).map(({ id, state, attempts, answer: words }) => [
    ...[id, state, attempts, words],
  ]);
const signatureOf = (secrets: readonly string[], { body, signature }: Got): string => {
  const [, seconds = ''] = /^t=(\d+),/.exec(signature) ?? [];
  const macs = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  );
  return [`t=${seconds}`, ...macs.map((mac) => `v1=${mac}`)].join(',');
};
const actions = async () =>
  (
    await database.sql.query({
      sql: "SELECT action, detail FROM audit WHERE action LIKE 'account.webhook%' ORDER BY id",
      params: [],
    })
  ).map(({ action, detail }) => `${action} ${detail}`);

const engines = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};
for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    beforeEach(async () => {
      clock = manualClock();
      database = await open();
      await furnish(database);
      alerts = new AlertOutbox(database.sql);
      outbox = new WebhookOutbox(database.sql, clock, () => KEPT_MS);
      [got, senders, failures] = [[], [], []];
      answer = () => new Response('ok');
    }, SERVER_START_MS);
    afterEach(async () => {
      for (const sender of senders) await sender.stop();
      await database.close();
      expect(failures).toEqual([]);
    });
    setting();
    delivering();
    failing();
  });
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const NOT_PUBLIC = 'url must be a public https address, and this host is not public.';

function setting(): void {
  test('shows the secret once, and stores it encrypted', async () => {
    const webhooks = webhooksWith('public');
    expect(await webhooks.get('alice')).toBeNull();
    const secret = await webhooks.set('alice', 'https://Hooks.Example/in?token=1', 'usr_1');
    expect(secret?.reveal()).toMatch(/^whsec_[\w-]{43}$/);
    expect(await webhooks.set('alice', 'https://hooks.example/other', 'usr_1')).toBeNull();
    expect(await webhooks.get('alice')).toMatchObject({ url: 'https://hooks.example/other' });
    const target = await webhooks.target('alice');
    expect(target?.secrets?.map((it) => it.reveal())).toEqual([secret?.reveal() ?? '']);
    expect(String(target?.secrets)).toBe('***');
    await webhooks.rotate('alice', OVERLAP_MS, 'usr_2');
    const rows = await database.sql.query({
      sql: 'SELECT sealed FROM account_webhook',
      params: [],
    });
    const stored = Buffer.from(rows[0]?.['sealed'] as Uint8Array).toString('latin1');
    expect(stored).not.toContain('whsec_');
    await webhooks.remove('alice', 'usr_1');
    expect(await webhooks.target('alice')).toBeNull();
    // The audit log contains only the host, because path and query may contain a token of the
    // receiver.
    expect(await actions()).toEqual([
      'account.webhook_set {"host":"hooks.example"}',
      'account.webhook_set {"host":"hooks.example"}',
      'account.webhook_rotate {}',
      'account.webhook_remove {}',
    ]);
  });

  test('refuses addresses that are not public, and everything while it is off', async () => {
    const refused = async (reach: WebhookReach, url: string) =>
      await webhooksWith(reach)
        .set('alice', url, 'usr_1')
        .then(() => 'set')
        .catch((thrown) => thrown.message);
    for (const host of [
      '127.0.0.1',
      '10.0.0.8',
      '169.254.169.254',
      '[::1]',
      '[fd00::1]',
      '2130706433',
    ])
      expect(await refused('public', `https://${host}/x`)).toBe(NOT_PUBLIC);
    for (const host of ['localhost', 'metadata.internal', 'printer'])
      expect(await refused('public', `https://${host}/x`)).toBe(NOT_PUBLIC);
    for (const url of ['http://hooks.example/x', 'ftp://hooks.example/x', 'hooks.example', ''])
      expect(await refused('public', url)).toContain('must be a public https address, such as');
    expect(await refused('public', 'https://me:pass@hooks.example/')).toContain('credentials');
    expect(await refused('private', 'http://10.0.0.8/x')).toContain(
      'must be a public https address, such as',
    );
    expect(await refused('private', 'https://10.0.0.8/x')).toBe('set');
    expect(await refused('off', 'https://hooks.example/x')).toContain('webhooks are turned off');
    const none = webhooksWith('public');
    const missing = (thrown: GatewayError): string => thrown.code;
    expect(await none.rotate('bob', 0, 'usr_1').then(String, missing)).toBe('not_found');
    expect(await none.remove('bob', 'usr_1').then(String, missing)).toBe('not_found');
    expect(await actions()).toEqual(['account.webhook_set {"host":"10.0.0.8"}']);
  });
}

function delivering(): void {
  test("posts an account's alerts to its webhook, signed, once", async () => {
    const webhooks = webhooksWith('private');
    await raise('alt_0');
    const secret = (await webhooks.set('alice', urlOf('/alice'), 'usr_1'))?.reveal() ?? '';
    await raise('alt_1');
    await raise('alt_1');
    await raise('alt_2', 'bob');
    await alerts.add(alertOf('alt_3', { type: 'reconcile.failed' }, clock.nowMs()));
    await Promise.all([newSender().round(), newSender().round()]);
    expect(got.map(({ path }) => path)).toEqual(['/alice']);
    const [first = { path: '', body: '', signature: '' }] = got;
    expect(JSON.parse(first.body)).toEqual({
      ...{ id: 'alt_1', type: 'key.expiring', account_id: 'alice', key_name: 'ü' },
      created: new Date(clock.nowMs()).toISOString(),
    });
    expect(first.signature).toBe(signatureOf([secret], first));
    expect(await log()).toEqual([['alt_1', 'delivered', 1, 'The receiver answered 200.']]);
    expect(await log('bob')).toEqual([]);
  });

  test('after a rotation, the previous secret also signs for the requested time', async () => {
    const webhooks = webhooksWith('private');
    const sender = newSender();
    const first = (await webhooks.set('alice', urlOf('/'), 'usr_1'))?.reveal() ?? '';
    const signedBy = async (...secrets: readonly string[]) => {
      await sender.sendTest('alice', 'usr_1');
      const last = got.at(-1) ?? { path: '', body: '', signature: '' };
      expect(last.signature).toBe(signatureOf(secrets, last));
    };
    const second = (await webhooks.rotate('alice', 3_600_000, 'usr_1')).reveal();
    await signedBy(second, first);
    clock.advance(3_599_999);
    await signedBy(second, first);
    expect((await webhooks.get('alice'))?.earlierUntilMs).toBe(clock.nowMs() + 1);
    clock.advance(1);
    await signedBy(second);
    expect((await webhooks.get('alice'))?.earlierUntilMs).toBeNull();
    // Of three secrets, only the two newest sign. After a rotation without overlap, only the newest
    // signs.
    const third = (await webhooks.rotate('alice', OVERLAP_MS, 'usr_1')).reveal();
    const fourth = (await webhooks.rotate('alice', OVERLAP_MS, 'usr_1')).reveal();
    await signedBy(fourth, third);
    const fifth = (await webhooks.rotate('alice', 0, 'usr_1')).reveal();
    await signedBy(fifth);
  });

  test('deletes an earlier secret when it no longer signs', async () => {
    const webhooks = webhooksWith('private');
    await webhooks.set('alice', urlOf('/'), 'usr_1');
    await webhooks.rotate('alice', 1_000, 'usr_1');
    const isKept = async () => {
      await webhooks.forgetSecrets();
      const sql = 'SELECT earlier_sealed FROM account_webhook';
      return (await database.sql.query({ sql, params: [] }))[0]?.['earlier_sealed'] !== null;
    };
    expect(await isKept()).toBe(true);
    clock.advance(1_000);
    expect(await isKept()).toBe(false);
  });

  test('posts a low balance', async () => {
    await webhooksWith('private').set('alice', urlOf('/low'), 'usr_1');
    const defaults = { USD: nano(100n), CNY: null };
    const onFailure = (thrown: unknown) => failures.push(thrown);
    const low = new LowBalance({
      ...{ sql: database.sql, clock, defaults, onFailure },
      onLow: () => undefined,
    });
    low.observe('alice', 'USD', nano(5n));
    await low.settled();
    await newSender().round();
    expect(got.map(({ body }) => JSON.parse(body).type)).toEqual(['balance.low']);
  });

  test('sends a limited number of tests, and reports the outcome', async () => {
    const sender = newSender();
    expect(await sender.sendTest('alice', 'usr_1')).toBeNull();
    await webhooksWith('private').set('alice', urlOf('/test'), 'usr_1');
    expect(await sender.sendTest('alice', 'usr_1')).toMatchObject({ state: 'delivered' });
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' });
    answer = () => new Response('internal words', { status: 500 });
    const refused = await sender.sendTest('alice', 'usr_1');
    expect(refused).toMatchObject({ state: 'given_up', answer: 'The receiver answered 500.' });
    expect(refused?.outcome).toEqual({ code: 'answered', detail: '500' });
    for (let sent = 2; sent < MAX_TESTS; sent++) await outbox.addTest('alice', 0, 'usr_1');
    expect(await sender.sendTest('alice', 'usr_1')).toBeNull();
    clock.advance(KEPT_MS + 1);
    expect(await sender.sendTest('alice', 'usr_1')).not.toBeNull();
    await outbox.forget();
    expect(await log()).toHaveLength(1);
  });

  test('shows the sentence that an earlier version stored as the outcome', async () => {
    await webhooksWith('private').set('alice', urlOf('/test'), 'usr_1');
    await raise('alt_1');
    const answer = 'The receiver answered 503.';
    await database.sql.query({ sql: 'UPDATE webhook_delivery SET answer = $1', params: [answer] });
    expect((await outbox.list('alice'))[0]).toMatchObject({ outcome: null, answer });
  });
}

function failing(): void {
  test('retries at growing intervals, and gives up after a day', async () => {
    await webhooksWith('private').set('alice', urlOf('/down'), 'usr_1');
    answer = () => new Response('no', { status: 503 });
    await raise('alt_1');
    const sender = newSender();
    await sender.round();
    await sender.round();
    expect(await log()).toEqual([['alt_1', 'pending', 1, 'The receiver answered 503.']]);
    clock.advance(9_999);
    await sender.round();
    expect(got).toHaveLength(1);
    clock.advance(1);
    await sender.round();
    expect(got).toHaveLength(2);
    for (let hours = 0; hours < 30; hours++) {
      clock.advance(SEND_FOR_MS / 24);
      await sender.round();
    }
    expect((await log())[0]?.slice(0, 2)).toEqual(['alt_1', 'given_up']);
    const tries = got.length;
    await sender.round();
    expect(got).toHaveLength(tries);
  });

  test('a receiver that fails delays its account only, and one alert delays no other', async () => {
    const webhooks = webhooksWith('private');
    await webhooks.set('alice', urlOf('/alice'), 'usr_1');
    await webhooks.set('bob', urlOf('/bob'), 'usr_1');
    let isBroken = true;
    answer = (path) => new Response('', { status: path === '/alice' && isBroken ? 500 : 204 });
    for (const id of ['alt_1', 'alt_2', 'alt_3']) await raise(id);
    await raise('alt_4', 'bob');
    const sender = newSender();
    await sender.round();
    expect(got.map(({ path }) => path).toSorted()).toEqual(['/alice', '/bob']);
    isBroken = false;
    clock.advance(9_000);
    await sender.round();
    expect(got).toHaveLength(2);
    clock.advance(1_000);
    await sender.round();
    // Alerts with the fewest attempts are posted first.
    expect(got.slice(2).map(({ body }) => JSON.parse(body).id)).toEqual([
      ...['alt_2', 'alt_3', 'alt_1'],
    ]);
  });

  test('times out when the receiver hangs, follows no redirect, and reports refusals', async () => {
    const webhooks = webhooksWith('private');
    await webhooks.set('alice', urlOf('/hangs'), 'usr_1');
    const reached = Promise.withResolvers<void>();
    const hang = Promise.withResolvers<Response>();
    answer = () => {
      reached.resolve();
      return hang.promise;
    };
    const sender = newSender();
    const hanging = sender.sendTest('alice', 'usr_1');
    await reached.promise;
    clock.advance(POST_MS);
    expect((await hanging)?.answer).toBe('The receiver did not answer within 10 s.');
    hang.resolve(new Response('too late'));
    answer = () => Response.redirect(urlOf('/elsewhere'), 307);
    expect((await sender.sendTest('alice', 'usr_1'))?.answer).toBe('The receiver answered 307.');
    expect(got.map(({ path }) => path)).toEqual(['/hangs', '/hangs']);
    await webhooks.set('alice', 'http://127.0.0.1:9/', 'usr_1');
    const refused = await sender.sendTest('alice', 'usr_1');
    expect(refused?.answer).toBe('The receiver refused the connection.');
    const otherKey = newSender(webhooksWith('private', 'another console key'));
    expect((await otherKey.sendTest('alice', 'usr_1'))?.answer).toContain('another console key');
  });

  test('waits while webhooks are off, gives up when one is removed, and queues few', async () => {
    const webhooks = webhooksWith('private');
    await webhooks.set('alice', urlOf('/alice'), 'usr_1');
    for (let each = 0; each <= MAX_WAITING; each++) await raise(`alt_${each}`);
    expect(await log()).toHaveLength(MAX_WAITING);
    const off = newSender(webhooksWith('off'));
    await off.round();
    expect(await failureOf(off.sendTest('alice', 'usr_1'))).toMatchObject({ code: 'not_allowed' });
    expect(got).toEqual([]);
    expect(await log()).toHaveLength(MAX_WAITING);
    await webhooks.remove('alice', 'usr_1');
    expect(new Set((await log()).map(([, ...rest]) => rest.join()))).toEqual(
      new Set(['given_up,0,The webhook was removed.']),
    );
    await newSender().round();
    expect(got).toEqual([]);
  });
}
