/** Tests that the mock API returns only responses that the OpenAPI document allows. */
import { beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';
import { apiDocument } from '../console/api-document.ts';
import { type MockRoute, mockAnswer, mockRoutes } from '../console/mock.ts';

let routes: readonly MockRoute[];
beforeAll(async () => {
  routes = mockRoutes(await apiDocument());
});

const ask = (method: string, path: string) =>
  mockAnswer(routes, new Request(`http://mock${path}`, { method }));

/**
 * Returns a validator for a route's response. References to the document's schemas are replaced by
 * references to `$defs`, which contains the schemas here.
 */
function checkOf({ schema }: MockRoute): z.ZodType {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  const { components, ...rest } = JSON.parse(text);
  return z.fromJSONSchema({ ...rest, $defs: components.schemas });
}

test('answers each route of the contract with a valid value, the same each time', async () => {
  const described = routes.filter(({ schema }) => schema !== null);
  expect(described.length).toBeGreaterThan(80);
  for (const route of described) {
    const [, path = ''] = route.name.split(' ');
    const address = path.replace(/\{\w+\}/g, 'x');
    const answer = ask(route.method, address);
    expect([route.name, answer.status]).toEqual([route.name, route.status]);
    const value = await answer.json();
    const check = checkOf(route).safeParse(value);
    expect([route.name, check.success ? null : z.prettifyError(check.error)]).toEqual([
      route.name,
      null,
    ]);
    expect(await ask(route.method, address).json()).toEqual(value);
  }
});

test('lists are not empty, and amounts have the form of amounts', async () => {
  const { data } = await ask('GET', '/console/api/wallets').json();
  expect(data.length).toBeGreaterThan(0);
  expect(data[0].balance).toMatch(/^-?\d+(\.\d+)?$/);
});

test('returns 404 for routes outside of the contract', () => {
  expect(ask('GET', '/console/api/nothing').status).toBe(404);
  expect(ask('DELETE', '/console/api/wallets').status).toBe(404);
});
