import { expect, test } from 'bun:test';
import { edgeOf } from '../../edge/edge.fixture.ts';
import type { Route } from '../../edge/route.ts';
import { withAge } from './data-age.ts';

const routeAt = (path: string): Route => ({
  ...{ method: 'GET', path, auth: 'admin', dialect: 'openai' },
  doc: { tag: 'admin', summary: 'Test' },
  handle: async () => Response.json({}),
});

const answered = async (asOfMs: number | null, path = '/admin/v1/usage'): Promise<Headers> => {
  const edge = edgeOf(withAge(() => asOfMs)([routeAt(path)]));
  const headers = { authorization: 'Bearer admin' };
  const response = await edge.fetch(new Request(`http://gateway${path}`, { headers }));
  expect(response.status).toBe(200);
  return response.headers;
};

test('a report from a replica says until when it has everything, and others say nothing', async () => {
  const dated = await answered(Date.UTC(2026, 10, 23, 18));
  expect(dated.get('x-data-as-of')).toBe('2026-11-23T18:00:00.000Z');
  expect((await answered(null)).has('x-data-as-of')).toBe(false);
  expect((await answered(0, '/admin/v1/books')).has('x-data-as-of')).toBe(false);
});
