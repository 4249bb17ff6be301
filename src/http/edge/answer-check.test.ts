import { expect, test } from 'bun:test';
import * as z from 'zod';
import { disagreement } from './answer-check.fixture.ts';
import { amount } from './answer-schema.ts';
import type { Route } from './route.ts';

const PART = z.strictObject({ amount }).meta({ id: 'Part' });
const route: Route = {
  method: 'GET',
  path: '/things',
  auth: 'public',
  dialect: 'openai',
  doc: {
    summary: 'Things',
    tag: 'service',
    response: z.strictObject({ data: z.array(PART), next: z.string().nullable() }),
  },
  handle: async () => new Response(),
};
const problemOf = (body: unknown, status = 200) =>
  disagreement(route, Response.json(body, { status }));

test('accepts an answer that matches its schema', async () => {
  expect(await problemOf({ data: [{ amount: '1.00' }], next: null })).toBeNull();
  expect(await problemOf({ error: {} }, 404)).toBeNull();
});

test('reports an extra, missing or mistyped field, or another status', async () => {
  expect(await problemOf({ data: [], next: null, more: 1 })).toContain('more');
  expect(await problemOf({ data: [{ amount: '1', more: 1 }], next: null })).toContain('data[0]');
  expect(await problemOf({ data: [{}], next: null })).toContain('amount');
  expect(await problemOf({ data: [{ amount: 1 }], next: null })).toContain('amount');
  expect(await problemOf({ data: [], next: null }, 201)).toContain('201');
});
