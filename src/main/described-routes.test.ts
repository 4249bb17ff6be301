/** Tests the entry of every registered route in `/openapi.json`. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Route } from '../http/edge/route.ts';
import { newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';
import { openApiTextOf } from './routes/other-routes.ts';

type Operation = {
  readonly name: string;
  readonly id: unknown;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly headers: readonly string[];
  readonly schemas: readonly Readonly<Record<string, unknown>>[];
};

let gateway: Gateway;
let operations: readonly Operation[];
let document: { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } };

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  const answer = await gateway.edge.fetch(new Request('http://gateway/openapi.json'));
  const { paths, ...rest } = await answer.json();
  document = rest;
  operations = Object.entries(Object(paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) =>
      operationOf(`${method.toUpperCase()} ${path}`, Object(operation)),
    ),
  );
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

function operationOf(name: string, described: Readonly<Record<string, unknown>>): Operation {
  const { default: _error, ...success } = Object(described['responses']);
  const parameters: readonly { readonly name: string; readonly in: string }[] = Object(
    described['parameters'] ?? [],
  );
  return {
    name,
    id: described['operationId'],
    security: Object(described['security']),
    headers: parameters.filter((it) => it.in === 'header').map((it) => it.name),
    schemas: Object.values(success).flatMap((answer) => {
      const json = Object(Object(answer).content)['application/json'];
      return json === undefined ? [] : [json.schema];
    }),
  };
}

test('names every operation once, even in languages without capital letters in names', () => {
  const ids = operations.map(({ id }) => String(id).toLowerCase());
  expect(new Set(ids).size).toBe(operations.length);
});

test('describes the fields of every JSON answer', () => {
  const vague = operations.filter(({ schemas }) =>
    schemas.some((schema) => schema['properties'] === undefined && schema['$ref'] === undefined),
  );
  expect(vague.map(({ name }) => name)).toEqual([]);
  expect(operations.length).toBeGreaterThan(80);
});

test('defines every named schema that is used', () => {
  const text = JSON.stringify(operations) + JSON.stringify(document);
  const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(used.filter((name) => document.components.schemas[name ?? ''] === undefined)).toEqual([]);
  expect(text).not.toContain('#/$defs/');
  for (const name of ['Key', 'Account', 'Wallet', 'RequestRecord', 'CostDetails', 'Movement']) {
    expect(used).toContain(name);
  }
});

test('every POST of people and administrators accepts an Idempotency-Key', () => {
  const posts = operations.filter(
    ({ name, security }) =>
      name.startsWith('POST ') && security.some((scheme) => 'session' in scheme),
  );
  expect(posts.length).toBeGreaterThan(15);
  const without = posts.filter(({ headers }) => !headers.includes('Idempotency-Key'));
  expect(without.map(({ name }) => name)).toEqual([]);
});

test('clients can be generated: lists have items, and no two types get the same name', () => {
  const empty: string[] = [];
  const inspect = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items, prefixItems, properties } = Object(value);
    if (type === 'array' && items === undefined && prefixItems === undefined) empty.push(place);
    if (Array.isArray(prefixItems) && prefixItems.length === 0) empty.push(place);
    for (const [key, inner] of Object.entries(properties ?? value)) {
      inspect(inner, `${place}/${key}`);
    }
  };
  inspect(operations, 'operations');
  inspect(document.components.schemas, 'schemas');
  expect(empty).toEqual([]);
  // Generators call the type of an inner object after its component and its field.
  const inner = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    Object.entries(Object(Object(schema).properties))
      .filter(([, field]) => Object(field).type === 'object')
      .map(([field]) => `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`),
  );
  expect(inner.filter((name) => document.components.schemas[name] !== undefined)).toEqual([]);
  // Generated clients have a type of this name themselves.
  expect(document.components.schemas['Response']).toBeUndefined();
});

test('is made again only after the settings changed which routes need no key', () => {
  let reads = 0;
  let isOpen = false;
  const route: Route = {
    ...{ method: 'GET', path: '/v1/things', auth: 'key', scope: 'usage', dialect: 'openai' },
    isOpen: () => isOpen,
    get doc() {
      reads += 1;
      return { summary: 'Things', tag: 'catalogue' } as const;
    },
    handle: async () => new Response(),
  };
  const text = openApiTextOf([route], { publicUrl: 'http://gateway', version: '1' });
  const closed = text();
  const before = reads;
  expect([text(), reads]).toEqual([closed, before]);
  isOpen = true;
  expect(text()).not.toBe(closed);
});
