/** Tests how the routes are divided into those loaded at the start and those loaded on demand. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { Hono } from 'hono';
import { nextTurn } from '../../clock.ts';
import type { Route } from '../../http/edge/route.ts';
import {
  ADMIN_TOKEN,
  depsOn,
  newFolder,
  openTestGateway,
  removeFolders,
} from '../gateway.fixture.ts';
import { closeRooms, openRooms, type Rooms } from '../rooms.ts';
import { type Routes, routesOf } from './routes.ts';

setDefaultTimeout(180_000);

let rooms: Rooms;
let routes: Routes;
let others: readonly Route[];
beforeAll(async () => {
  rooms = await openRooms(depsOn({ path: null, env: { MODELGATE_DATA_DIR: newFolder() } }));
  routes = routesOf(rooms.deps, rooms, () => true);
  others = await routes.others();
});
afterAll(async () => {
  await closeRooms(rooms);
  removeFolders();
});

/** Returns a path that the route matches. */
const sample = ({ path }: Route): string =>
  path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'x').replace(/\*$/, 'x/y');

test('no path of a route that is loaded later matches one that is there from the start', async () => {
  const first = new Hono();
  for (const { path } of routes.first) first.all(path, ({ text }) => text(path));
  first.notFound(({ text }) => text('none'));
  const found = await Promise.all(
    others.map(async (route) => [route.path, await (await first.request(sample(route))).text()]),
  );
  expect(found.filter(([, path]) => path !== 'none')).toEqual([]);
  expect(others.length).toBeGreaterThan(100);
});

test('the routes of inference and of probes are there from the start', () => {
  const paths = routes.first.map(({ method, path }) => `${method} ${path}`);
  const needed = ['POST /v1/chat/completions', 'POST /v1/messages', 'GET /healthz', 'GET /readyz'];
  expect(paths).toEqual(expect.arrayContaining(needed));
  expect(others.filter(({ endpoint, auth }) => endpoint !== undefined && auth === 'key')).toEqual(
    [],
  );
});

test('changes are safe to repeat wherever they are: none is there from the start', () => {
  const changes = routes.first.filter(
    ({ method, auth }) => method !== 'GET' && (auth === 'session' || auth === 'admin'),
  );
  expect(changes).toEqual([]);
});

test('requests at the same time get the same routes', async () => {
  const again = await Promise.all([routes.others(), routes.others()]);
  expect(again.map((list) => list === others)).toEqual([true, true]);
});

test('requests are served while routes are loaded', async () => {
  let turns = 0;
  let isLoaded = false;
  const loading = routesOf(rooms.deps, rooms, () => true)
    .others()
    .finally(() => {
      isLoaded = true;
    });
  while (!isLoaded) {
    await nextTurn();
    turns += 1;
  }
  await loading;
  expect(turns).toBeGreaterThan(10);
});

test('the first requests at the same time are all answered, also by routes that are loaded then', async () => {
  const gateway = await openTestGateway(newFolder());
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const paths = ['/admin/v1/accounts', '/admin/v1/keys', '/openapi.json', '/llms.txt', '/nothing'];
  const statuses = await Promise.all(
    paths.map(
      async (path) =>
        (await gateway.edge.fetch(new Request(`http://gateway${path}`, { headers }))).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 200, 200, 404]);
  await gateway.close();
});
