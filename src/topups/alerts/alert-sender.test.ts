import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { Secret } from '../../config/secret.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { Egress } from '../../upstreams/egress.ts';
import { AlertOutbox, alertOf, SEND_FOR_MS } from './alert-outbox.ts';
import { AlertSender } from './alert-sender.ts';
import { SIGNATURE_HEADER } from './signature.ts';

/**
 * The timeout of a test. The first test that needs PostgreSQL also waits for the start of the
 * server.
 */
const SERVER_START_MS = 180_000;
const SECRET = new Secret('shared with the receiver');
afterAll(removeFiles);

/** The maximum age of a signature that a receiver accepts. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Returns whether the header contains a recent signature of this body. A receiver checks it the
 * same way.
 */
function verifyAlert(secret: Secret, body: string, header: string | null, nowMs: number): boolean {
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (time === undefined || hex === undefined) return false;
  if (Math.abs(nowMs - Number(time) * 1000) > TOLERANCE_MS) return false;
  const expected = createHmac('sha256', secret.reveal()).update(`${time}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'));
}

/** A webhook receiver that records deliveries and returns the responses that the test sets. */
class Receiver {
  readonly got: { readonly body: string; readonly signature: string | null }[] = [];
  answer: () => Response | Promise<Response> = () => new Response('ok');
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const signature = request.headers.get(SIGNATURE_HEADER);
      this.got.push({ body: await request.text(), signature });
      return await this.answer();
    },
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/hook`;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }
}

let receiver: Receiver;
let clock: ManualClock;
let database: Database;
let outbox: AlertOutbox;
let senders: AlertSender[];
let failures: string[];
let givenUp: string[];

/** @param resolved the address to which the receiver's host name resolves. */
function newSender(resolved = '93.184.216.34', allowPrivate = false): AlertSender {
  const egress = new Egress({
    name: 'alerts.webhook_url',
    baseUrl: 'https://hooks.example/alerts',
    allowPrivate,
    isProxied: false,
    clock,
    resolve: async () => [resolved],
  });
  const sender = new AlertSender({
    outbox,
    clock,
    webhook: { url: receiver.url, secret: SECRET, egress },
    keptMs: () => 30 * SEND_FOR_MS,
    onFailure: (what, cause) => failures.push(`${what}: ${cause}`),
    onGivenUp: (body) => givenUp.push(body),
  });
  senders.push(sender);
  return sender;
}

async function add(id: string, atMs = clock.nowMs()): Promise<void> {
  await outbox.add(alertOf(id, { type: 'balance.low', account_id: 'alice' }, atMs));
}
const states = async () =>
  (await database.sql.query({ sql: 'SELECT state FROM alert ORDER BY id', params: [] })).map(
    ({ state }) => state,
  );

const engines = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};
for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    beforeEach(async () => {
      receiver = new Receiver();
      clock = manualClock();
      database = await open();
      outbox = new AlertOutbox(database.sql);
      [senders, failures, givenUp] = [[], [], []];
    }, SERVER_START_MS);
    afterEach(async () => {
      for (const sender of senders) await sender.stop();
      await receiver.stop();
      await database.close();
    });
    delivering();
    failing();
  });
}

function delivering(): void {
  test('posts an alert once, signed over its exact bytes', async () => {
    await add('alt_1');
    await add('alt_1');
    await Promise.all(Array.from({ length: 5 }, () => newSender().round()));
    expect(receiver.got.length).toBe(1);
    const { body = '', signature = null } = receiver.got[0] ?? {};
    const created = new Date(clock.nowMs()).toISOString();
    expect(JSON.parse(body)).toEqual({
      ...{ id: 'alt_1', type: 'balance.low', account_id: 'alice', created },
    });
    const nowMs = clock.nowMs();
    expect(verifyAlert(SECRET, body, signature, nowMs)).toBe(true);
    expect(verifyAlert(SECRET, `${body} `, signature, nowMs)).toBe(false);
    expect(verifyAlert(new Secret('another'), body, signature, nowMs)).toBe(false);
    expect(verifyAlert(SECRET, body, signature, nowMs + TOLERANCE_MS + 1000)).toBe(false);
    expect(verifyAlert(SECRET, body, null, nowMs)).toBe(false);
    expect(await states()).toEqual(['delivered']);
  });

  test('sends several batches in a round, and deletes old alerts', async () => {
    for (let each = 0; each < 20; each++) await add(`alt_${each}`);
    await newSender().round();
    expect(new Set(receiver.got.map(({ body }) => JSON.parse(body).id)).size).toBe(20);
    await outbox.forget(clock.nowMs() + 1);
    expect(await states()).toEqual([]);
  });

  test('keeps alerts for the longest month, even if the retention is 30 days', async () => {
    for (const days of [30.9, 31.1]) await add(`alt_${days}`, clock.nowMs() - days * SEND_FOR_MS);
    const sender = newSender();
    clock.advance(60_000);
    await sender.stop();
    const rows = await database.sql.query({ sql: 'SELECT id FROM alert', params: [] });
    expect(rows).toEqual([{ id: 'alt_30.9' }]);
  });
}

function failing(): void {
  test('retries a refused alert at growing intervals, on any node', async () => {
    receiver.answer = () => new Response('no', { status: 500 });
    await add('alt_1');
    const first = newSender();
    await first.round();
    await first.round();
    expect(receiver.got.length).toBe(1);
    expect(failures[0]).toContain('the receiver returned 500');
    await first.stop();
    receiver.answer = () => new Response('ok');
    // Simulates a new process that starts after the first sender has stopped.
    const second = newSender();
    clock.advance(9_000);
    await second.round();
    expect(receiver.got.length).toBe(1);
    clock.advance(1_000);
    await second.round();
    expect([receiver.got.length, await states()]).toEqual([2, ['delivered']]);
  });

  test('does not follow a redirect', async () => {
    const elsewhere = new Receiver();
    receiver.answer = () => Response.redirect(elsewhere.url, 307);
    await add('alt_1');
    await newSender().round();
    expect([receiver.got.length, elsewhere.got.length]).toEqual([1, 0]);
    expect(await states()).toEqual(['pending']);
    await elsewhere.stop();
  });

  test('times out when the receiver hangs', async () => {
    const reached = Promise.withResolvers<void>();
    const hang = Promise.withResolvers<Response>();
    receiver.answer = () => {
      reached.resolve();
      return hang.promise;
    };
    await add('alt_1');
    const round = newSender().round();
    await reached.promise;
    clock.advance(10_000);
    await round;
    expect([failures.length, await states()]).toEqual([1, ['pending']]);
    hang.resolve(new Response('too late'));
  });

  test('gives up after a day, and reports it', async () => {
    receiver.answer = () => new Response('no', { status: 404 });
    await add('alt_1');
    const sender = newSender();
    for (let hours = 0; hours < 30; hours++) {
      await sender.round();
      clock.advance(SEND_FOR_MS / 24);
    }
    expect(await states()).toEqual(['given_up']);
    expect(givenUp.map((body) => JSON.parse(body).id)).toEqual(['alt_1']);
    const tries = receiver.got.length;
    await sender.round();
    expect(receiver.got.length).toBe(tries);
  });

  test('does not post alerts from before the webhook was set, if they are a day old', async () => {
    await add('alt_1');
    clock.advance(SEND_FOR_MS - 1);
    await add('alt_2');
    clock.advance(1);
    await newSender().round();
    expect(receiver.got.map(({ body }) => JSON.parse(body).id)).toEqual(['alt_2']);
  });

  test('refuses a host name that resolves to a private address unless it is allowed', async () => {
    await add('alt_1');
    const refusing = newSender('10.0.0.8');
    await refusing.round();
    await refusing.stop();
    expect(receiver.got).toEqual([]);
    expect(failures[0]).toContain('alerts.webhook_url: hooks.example resolves to 10.0.0.8');
    expect(failures[0]).toContain('allow_private');
    clock.advance(10_000);
    await newSender('10.0.0.8', true).round();
    expect(receiver.got.length).toBe(1);
  });
}
