/** Tests an address with several servers. The link must find the writable server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import postgres from 'postgres';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { failureOf } from '../../ledger/conformance/ledger.fixture.ts';
import { startServer, type TestServer } from '../../ledger/postgres/postgres.fixture.ts';
import {
  isCertainlyUndone,
  isServerTrouble,
  newTimelines,
  PostgresLink,
  type Timelines,
} from './postgres-link.ts';

const SLOW_MS = 180_000;
const ASK_MS = 5_000;
/** An address where no server listens. */
const AWAY = '127.0.0.1:1';

let one: TestServer;
let two: TestServer;

beforeAll(async () => {
  [one, two] = await Promise.all([startServer(), startServer()]);
}, SLOW_MS);
afterAll(() => {
  for (const server of [one, two]) server.stop();
});

const addressOf = ({ host, port }: TestServer): string => `${host}:${port}`;

function linkTo(...servers: readonly string[]): PostgresLink {
  const url = new Secret(`postgres://postgres:hush@${servers.join(',')}/postgres`);
  return new PostgresLink({ url, clock: systemClock, statementMs: 0, lockMs: 0 });
}

function linkWith(timelines: Timelines): PostgresLink {
  const url = new Secret(`postgres://postgres@${addressOf(one)},${addressOf(two)}/postgres`);
  const times = { clock: systemClock, statementMs: 0, lockMs: 0 };
  return new PostgresLink({ url, timelines, ...times });
}

async function portOf(link: PostgresLink): Promise<number> {
  const [row] = await link.ask(ASK_MS, (client) => client.unsafe<{ port: string }[]>('SHOW port'));
  return Number(row?.port);
}

/** Makes a server refuse writes, as a standby does, or accept them. */
async function setStandby(server: TestServer, isStandby: boolean): Promise<void> {
  const sql = postgres(server.urlOf('postgres'), { max: 1 });
  await sql.unsafe('SET default_transaction_read_only = off');
  await sql.unsafe(
    `ALTER DATABASE postgres SET default_transaction_read_only = ${isStandby ? 'on' : 'off'}`,
  );
  await sql.end();
}

async function endConnections(server: TestServer): Promise<void> {
  const sql = postgres(server.urlOf('template1'), { max: 1 });
  await sql.unsafe(
    `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
     WHERE application_name = 'modelgate'`,
  );
  await sql.end();
}

describe('several servers', () => {
  test(
    'the first question finds the one that can be written',
    async () => {
      await setStandby(one, true);
      const link = linkTo(AWAY, addressOf(one), addressOf(two));
      expect(await portOf(link)).toBe(two.port);
      await link.close();
      await setStandby(one, false);
    },
    SLOW_MS,
  );

  test(
    'after a fail-over, the next question goes to the new primary, not to the old one',
    async () => {
      await setStandby(two, true);
      const link = linkTo(addressOf(one), addressOf(two));
      expect(await portOf(link)).toBe(one.port);
      // The servers swap their roles. The old primary restarts as a standby at the same address.
      await setStandby(one, true);
      await setStandby(two, false);
      await endConnections(one);
      // The first query may still use the closed connection and fail. The test then repeats it.
      const found = await portOf(link).catch(() => portOf(link));
      expect(found).toBe(two.port);
      await link.close();
      await setStandby(one, false);
    },
    SLOW_MS,
  );

  test(
    'a server that refuses a write is left, and the write had no effect',
    async () => {
      const link = linkTo(addressOf(one), addressOf(two));
      expect(await portOf(link)).toBe(one.port);
      const refused = await failureOf(
        link.ask(ASK_MS, async (client) => {
          await client.unsafe('SET default_transaction_read_only = on');
          await client.unsafe('CREATE TABLE never (id INT)');
        }),
      );
      expect([isServerTrouble(refused), isCertainlyUndone(refused)]).toEqual([true, true]);
      expect(await portOf(link)).toBe(two.port);
      await link.close();
    },
    SLOW_MS,
  );

  test(
    'all connections leave an old primary once one of them has found the new one',
    async () => {
      const timelines = newTimelines();
      const links = [linkWith(timelines), linkWith(timelines)];
      for (const link of links) expect(await portOf(link)).toBe(one.port);
      expect(timelines.newest).toBe('00000001');
      // Simulates that another connection has found the new primary after a failover.
      timelines.newest = '00000002';
      for (const link of links) {
        const failure = await failureOf(portOf(link));
        expect(failure).toMatchObject({ name: 'NoPrimary', isStandby: true });
        expect(String(failure)).toContain('was replaced as the primary (timeline 00000001)');
        await link.close();
      }
    },
    SLOW_MS,
  );

  test(
    'no primary: each server is named with its reason, the question is never sent',
    async () => {
      await setStandby(one, true);
      const link = linkTo(AWAY, addressOf(one));
      const failure = await failureOf(portOf(link));
      expect(failure).toMatchObject({ name: 'NoPrimary' });
      expect(isServerTrouble(failure) && isCertainlyUndone(failure)).toBe(true);
      expect(String(failure)).toContain(`${AWAY}: `);
      expect(String(failure)).toContain(`${addressOf(one)}: the server is a standby`);
      expect(String(failure)).not.toContain('hush');
      await setStandby(one, false);
      expect(await portOf(link)).toBe(one.port);
      await link.close();
    },
    SLOW_MS,
  );

  test(
    'a server that accepts connections and is silent takes only its part of the time',
    async () => {
      let connections = 0;
      const silent = createServer(() => {
        connections += 1;
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      silent.listen(0, '127.0.0.1', resolve);
      await promise;
      const address = silent.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const link = linkTo(`127.0.0.1:${port}`, addressOf(two));
      const [row] = await link.ask(ASK_MS, (client) => client.unsafe('SHOW port'));
      expect(row?.['port']).toBe(String(two.port));
      await link.close();
      // The link does not reconnect after it was closed.
      await systemClock.sleep(300);
      expect(connections).toBe(1);
      silent.close();
    },
    SLOW_MS,
  );
});
