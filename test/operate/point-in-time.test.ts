/** Tests point-in-time recovery of PostgreSQL, with the settings of docs/operate/backup.md. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { LEASE_MS } from '../../src/ledger/node-lease.ts';
import { eventually } from '../support/eventually.ts';
import { nothingHeld } from '../support/gateways/crash-loop.ts';
import { startNode } from '../support/gateways/gateway-nodes.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { faultsOf, type Invocation } from '../support/history/history.ts';
import {
  type Load,
  mixedClients,
  openClients,
  startLoad,
  tally,
} from '../support/history/history-load.ts';
import { recordsOfServer } from '../support/history/ledger-records.ts';
import { breaches } from '../support/history/ledger-views.ts';
import { printedSeed } from '../support/random.ts';
import { startPacedUpstream } from '../support/upstreams/paced-upstream.ts';
import { ask, CHAT, hello } from '../support/wire.ts';
import { startArchivedServer } from './archived-server.ts';

setDefaultTimeout(180_000);
const SOLD = 60;
const READY_WITHIN_MS = 30_000;

const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

const idsOf = (history: readonly Invocation[]): readonly string[] =>
  history.flatMap(({ end }) => (end.as === 'ok' && end.cost > 0n ? [end.requestId] : []));

test.each([
  ['within its lease', 0],
  ['after its lease', LEASE_MS + 2_000],
] as const)(
  'a recovery to a moment has all receipts until then and none after; a node that ran on %s sells on',
  async (_name, awayMs) => {
    const server = started.use(await startArchivedServer());
    const upstream = await startPacedUpstream();
    started.defer(upstream.stop);
    const config = upstream.config();
    const lost = started.use(await startNode(server.url, { config }));
    const left = started.use(await startNode(server.url, { config }));
    const clients = await mixedClients(lost);
    /** Sends requests that cost money, and waits until all are settled. */
    const sell = async (name: string): Promise<readonly Invocation[]> => {
      const urls = [lost.url, left.url];
      const load = startLoad({ seed: printedSeed(name), clients, urls: () => urls });
      await reaches(load, SOLD);
      const history = await load.stop();
      await nothingHeld(left);
      return history;
    };

    const beforeBackup = await sell('before the base backup');
    server.baseBackup();
    const until = [...beforeBackup, ...(await sell('until the moment'))];
    const [now] = await server.ask('SELECT clock_timestamp()::text AS moment');
    const after = await sell('after the moment');
    const [newcomer] = await openClients(left, { USD: '10' }, 1);
    if (newcomer === undefined) throw new Error('no client');
    const asked = () => ask({ ...left, ...newcomer }, CHAT, hello.chat);
    for (let each = 0; each < 5; each++) expect((await asked()).status).toBe(200);
    const [assigned] = await server.ask('SELECT COUNT(*)::int AS n FROM assignment');
    expect(Number(assigned?.['n'])).toBeGreaterThan(0);
    await server.archived();

    await lost.kill9();
    await server.destroy();
    // This node keeps running while its database is lost. It spends a part of the balance that was
    // assigned to it after the moment to which the database is recovered. So the recovered database
    // does not know this assignment.
    const urls = [left.url];
    const load = startLoad({ seed: printedSeed('meanwhile'), clients, urls: () => urls });
    await asked();
    await Bun.sleep(awayMs);
    await server.recover(String(now?.['moment']));
    const recovered = await recordsOfServer(server.url);
    const booked = new Set(recovered.requests.map(({ requestId }) => requestId));
    expect(idsOf(until).filter((id) => !booked.has(id))).toEqual([]);
    expect(idsOf(after).filter((id) => booked.has(id))).toEqual([]);

    await servesAgain(left);
    const meanwhile = tally(load.history);
    if (awayMs > 0) {
      await eventually('a new lease', left.stderr, (log) =>
        log.includes('the node has a new lease'),
      );
    }
    // The account was created after the moment to which the database was recovered. So it no longer
    // exists, and its requests are refused.
    const { status } = await eventually('an answer', asked, (each) => each.status !== 503);
    expect(status).toBe(401);
    const again = started.use(await startNode(server.url, { config, folder: lost.folder }));
    urls.push(again.url);
    await reaches(load, load.history.length + SOLD);
    const sold = await load.stop();
    await nothingHeld(left);
    expect(await breaches(left)).toEqual([]);
    expect(idsOf(sold).length).toBeGreaterThan(0);
    const records = await recordsOfServer(server.url);
    expect(faultsOf([...until, ...sold], records)).toEqual([]);
    const counts = [until, after, sold].map((each) => idsOf(each).length);
    console.log({ until: counts[0], after: counts[1], sold: counts[2], meanwhile });
  },
);

const reaches = (load: Load, count: number) =>
  eventually(
    'load',
    () => load.history.length,
    (length) => length > count,
    READY_WITHIN_MS,
  );

const servesAgain = ({ url }: GatewayProcess) =>
  eventually(
    'the node is ready',
    () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    READY_WITHIN_MS,
  );
