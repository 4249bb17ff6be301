import { describe, expect, test } from 'bun:test';
import type { ImageCard } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { NotSent } from '../upstreams/upstream.ts';
import type { AttemptResult } from './route-health.ts';
import type { Destination } from './route-plan.ts';
import {
  type Answer,
  attempt,
  CountedController,
  fails,
  failureOf,
  kinds,
  NotingHealth,
  never,
  type Options,
  ok,
  requestWith,
  results,
  status,
  timesOf,
  tryRoutes,
} from './route-search.fixture.ts';
import { type RouteAttempt, RouteSearch, type SearchOptions } from './route-search.ts';
import { destinationAt, healthOf, upstreamNamed } from './routes.fixture.ts';

const overloaded = new GatewayError('upstream_overloaded', 'busy', { retryAfterSeconds: 9 });

describe('an answer', () => {
  test('of the first route ends the search; its trial lasts as long as the answer', async () => {
    const { done, health, signals } = attempt([ok, ok]);
    const attempted = await done;
    expect('opened' in attempted && attempted.opened).toBe('fine');
    expect(attempted.destination?.upstream.name).toBe('u1');
    expect(kinds(health)).toEqual(['running']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('after failures records them with their times', async () => {
    const { done, signals } = attempt([status(500), fails(new NotSent('no way')), ok]);
    const attempted = await done;
    const times = { channel: 'direct', model: 'x', durationMs: 10 };
    expect(attempted.attempts).toEqual([
      { ...times, upstream: 'u1', result: '500', startMs: 0 },
      { ...times, upstream: 'u2', result: 'upstream_failed', startMs: 10 },
      { ...times, upstream: 'u3', result: '200', startMs: 20 },
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  });
});

describe('failures that lead to the next route, and their result for this one', () => {
  const failure = 'failure';
  test.each<[string, Answer, string, AttemptResult['kind']]>([
    ['a server that fails', status(500), '500', failure],
    ['one that is overloaded', status(503), '503', failure],
    ['one that asks for time', status(503, { 'retry-after': '7' }), '503', 'overloaded'],
    ['a rate limit', status(429), '429', 'overloaded'],
    ["a refusal of the operator's key", status(401), '401', failure],
    ['an empty purse', status(402), '402', failure],
    ['an unknown model', status(404), '404', failure],
    ['a page of a proxy', () => new Response('<html>', { status: 400 }), '400', failure],
    ['no connection', fails(new NotSent('refused')), 'upstream_failed', failure],
    ['silence', fails(new GatewayError('upstream_timeout', 'late')), 'upstream_timeout', failure],
  ])('%s', async (_what, answer, result, verdict) => {
    const { done, health } = attempt([answer, ok]);
    expect(results(await done)).toEqual([result, '200']);
    expect(kinds(health)).toEqual([verdict, 'running']);
  });

  test('a success status with an unusable answer', async () => {
    const open: Options['open'] = async (response, to) => {
      if (to.upstream.name === 'u2') return await response.text();
      throw new GatewayError('upstream_truncated', 'no event came', { cause: new Error('empty') });
    };
    const { done, health } = attempt([ok, ok], { open });
    expect(results(await done)).toEqual(['upstream_truncated', '200']);
    expect(health.results[0]).toEqual([
      'u1/x',
      { kind: 'failure', code: 'upstream_truncated', cause: 'empty' },
    ]);
  });

  test('a request that exceeds the whole rate limit pauses the route for no one', async () => {
    const message = 'Request too large for m on tokens per min (TPM): Limit 10, Requested 20.';
    const tooLarge: Answer = () => Response.json({ error: { message } }, { status: 429 });
    const { done, health } = attempt([tooLarge, ok]);
    expect(results(await done)).toEqual(['429', '200']);
    expect(health.results[0]).toEqual(['u1/x', { kind: 'unknown' }]);
  });

  test('an internal error does not count against the route', async () => {
    const { done, health } = attempt([ok, ok], {
      open: (response, to) =>
        to.upstream.name === 'u1' ? Promise.reject(new TypeError('ours')) : response.text(),
    });
    expect((await done).attempts.map(({ result }) => result)).toEqual(['internal_error', '200']);
    expect(health.results[0]).toEqual(['u1/x', { kind: 'unknown' }]);
  });

  test('a 429 for an empty account is not a pause', async () => {
    const broke = { error: { message: 'no', code: 'insufficient_quota' } };
    const { done, health } = attempt([() => Response.json(broke, { status: 429 }), ok]);
    await done;
    expect(health.results[0]?.[1]).toMatchObject({ kind: 'failure', code: 'upstream_refused_us' });
  });

  test('the requested pause is applied', async () => {
    const { done, health } = attempt([status(429, { 'retry-after': '17' }), ok]);
    await done;
    expect(health.results[0]?.[1]).toEqual({ kind: 'overloaded', retryAfterMs: 17_000 });
  });
});

describe("the caller's mistake", () => {
  test.each([400, 413, 422])('%d ends it, and says nothing of the route', async (code) => {
    const { done, health, signals } = attempt([status(code), ok]);
    const attempted = await done;
    expect(failureOf(attempted).message).toBe(`says ${code}`);
    expect(results(attempted)).toEqual([String(code)]);
    expect(kinds(health)).toEqual(['unknown']);
    expect(signals[0]?.aborted).toBe(true);
  });

  test.each([
    [false, 'top_p'],
    [true, null],
  ])('names the field only if the request was not translated (%p)', async (isTranslated, param) => {
    const refuses: Answer = () =>
      Response.json({ error: { message: 'no', param: 'top_p' } }, { status: 400 });
    const upstream = upstreamNamed('u1', ['chat'], async (request) => await refuses(request));
    const attempted = await tryRoutes([{ ...destinationAt(upstream), isTranslated }], {
      request: async (_to, signal) => requestWith(signal),
      open: (response) => response.text(),
      health: new NotingHealth(),
      times: timesOf(manualClock()),
      repeat: 'until_first_byte',
      signal: new AbortController().signal,
    });
    expect(failureOf(attempted).param).toBe(param);
  });
});

describe('a skipped route', () => {
  const unsayable = new GatewayError('unsupported_value', 'n has no counterpart', { param: 'n' });

  const unsayableTo =
    (name: string): Options['request'] =>
    async (to, signal) => {
      if (to.upstream.name === name) throw unsayable;
      return requestWith(signal);
    };

  test('is recorded, and does not count for its health', async () => {
    const { done, health } = attempt([ok, ok], { request: unsayableTo('u1'), maxAttempts: 1 });
    expect(results(await done)).toEqual(['unsupported_value', '200']);
    expect(health.results.map(([route]) => route)).toEqual(['u2/x']);
  });

  test('is the reason when there is no other', async () => {
    const { done } = attempt([ok], { request: () => Promise.reject(unsayable) });
    const attempted = await done;
    expect(failureOf(attempted)).toBe(unsayable);
    expect(attempted.destination).toBeNull();
  });

  test('that opened since it was planned is used only as last resort', async () => {
    const health = new NotingHealth();
    health.fitness = healthOf({ 'u1/x': { standing: 'open', waitMs: 2_500 } }).fitness;
    const other = await attempt([status(500), ok], { health }).done;
    expect(results(other)).toEqual(['200']);
    expect(results(await attempt([ok], { health }).done)).toEqual(['200']);
  });

  test('leads to the last resort when all fit routes were skipped', async () => {
    const health = new NotingHealth();
    health.fitness = healthOf({
      'u1/x': { standing: 'open', waitMs: 2_500 },
      'u2/x': { standing: 'half_open' },
      'u3/x': { standing: 'open', waitMs: 2_500 },
    }).fitness;
    const answers = [fails(new NotSent('refused')), ok, ok];
    const attempted = await attempt(answers, { health, request: unsayableTo('u2') }).done;
    expect(attempted.attempts.map(({ upstream, result }) => [upstream, result])).toEqual([
      ['u2', 'unsupported_value'],
      ['u1', 'upstream_failed'],
      ['u3', '200'],
    ]);
  });

  test('that asked for a pause is not used at all', async () => {
    const health = new NotingHealth();
    health.fitness = healthOf({
      'u1/x': { standing: 'cooling', waitMs: 2_500 },
      'u2/x': { standing: 'cooling', waitMs: 9_000 },
    }).fitness;
    const alone = await attempt([ok, ok], { health }).done;
    expect(results(alone)).toEqual([]);
    expect([failureOf(alone).code, failureOf(alone).retryAfterSeconds]).toEqual([
      'upstream_overloaded',
      3,
    ]);
  });

  test('is not the result of an internal error', async () => {
    const mistake = new TypeError('undefined is not a function');
    const { done } = attempt([ok], { request: () => Promise.reject(mistake) });
    expect(await done.catch((thrown: unknown) => thrown)).toBe(mistake);
  });
});

describe('when all fail', () => {
  test.each<[string, readonly Answer[], string, string]>([
    ['what a retry can help', [status(401), fails(overloaded), status(500)], 'u2', 'busy'],
    ['the shortest wait', [status(503, { 'retry-after': '30' }), fails(overloaded)], 'u2', 'busy'],
    ['a failure, not the unknown model', [status(404), status(500)], 'u2', 'failed to answer'],
    ['else the first', [status(500), status(502)], 'u1', 'failed to answer'],
  ])('reports %s', async (_what, answers, upstream, message) => {
    const attempted = await attempt(answers).done;
    expect(attempted.destination?.upstream.name).toBe(upstream);
    expect(failureOf(attempted).message).toContain(message);
  });

  test('makes no more than the maximum of attempts', async () => {
    const answers = [status(500), status(500), status(500)];
    expect(results(await attempt(answers, { maxAttempts: 2 }).done)).toEqual(['500', '500']);
  });
});

describe('an image', () => {
  const repeat = 'unless_begun';
  test.each<[string, Answer]>([
    ['that was not sent', fails(new NotSent('refused'))],
    ['refused for its rate', status(429)],
    ['refused for lack of room', status(503, { 'content-type': 'application/json' })],
    ['refused for the key', status(401)],
    ['refused for the purse', status(402)],
    ['refused for rights', status(403)],
  ])('%s is tried elsewhere', async (_what, answer) => {
    expect(results(await attempt([answer, ok], { repeat }).done).at(-1)).toBe('200');
  });

  test.each<[string, Answer]>([
    ['that failed', status(500)],
    [
      'for which a proxy reports its server as unavailable',
      status(503, { 'content-type': 'text/plain' }),
    ],
    ['behind a gateway that gave up', status(504)],
    ['that took too long', fails(new GatewayError('upstream_timeout', 'late'))],
    ['whose connection broke', fails(new GatewayError('upstream_failed', 'reset'))],
  ])('%s is not tried elsewhere, as it may have been drawn', async (_what, answer) => {
    const { done, health } = attempt([answer, ok], { repeat });
    expect(failureOf(await done).status).toBeGreaterThanOrEqual(500);
    expect(kinds(health)).toEqual(['failure']);
  });

  test('with an unusable answer is not tried elsewhere', async () => {
    const open = () => Promise.reject(new GatewayError('upstream_failed', 'no image in it'));
    expect(results(await attempt([ok, ok], { repeat, open }).done)).toEqual(['upstream_failed']);
  });
});

describe('a caller who disconnects', () => {
  const left = new GatewayError('caller_left', 'gone');

  test('ends the attempt without counting against the route', async () => {
    const caller = new AbortController();
    const { done, health, signals } = attempt([never, ok], { signal: caller.signal });
    await Promise.resolve();
    caller.abort(left);
    const attempted = await done;
    expect(failureOf(attempted)).toBe(left);
    expect(results(attempted)).toEqual(['caller_left']);
    expect(attempted.destination?.upstream.name).toBe('u1');
    expect(kinds(health)).toEqual(['unknown']);
    expect(signals[0]?.reason).toBe(left);
  });

  test('while the upstream refuses ends the search without counting against the route', async () => {
    const caller = new AbortController();
    const refuses: Answer = (request) => {
      caller.abort(left);
      return status(500)(request);
    };
    const { done, health } = attempt([refuses, ok], { signal: caller.signal });
    const attempted = await done;
    expect(failureOf(attempted)).toBe(left);
    expect(results(attempted)).toEqual(['caller_left']);
    expect(kinds(health)).toEqual(['unknown']);
  });

  test('between two attempts stops the search', async () => {
    const caller = new AbortController();
    const { done, health } = attempt([status(500), ok], {
      request: async (to, signal) => {
        if (to.upstream.name === 'u2') caller.abort(left);
        return requestWith(signal);
      },
      signal: caller.signal,
    });
    const attempts = [expect.objectContaining({ upstream: 'u1', result: '500' })];
    expect(await done).toEqual({ destination: null, failure: left, attempts });
    expect(health.results.map(([route]) => route)).toEqual(['u1/x']);
  });

  test('before anything was sent prevents any attempt', async () => {
    const { done, health } = attempt([ok], { signal: AbortSignal.abort(left) });
    expect(failureOf(await done)).toBe(left);
    expect(health.results).toEqual([]);
  });

  test('after the answer began stops the answer', async () => {
    const caller = new AbortController();
    const { done, signals } = attempt([ok], { signal: caller.signal });
    await done;
    caller.abort(left);
    expect(signals[0]?.reason).toBe(left);
  });

  test('has listeners only for attempts that still run', async () => {
    const caller = new CountedController();
    await attempt([status(500), fails(new NotSent('no')), ok], { signal: caller.signal }).done;
    expect(caller.listeners).toBe(1);
    await attempt([status(500), status(400)], { signal: caller.signal }).done;
    expect(caller.listeners).toBe(1);
  });
});

describe('another attempt on the same route', () => {
  const search = (options: Partial<SearchOptions> = {}) => {
    const health = new NotingHealth();
    const upstream = upstreamNamed('u1', ['chat'], async () => Response.json({}, { status: 400 }));
    const found = new RouteSearch([destinationAt(upstream)], {
      health,
      times: timesOf(manualClock()),
      repeat: 'until_first_byte',
      signal: new AbortController().signal,
      ...options,
    });
    return { health, found };
  };
  async function refused(tried: RouteAttempt<ImageCard> | null): Promise<RouteAttempt<ImageCard>> {
    if (tried === null) throw new Error('there is no attempt');
    await tried.send(requestWith(tried.signal)).catch(() => undefined);
    return tried;
  }

  test('is recorded, counts as an attempt, and says nothing of the route', async () => {
    const { health, found } = search({ maxAttempts: 3 });
    let tried = await refused(found.next());
    tried = await refused(found.again(tried, overloaded));
    tried = await refused(found.again(tried, overloaded));
    expect(found.again(tried, overloaded)).toBeNull();
    expect(found.attempts.map(({ result }) => result)).toEqual(['400', '400']);
    expect(kinds(health)).toEqual(['unknown', 'unknown', 'running']);
  });

  test('is not made before anything was sent, nor after the caller left', async () => {
    const caller = new AbortController();
    const { found } = search({ signal: caller.signal });
    const unsent = found.next();
    expect(unsent === null || found.again(unsent, overloaded)).toBeNull();
    const tried = await refused(unsent);
    caller.abort(new GatewayError('caller_left', 'gone'));
    expect(found.again(tried, overloaded)).toBeNull();
  });
});

test('sends each route its own request', async () => {
  const asked: Destination<ImageCard>[] = [];
  const { done, destinations } = attempt([status(500), ok], {
    request: async (to, signal) => {
      asked.push(to);
      return requestWith(signal);
    },
  });
  await done;
  expect(asked).toEqual(destinations);
});
