import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import { runCli } from './cli.ts';

const HEALTHY = {
  model: 'gen-x',
  channel: 'direct',
  upstream: 'one',
  upstream_model: 'x-1',
  weight: 1,
  priority: 1,
  out_of_service: null,
  standing: 'closed',
  since: null,
  retry_in_ms: 0,
  in_flight: 3,
  ended: 1000,
  success_rate: 0.998,
  first_byte_ms: { p50: 420, p95: 1310 },
  last_failure: null,
};
const SICK = {
  ...HEALTHY,
  upstream: 'two',
  standing: 'open',
  since: '2026-11-21T12:00:00.000Z',
  retry_in_ms: 3_100,
  in_flight: 0,
  success_rate: null,
  first_byte_ms: null,
  last_failure: {
    code: 'upstream_refused_us',
    cause: `upstream "x": it refused our key ${'.'.repeat(500)}`,
    at: '2026-11-21T11:59:59.000Z',
  },
};

async function run(...argv: string[]) {
  let out = '';
  const asked: string[] = [];
  const unused = () => Promise.reject(new Error('not called'));
  const exit = await runCli(
    argv,
    {
      stdout: (text) => {
        out += text;
      },
      stderr: (text) => {
        throw new Error(text);
      },
    },
    {
      clock: manualClock(),
      version: '1.2.3',
      fetch: async ({ method, url }) => {
        asked.push(`${method} ${url}`);
        return Response.json({ data: [HEALTHY, SICK] });
      },
      settings: async () => ({
        baseUrl: 'http://gate',
        dataDir: '/nowhere',
        adminToken: new Secret('admin'),
      }),
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    },
  );
  return { exit, out, asked };
}

test('upstream list shows a row for every route', async () => {
  const { exit, out, asked } = await run('upstream', 'list');
  expect([exit, asked]).toEqual([0, ['GET http://gate/admin/v1/routes']]);
  const [header, one, two] = out.split('\n').map((line) => line.split(/ {2,}/));
  expect(header).toEqual([
    'MODEL',
    'CHANNEL',
    'UPSTREAM',
    'UPSTREAM MODEL',
    'PRIORITY',
    'STANDING',
    'IN FLIGHT',
    'SUCCESS',
    'P50',
    'P95',
    'LAST FAILURE',
  ]);
  expect(one?.slice(2)).toEqual([
    ...['one', 'x-1', '1', 'closed', '3', '99.8%', '420 ms', '1310 ms', '-'],
  ]);
  expect(two?.slice(5, 10)).toEqual([
    'open since 2026-11-21T12:00:00.000Z, 4 s left',
    '0',
    '-',
    '-',
    '-',
  ]);
  expect(two?.[10]).toStartWith(
    '2026-11-21T11:59:59.000Z upstream_refused_us: it refused our key ...',
  );
  expect((two?.[10] ?? '').length).toBeLessThan(150);
});

test('upstream list --json prints the answer of the server', async () => {
  expect(JSON.parse((await run('upstream', 'list', '--json')).out).data).toEqual([HEALTHY, SICK]);
});
