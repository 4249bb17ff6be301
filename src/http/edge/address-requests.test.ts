import { describe, expect, test } from 'bun:test';
import { RequestJournal } from '../../telemetry/request-journal.ts';
import { AddressRequests, countedAddress } from './address-requests.ts';
import { edgeOf, serverTo } from './edge.fixture.ts';
import type { Route } from './route.ts';

test.each([
  ['an IPv4 address alone', '192.0.2.1', '192.0.2.2', false],
  ['an IPv4-mapped address alone', '::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['an IPv6 address with its /64', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', true],
  ['two /64 apart', '2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['an IPv6 address however it is written', '2001:db8::1', '2001:0DB8:0:0:0::1', true],
  ['unknown addresses together', null, null, true],
])('counts %s', (_what, one, other, isSame) => {
  expect(countedAddress(one) === countedAddress(other)).toBe(isSame);
});

test('admits as many at once as the limit says, and keeps no address without a request', () => {
  const requests = new AddressRequests(2);
  const enter = (address: string) => requests.enter(() => address);
  const places = [enter('192.0.2.1'), enter('192.0.2.1')];
  expect(() => enter('192.0.2.1')).toThrow('(limits.requests_per_address)');
  expect(enter('192.0.2.2')).toBe('192.0.2.2');
  expect([requests.busiest, requests.refused]).toEqual([2, 1]);
  requests.leave('192.0.2.2');
  for (const place of places) requests.leave(String(place));
  expect(requests.busiest).toBe(0);
  enter('192.0.2.1');
  expect(requests.busiest).toBe(1);
});

test('0 counts nothing', () => {
  const requests = new AddressRequests(0);
  for (let at = 0; at < 5_000; at++) expect(requests.enter(() => '192.0.2.1')).toBeNull();
  expect(requests.busiest).toBe(0);
});

describe('the edge', () => {
  const waiting = Promise.withResolvers<Response>();
  const route = (path: string, tag: 'chat' | 'service', more: Partial<Route> = {}) =>
    ({
      method: 'GET',
      path,
      auth: 'public',
      dialect: path === '/messages' ? 'anthropic' : 'openai',
      doc: { summary: 'a route of the tests', tag },
      handle: () => waiting.promise.then((response) => response.clone()),
      ...more,
    }) as Route;
  const ask = (path: string, forwarded: string) =>
    edge.fetch(
      new Request(`http://gateway${path}`, { headers: { 'x-forwarded-for': forwarded } }),
      serverTo('10.0.0.1'),
    );
  const ended: number[] = [];
  const clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    randomBytes: (n: number) => new Uint8Array(n),
  };
  const addressRequests = new AddressRequests(1);
  const edge = edgeOf(
    [
      route('/chat', 'chat'),
      route('/messages', 'chat'),
      route('/fails', 'chat', { handle: () => Promise.reject(new Error('bug')) }),
      route('/probe', 'service', { handle: async () => new Response('ok') }),
    ],
    {
      addressRequests,
      trustedProxies: 1,
      journal: new RequestJournal({
        clock,
        sampling: 'off',
        onFinished: ({ status }) => ended.push(status),
      }),
    },
  );

  test('refuses the next request of the same client in its dialect, and no other', async () => {
    const running = ask('/chat', '192.0.2.1');
    const chat = await ask('/chat', '192.0.2.1');
    expect([chat.status, chat.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await chat.json()).error).toMatchObject({ code: 'rate_limit_exceeded' });
    const messages = await ask('/messages', '203.0.113.5, 192.0.2.1');
    expect(messages.status).toBe(429);
    expect(await messages.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    });
    expect((await ask('/probe', '192.0.2.1')).status).toBe(200);
    expect((await ask('/fails', '192.0.2.2')).status).toBe(500);
    expect((await ask('/fails', '192.0.2.2')).status).toBe(500);
    waiting.resolve(new Response('{}'));
    expect((await running).status).toBe(200);
    expect((await ask('/chat', '192.0.2.1')).status).toBe(200);
    expect(addressRequests.busiest).toBe(0);
    expect(ended).toEqual([429, 429, 200, 500, 500, 200, 200]);
  });
});
