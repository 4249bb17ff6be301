import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import type { Letter } from './letter.ts';
import { MailOutbox, RESEND_FOR_MS } from './mail-outbox.ts';
import { MailSender, SEND_FOR_MS } from './mail-sender.ts';
import { plainTextOf, TestMailServer } from './mail-server.fixture.ts';
import { DEADLINE_MS, type MailServer, smtp } from './smtp.ts';

/**
 * The timeout of a test. It is long because the first test that needs PostgreSQL also starts the
 * server.
 */
const SERVER_START_MS = 180_000;
const ALL = { state: null, accountId: null };
const PAGE = { limit: 100, after: null };
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
afterAll(removeFiles);

let mailServer: TestMailServer;
let clock: ManualClock;
let database: Database;
let outbox: MailOutbox;
let senders: MailSender[];
let failures: string[];
let settings: MailServer | null;

const outboxOf = (secret = 'the console key'): MailOutbox =>
  new MailOutbox(database.sql, clock, new Secret(secret), () => KEPT_MS);

function newSender(of = outbox): MailSender {
  const sender = new MailSender({
    outbox: of,
    clock,
    send: smtp(clock),
    server: () => settings,
    fromName: () => 'Models & Co',
    onFailure: (what, cause) => failures.push(`${what}: ${cause}`),
  });
  senders.push(sender);
  return sender;
}

/**
 * Runs the sender twice. If a timer has already started a round of sending, the first call only
 * waits for that round.
 */
async function twoRounds(sender: MailSender): Promise<void> {
  await sender.round();
  await sender.round();
}

const letterTo = (to: string): Letter => ({
  kind: 'invitation',
  to,
  accountId: 'alice',
  subject: '邀请 / Invitation',
  text: 'Your link: https://gateway/console#token=abc\n',
  html: '<p>Your link</p>',
});
const log = async () =>
  (await outbox.list(ALL, PAGE)).items.map(({ to, state, attempts }) => [to, state, attempts]);

const engines = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};
for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    beforeEach(async () => {
      mailServer = await TestMailServer.open();
      clock = manualClock();
      database = await open();
      [senders, failures] = [[], []];
      outbox = outboxOf();
      settings = {
        ...{ host: '127.0.0.1', port: mailServer.port, tls: 'none' },
        ...{ user: 'gateway', password: new Secret('secret of mail') },
        ...{ from: 'gateway@example.com', reply_to: 'help@example.com' },
      };
    }, SERVER_START_MS);
    afterEach(async () => {
      for (const sender of senders) await sender.stop();
      await mailServer.close();
      await database.close();
    });
    delivering();
    failing();
  });
}

function delivering(): void {
  test('sends a letter once from several nodes, and then keeps no text of it', async () => {
    await outbox.add(letterTo('ada@example.com'));
    await Promise.all([newSender().round(), newSender().round(), newSender().round()]);
    const { text } = await mailServer.letterTo('ada@example.com');
    expect(mailServer.received).toHaveLength(1);
    expect(text).toContain('From: "Models & Co" <gateway@example.com>');
    expect(text).toContain('Reply-To: help@example.com');
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(plainTextOf({ to: '', text })).toContain('https://gateway/console#token=abc');
    const [row] = await database.sql.query({ sql: 'SELECT * FROM mail', params: [] });
    expect(row).toMatchObject({ state: 'sent', sealed: null });
    expect(String(row?.['answer'])).toStartWith('250');
  });

  test('stores a waiting letter encrypted, and one per event', async () => {
    expect(await outbox.add(letterTo('ada@example.com'), { event: 'e1' })).not.toBeNull();
    expect(await outbox.add(letterTo('ada@example.com'), { event: 'e1' })).toBeNull();
    const [row] = await database.sql.query({ sql: 'SELECT sealed FROM mail', params: [] });
    const sealed = row?.['sealed'];
    if (!(sealed instanceof Uint8Array)) throw new Error('nothing is sealed');
    expect(Buffer.from(sealed).includes('token=abc')).toBe(false);
  });

  test('reports a letter that another console key encrypted', async () => {
    await outboxOf('another key').add(letterTo('ada@example.com'));
    await newSender().round();
    expect(await log()).toEqual([['ada@example.com', 'failed', 1]]);
  });

  test('waits while email is off, and deletes old rows', async () => {
    const server = settings;
    settings = null;
    const sender = newSender();
    await outbox.add(letterTo('ada@example.com'));
    await sender.round();
    expect(await log()).toEqual([['ada@example.com', 'queued', 0]]);
    settings = server;
    await sender.round();
    expect(await log()).toEqual([['ada@example.com', 'sent', 1]]);
    clock.advance(KEPT_MS + 1);
    await outbox.forget();
    expect(await log()).toEqual([]);
  });
}

function failing(): void {
  test('retries a letter that the server cannot take now, and shows its words', async () => {
    mailServer.behavior = { code: 451, words: 'greylisted, come back later' };
    await outbox.add(letterTo('ada@example.com'));
    const sender = newSender();
    await sender.round();
    await sender.round();
    const { items } = await outbox.list(ALL, PAGE);
    expect(items).toMatchObject([{ state: 'queued', attempts: 1 }]);
    expect(items[0]?.answer).toContain('greylisted, come back later');
    mailServer.behavior = 'accept';
    clock.advance(30_000);
    await twoRounds(sender);
    expect(await log()).toEqual([['ada@example.com', 'sent', 2]]);
  });

  test('gives up at once on a refused recipient, and after a day on a server that is away', async () => {
    mailServer.behavior = { code: 550, words: 'no such mailbox' };
    await outbox.add(letterTo('nobody@example.com'));
    const sender = newSender();
    await sender.round();
    expect(await log()).toEqual([['nobody@example.com', 'failed', 1]]);
    expect(JSON.stringify(failures)).not.toContain('token=abc');
    const isKept = async () => (await outbox.list(ALL, PAGE)).items.map((it) => it.isResendable);
    expect(await isKept()).toEqual([true]);
    clock.advance(RESEND_FOR_MS + 1);
    await twoRounds(sender);
    await outbox.forget();
    expect(await isKept()).toEqual([false]);
    settings = settings === null ? null : { ...settings, password: new Secret('wrong') };
    await outbox.add(letterTo('ada@example.com'));
    await sender.round();
    expect((await outbox.list({ ...ALL, state: 'queued' }, PAGE)).items).toHaveLength(1);
    clock.advance(SEND_FOR_MS);
    await twoRounds(sender);
    const { items } = await outbox.list({ ...ALL, state: 'failed' }, PAGE);
    const last = items.find(({ to }) => to === 'ada@example.com');
    expect(last?.answer).toContain('535');
  });

  test('ends an attempt at a server that hangs, and tries it again', async () => {
    mailServer.behavior = 'hang';
    await outbox.add(letterTo('ada@example.com'));
    const sender = newSender();
    const round = sender.round();
    await mailServer.hanging;
    clock.advance(DEADLINE_MS);
    await round;
    const { items } = await outbox.list(ALL, PAGE);
    expect(items).toMatchObject([{ state: 'queued', attempts: 1 }]);
    expect(items[0]?.answer).toBe('The mail server did not complete the delivery within 20 s.');
    mailServer.behavior = 'accept';
    clock.advance(30_000);
    await twoRounds(sender);
    expect(await log()).toEqual([['ada@example.com', 'sent', 2]]);
  });
}
