/**
 * Tests the HTTP route that drains, disables and enables upstream routes, through the CLI commands
 * that call it.
 */
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { changedFile, settingsOf } from '../config/file.fixture.ts';
import { Secret } from '../config/secret.ts';
import { routeStateRoutes } from '../http/admin/traffic/route-state-routes.ts';
import { edgeOf } from '../http/edge/edge.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { RouteStates } from '../routing/route-states.ts';
import { unreadJournal } from '../telemetry/request-journal.fixture.ts';
import { runCli } from './cli.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const FILE = changedFile(
  '[{ upstream: builtin, model: x }]',
  '[{ upstream: builtin, model: y }, { upstream: builtin, model: z }]',
);

let clock = manualClock(NOON);
let states: RouteStates;
let edge: ReturnType<typeof edgeOf>;
const database = openFile(newFile());

beforeEach(async () => {
  clock = manualClock(NOON);
  const { sql } = await database;
  await sql.query({ sql: 'DELETE FROM route_state', params: [] });
  const unused = () => undefined;
  states = new RouteStates({ sql, clock, onChange: unused, onFailure: unused });
  const catalogue = loadCatalogue(settingsOf(FILE), 0);
  const upstreams = new Map([
    ['builtin', null],
    ['spare', null],
  ]);
  edge = edgeOf(
    routeStateRoutes({ states, catalogue: () => catalogue, upstreams: () => upstreams, clock }),
    { journal: unreadJournal(clock) },
  );
});
afterAll(async () => {
  await (await database).close();
  removeFiles();
});

async function post(body: object, upstream = 'builtin') {
  const request = new Request(`http://gate/admin/v1/upstreams/${upstream}/state`, {
    method: 'POST',
    headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await edge.fetch(request);
  const answer: Awaited<ReturnType<Response['json']>> = await response.json();
  return { status: response.status, body: answer };
}

async function run(...argv: string[]) {
  let [out, err] = ['', ''];
  const unused = () => Promise.reject(new Error('not called'));
  const exit = await runCli(
    ['upstream', ...argv],
    {
      stdout: (text) => {
        out += text;
      },
      stderr: (text) => {
        err += text;
      },
    },
    {
      clock,
      version: '1.2.3',
      fetch: async (request) => await edge.fetch(request),
      settings: async () => ({
        baseUrl: 'http://gate',
        dataDir: '/nowhere',
        adminToken: new Secret('admin'),
      }),
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    },
  );
  return { exit, out, err };
}

const stateOf = (model: string) => states.of({ upstream: 'builtin', model })?.state ?? null;

test('drains one of two routes, for a time, with a reason, and enables it', async () => {
  const drained = await run(
    ...['drain', 'builtin', '--model', 'y', '--for', '90m', '--reason', 'upgrade'],
  );
  expect(drained).toMatchObject({
    exit: 0,
    out: 'The route builtin/y is drained until 2026-11-20T13:30:00.000Z.\n',
  });
  expect(states.of({ upstream: 'builtin', model: 'y' })).toMatchObject({
    ...{ state: 'drained', reason: 'upgrade', setBy: 'admin' },
  });
  expect(stateOf('z')).toBeNull();
  const enabled = await run('enable', 'builtin', '--model', 'y');
  expect(enabled.out).toBe('The route builtin/y is enabled.\n');
  expect(stateOf('y')).toBeNull();
});

test('asks before the last route of a channel goes, and says what stops', async () => {
  await run('disable', 'builtin', '--model', 'y');
  const asked = await run('drain', 'builtin', '--model', 'z');
  expect([asked.exit, stateOf('z')]).toEqual([1, null]);
  expect(asked.err).toContain('No route would be left for gen-x on direct (requests are refused)');
  expect(asked.err).toContain('or add --confirm on the command line');
  const tried = await post({ state: 'drained', model: 'z', dry_run: true });
  expect(tried.body.stops).toEqual([{ model: 'gen-x', channel: 'direct', fallback: null }]);
  expect(stateOf('z')).toBeNull();
  const whole = await run('disable', 'builtin', '--confirm');
  expect(whole.out).toBe('Every route of builtin is disabled.\n');
  expect([stateOf('y'), stateOf('z')]).toEqual(['disabled', 'disabled']);
  // `stops` omits channels that had no usable route even before the call.
  expect((await post({ state: 'drained' })).body.stops).toEqual([]);
  const single = await run('enable', 'builtin', '--model', 'z');
  expect([single.exit, single.err]).toEqual([
    1,
    expect.stringContaining('All routes of builtin are drained.'),
  ]);
});

test('refuses routes that no channel has, and times that cannot be read', async () => {
  expect((await run('drain', 'nobody')).err).toContain('Known upstreams: builtin, spare.');
  expect((await run('drain', 'builtin', '--model', 'w')).err).toContain('No channel has a route');
  for (const time of ['2 weeks', '5', '1ms', '']) {
    expect([time, (await run('drain', 'builtin', `--for=${time}`)).exit]).toEqual([time, 2]);
  }
  expect((await run('drain', 'builtin', '--for', '31d')).err).toContain('for_seconds');
  for (const body of [{}, { state: 'gone' }, { state: 'drained', for_seconds: 0 }]) {
    expect((await post(body)).status).toBe(400);
  }
  // An upstream without routes can be drained too, so that routes added later get no requests.
  expect((await post({ state: 'drained' }, 'spare')).status).toBe(200);
});
