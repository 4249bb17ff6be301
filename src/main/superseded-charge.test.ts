/**
 * Tests on PostgreSQL that a request whose node lost its lease, and a repeat of it on another node,
 * are never both charged.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../../test/support/upstreams/scripted-upstream.ts';
import { systemClock } from '../clock.ts';
import type { Database } from '../ledger/database.ts';
import { newTestDatabase, openTestUrl } from '../ledger/postgres/postgres.fixture.ts';
import { DAY_MS } from '../money/calendar.ts';
import { statement } from '../store/sql.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

/** Heartbeats take a new lease, resolve holds and send what waits on disk, each within seconds. */
const PATIENCE_MS = 30_000;
const TEST_MS = 180_000;

type Node = { readonly gateway: Gateway; readonly folder: string };

let upstream: ScriptedUpstream;
let store: Database;
let url: string;
let nodes: readonly [Node, Node];
let apiKey: string;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  url = await newTestDatabase();
  store = await openTestUrl(url);
  const first = await openNode(url);
  apiKey = first.gateway.firstStart?.key.reveal() ?? '';
  nodes = [first, await openNode(url)];
  const visit = new Visit(first.gateway);
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}`, 'idempotency-key': 'funds' };
  const [account] = (await visit.send('GET /admin/v1/accounts', null, admin)).body.data;
  const funds = { amount: '1', currency: 'USD', reason: 'paid' };
  await visit.send(`POST /admin/v1/accounts/${account.id}/credits`, funds, admin);
}, TEST_MS);
afterAll(async () => {
  for (const { gateway } of nodes) await gateway.close();
  await store.close();
  upstream.stop();
  removeFolders();
}, TEST_MS);

async function openNode(url: string, clock = systemClock): Promise<Node> {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, upstream.config());
  const env = {
    MODELGATE_DATA_DIR: folder,
    MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    MODELGATE_DATABASE: url,
  };
  return { gateway: await openGateway({ ...depsOn({ path, env }), clock }), folder };
}

const ask = ({ gateway }: Node, key: string | null): Promise<Answer> =>
  new Visit(gateway).send(
    'POST /v2/chat/completions',
    { model: 'scripted-chat', messages: [{ role: 'user', content: 'Hello' }] },
    { authorization: `Bearer ${apiKey}`, ...(key !== null && { 'idempotency-key': key }) },
  );

const completion = (): Response =>
  Response.json({
    id: 'chatcmpl-up',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'upstream-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });

/** Sends a request to the first node, whose lease ends before the upstream answers. */
async function askThenLoseLease(key: string) {
  upstream.script(completion);
  const sells = async (): Promise<boolean> => (await ask(nodes[0], null)).status === 200;
  await eventually('the node has a lease', sells, (isSold) => isSold, PATIENCE_MS);
  const before = await charged();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const callsBefore = upstream.calls.length;
  upstream.script(async () => {
    await released;
    return completion();
  });
  const answer = ask(nodes[0], key);
  await eventually(
    'the upstream is called',
    () => upstream.calls.length,
    (calls) => calls > callsBefore,
  );
  upstream.script(completion);
  // The lease ended so long ago that the key is no longer in doubt.
  await store.sql.query({
    sql: `UPDATE node SET lease_until_ms = 0
          WHERE epoch = (SELECT epoch FROM idempotency WHERE state = 'running') RETURNING epoch`,
    params: [],
  });
  await eventually('the node has another lease', liveNodes, (live) => live === 2, PATIENCE_MS);
  return { before, answer, release };
}

async function liveNodes(): Promise<number> {
  const rows = await store.sql.query({
    sql: 'SELECT epoch FROM node WHERE lease_until_ms > books_now_ms()',
    params: [],
  });
  return rows.length;
}

/** Returns the ids of all charged requests, of each as often as it was charged. */
const charged = async (): Promise<readonly string[]> => {
  const rows = await store.sql.query({
    sql: `SELECT request_id FROM receipt WHERE charge > 0
          UNION ALL SELECT request_id FROM late_receipt WHERE charge > 0`,
    params: [],
  });
  return rows.map(({ request_id }) => String(request_id));
};

const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? '';

function spooled({ folder }: Node): readonly (string | null)[] {
  const file = new SqliteFile(join(folder, 'spool.db'), { readonly: true });
  const rows = file.query<{ refused: string | null }, []>('SELECT refused FROM spooled').all();
  file.close();
  return rows.map(({ refused }) => refused);
}

test(
  'a charge that arrives after the lease of its node is booked, if no repeat ran',
  async () => {
    const { before, answer, release } = await askThenLoseLease('alone');
    release();
    const first = await answer;
    expect(first.status).toBe(200);
    const isBooked = (ids: readonly string[]): boolean => ids.length > before.length;
    await eventually('it is charged', charged, isBooked, PATIENCE_MS);
    expect((await ask(nodes[1], 'alone')).headers.get('idempotency-replayed')).toBe('true');
    await eventually(
      'nothing waits',
      () => spooled(nodes[0]),
      ({ length }) => length === 0,
    );
    expect((await charged()).toSorted()).toEqual([...before, idOf(first)].toSorted());
  },
  TEST_MS,
);

test(
  'a charge that arrives after a repeat was charged is refused, and stays on disk',
  async () => {
    const { before, answer, release } = await askThenLoseLease('repeated');
    const isOver = ({ status }: Answer): boolean => status !== 409;
    const asking = (): Promise<Answer> => ask(nodes[1], 'repeated');
    const repeat = await eventually('the repeat runs', asking, isOver, PATIENCE_MS);
    expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([200, null]);
    release();
    expect((await answer).status).toBe(200);
    const isSent = (rows: readonly (string | null)[]): boolean => !rows.includes(null);
    const left = await eventually('it is sent', () => spooled(nodes[0]), isSent, PATIENCE_MS);
    expect((await charged()).toSorted()).toEqual([...before, idOf(repeat)].toSorted());
    expect(left).toEqual([expect.stringContaining('Idempotency-Key was released')]);
  },
  TEST_MS,
);

test(
  'a node whose clock is two days ahead repeats no running request, and knows that others run',
  async () => {
    const keyBefore = await store.sql.query(statement`SELECT fingerprint FROM console_key`);
    const nowMs = (): number => systemClock.nowMs() + 2 * DAY_MS;
    const { gateway, folder } = await openNode(url, { ...systemClock, nowMs });
    // The node has a console key of its own. It would replace the others' key if none were running.
    expect(await store.sql.query(statement`SELECT fingerprint FROM console_key`)).toEqual(
      keyBefore,
    );
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const callsBefore = upstream.calls.length;
    upstream.script(async () => {
      await released;
      return completion();
    });
    const answer = ask(nodes[0], 'ahead');
    await eventually(
      'the upstream is called',
      () => upstream.calls.length,
      (calls) => calls > callsBefore,
    );
    upstream.script(completion);
    const repeat = await ask({ gateway, folder }, 'ahead');
    expect([repeat.status, repeat.body.error?.code]).toEqual([409, 'idempotency_in_progress']);
    release();
    expect((await answer).status).toBe(200);
    await gateway.close();
  },
  TEST_MS,
);
