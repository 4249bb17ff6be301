/**
 * Tests the routes that are loaded when a request matches none of the routes that are always
 * registered.
 */
import { beforeEach, describe, expect, test } from 'bun:test';
import type { GatewayError } from '../../errors.ts';
import { edgeOf } from './edge.fixture.ts';
import type { Edge } from './edge.ts';
import type { Call, Route } from './route.ts';

const doc = { summary: 'a route of the tests', tag: 'service' } as const;
const open = (method: 'GET' | 'POST', path: string, answer: string): Route => ({
  ...{ method, path, auth: 'public', dialect: 'both', doc },
  handle: async ({ params }: Call) => Response.json({ answer, ...params }),
});

const FIRST = [open('GET', '/v1/models/:id{.+}', 'model'), open('POST', '/v1/things', 'made')];
const OTHERS: readonly Route[] = [
  open('GET', '/later/:id', 'later'),
  open('GET', '/console/*', 'page'),
  {
    ...{ method: 'GET', path: '/admin/v1/thing', auth: 'admin', dialect: 'openai', doc },
    handle: async () => Response.json({ answer: 'thing' }),
  },
];

let loads: number;
let load: () => Promise<readonly Route[]>;
let failures: GatewayError[];
let edge: Edge;
beforeEach(() => {
  loads = 0;
  failures = [];
  load = async () => OTHERS;
  const others = async () => {
    loads += 1;
    return await load();
  };
  const onFailure = (_id: string, _path: string, error: GatewayError) => failures.push(error);
  edge = edgeOf(FIRST, { onFailure }, others);
});

const send = async (at: string, headers: Record<string, string> = {}): Promise<Response> => {
  const [method = '', path] = at.split(' ');
  return await edge.fetch(new Request(`http://gateway${path}`, { method, headers }));
};

describe('loads nothing for', () => {
  test.each([
    ['GET /v1/models/a/b', 200],
    ['HEAD /v1/models/a', 200],
    ['POST /v1/things', 200],
    ['GET /v1/things', 405],
    ['OPTIONS /v1/things', 204],
  ])('%s', async (at, status) => {
    expect((await send(at)).status).toBe(status);
    expect(loads).toBe(0);
  });
});

describe('the others answer as if they had always been there', () => {
  test('with their parameters and wildcards', async () => {
    expect(await (await send('GET /later/7')).json()).toEqual({ answer: 'later', id: '7' });
    expect(await (await send('GET /console/a/b')).json()).toMatchObject({ answer: 'page' });
  });

  test('to HEAD and OPTIONS, and to a method that they do not take', async () => {
    const head = await send('HEAD /later/7');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await send('OPTIONS /later/7')).headers.get('access-control-allow-origin')).toBe('*');
    const refused = await send('PUT /later/7');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'OPTIONS, GET, HEAD']);
  });

  test('only to those who may call them', async () => {
    expect((await send('GET /admin/v1/thing')).status).toBe(401);
    const answer = await send('GET /admin/v1/thing', { authorization: 'Bearer admin' });
    expect(await answer.json()).toEqual({ answer: 'thing' });
  });

  test('and an unknown URL stays unknown', async () => {
    expect((await send('GET /nothing')).status).toBe(404);
  });
});

describe('when loading them fails', () => {
  test('each request is answered with 500 and reported, and the next one tries again', async () => {
    load = () => Promise.reject(new Error('no such file'));
    const answer = await send('GET /later/7');
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: 'internal_error' } });
    expect(failures.map(({ code, cause }) => [code, cause])).toEqual([
      ['internal_error', new Error('no such file')],
    ]);
    load = async () => OTHERS;
    expect((await send('GET /later/7')).status).toBe(200);
  });

  test('the routes that are always there answer', async () => {
    load = () => Promise.reject(new Error('no such file'));
    await send('GET /later/7');
    expect((await send('POST /v1/things')).status).toBe(200);
  });
});
