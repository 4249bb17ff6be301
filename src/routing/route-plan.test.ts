import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ImageCard } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { RouteHealthBook } from './route-health.ts';
import { planRoutes, type RouteAsk, randomFraction } from './route-plan.ts';
import { channelOf, healthOf, routeTo, upstreamNamed } from './routes.fixture.ts';

const upstreams = new Map(
  [
    upstreamNamed('a'),
    upstreamNamed('b'),
    upstreamNamed('c'),
    upstreamNamed('d'),
    upstreamNamed('both', ['messages', 'chat']),
    upstreamNamed('m', ['messages']),
    upstreamNamed('r', ['responses']),
    upstreamNamed('i', ['images']),
  ].map((upstream) => [upstream.name, upstream]),
);

type Ask = Omit<RouteAsk<ImageCard>, 'affinity'> & { readonly affinity: string | null };
const plan = ({ affinity = null, ...ask }: Partial<Ask> & Pick<Ask, 'channels'>) =>
  planRoutes({
    upstreams,
    formats: ['chat'],
    affinity: () => affinity,
    health: healthOf(),
    draw: () => 0,
    ...ask,
  });
const names = (ask: Partial<Ask> & Pick<Ask, 'channels'>): string[] =>
  plan(ask).map(({ upstream }) => upstream.name);
const refusal = (ask: Partial<Ask> & Pick<Ask, 'channels'>): GatewayError => {
  try {
    plan(ask);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
  }
  throw new Error('it was planned');
};

/** Returns pseudo-random numbers in [0, 1) that are the same in every run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const threeToOne = [channelOf('direct', routeTo('a', 3), routeTo('b', 1))];

describe('the planned routes', () => {
  test('uses the first format that the upstream accepts', () => {
    const channels = [channelOf('direct', routeTo('m'), routeTo('both'))];
    const formats = (of: Ask['formats']) =>
      plan({ channels, formats: of }).map(({ upstream, format }) => [upstream.name, format]);
    expect(formats(['chat'])).toEqual([['both', 'chat']]);
    expect(formats(['chat', 'messages']).toSorted()).toEqual([
      ['both', 'chat'],
      ['m', 'messages'],
    ]);
  });

  test('are translated only for callers of another format, also if one follows the other', () => {
    const channels = [channelOf('direct', routeTo('m'))];
    const isTranslated = (formats: Ask['formats']) => plan({ channels, formats })[0].isTranslated;
    expect(isTranslated(['messages'])).toBe(false);
    expect(isTranslated(['chat', 'messages'])).toBe(true);
    expect(isTranslated(['messages'])).toBe(false);
  });

  test('adds the fields that the model refuses to those of the upstream', () => {
    const route = { ...routeTo('a'), drop: ['temperature'] };
    const [{ quirks }] = plan({ channels: [channelOf('direct', route)] });
    expect(quirks.drop).toEqual(['temperature']);
  });

  test('lists the requested channel before its fallback', () => {
    const channels = [
      channelOf('economical', routeTo('c'), routeTo('d')),
      channelOf('direct', routeTo('a', 1000)),
    ];
    expect(names({ channels, draw: () => 0.999 })).toEqual(['d', 'c', 'a']);
    expect(plan({ channels }).map(({ channel }) => channel.name)).toEqual([
      'economical',
      'economical',
      'direct',
    ]);
  });

  test('lists a route of both channels once', () => {
    const channels = [channelOf('economical', routeTo('a')), channelOf('direct', routeTo('a'))];
    expect(plan({ channels }).map(({ channel }) => channel.name)).toEqual(['economical']);
  });

  test.each([
    ['m', ['chat'], '/v1/messages.'],
    ['r', ['chat', 'messages'], '/v1/responses.'],
    ['a', ['messages'], '/v2/chat/completions.'],
    ['i', ['chat'], '/v2/images/generations.'],
    ['gone', ['chat'], 'another model.'],
  ] as const)('refuses a dialect that no route of %s accepts', (upstream, formats, right) => {
    const error = refusal({ channels: [channelOf('direct', routeTo(upstream))], formats });
    expect([error.code, error.param]).toEqual(['wrong_endpoint', 'model']);
    expect(error.message).toEndWith(right);
  });
});

describe('health', () => {
  test('puts a paused route behind all fit routes', () => {
    const health = healthOf({ 'a/x': { standing: 'open', waitMs: 4_000 } });
    for (const affinity of [null, 'k1', 'k2', 'k3']) {
      expect(names({ channels: threeToOne, health, affinity })).toEqual(['b', 'a']);
    }
  });

  test('uses open routes as last resort, shortest pause first, but never cooling ones', () => {
    const health = healthOf({
      'a/x': { standing: 'open', waitMs: 4_000 },
      'b/x': { standing: 'half_open', waitMs: 1_000 },
    });
    expect(names({ channels: threeToOne, health })).toEqual(['b', 'a']);
    const channels = [channelOf('economical', routeTo('a')), channelOf('direct', routeTo('b'))];
    expect(names({ channels, health })).toEqual(['a', 'b']);
    const cooling = healthOf({
      'a/x': { standing: 'open', waitMs: 4_000 },
      'b/x': { standing: 'cooling', waitMs: 10 },
    });
    expect(names({ channels: threeToOne, health: cooling })).toEqual(['a']);
  });

  test('plans a half-open route with room for a trial like any other', () => {
    const health = healthOf({ 'a/x': { standing: 'half_open' } });
    expect(names({ channels: threeToOne, health })).toEqual(['a', 'b']);
  });

  test.each([
    [4_001, 5],
    [20, 1],
    [3_600_000, 60],
  ])('without fit routes for %d ms the caller retries after %d s', (waitMs, seconds) => {
    const health = healthOf({
      'a/x': { standing: 'cooling', waitMs },
      'b/x': { standing: 'cooling', waitMs: waitMs + 1 },
    });
    const error = refusal({ channels: threeToOne, health });
    expect([error.code, error.retryAfterSeconds]).toEqual(['upstream_overloaded', seconds]);
  });

  test('every fit route is planned exactly once, for any draws, weights and health', () => {
    const routes = fc.array(
      fc.record({
        weight: fc.integer({ min: 1, max: 1000 }),
        waitMs: fc.constantFrom(0, 0, 0, 500),
        inFlight: fc.nat(200),
        firstByteMs: fc.option(fc.nat(9000)),
      }),
      { minLength: 1, maxLength: 7 },
    );
    const affinity = fc.option(fc.string());
    fc.assert(
      fc.property(routes, affinity, fc.nat(2 ** 31), (given, key, seed) => {
        const [first, ...others] = given.map(({ weight }, i) => routeTo('a', weight, `m${i}`));
        fc.pre(first !== undefined && given.some(({ waitMs }) => waitMs === 0));
        const health = healthOf(Object.fromEntries(given.map((each, i) => [`a/m${i}`, each])));
        const channels = [channelOf('direct', first ?? routeTo('a'), ...others)];
        const planned = plan({ channels, health, affinity: key, draw: draws(seed) });
        const fitOnes = given.flatMap(({ waitMs }, i) => (waitMs === 0 ? [`m${i}`] : []));
        expect(planned.map(({ route }) => route.model).toSorted()).toEqual(fitOnes.toSorted());
      }),
    );
  });
});

describe('priority', () => {
  const tiers = channelOf(
    'direct',
    routeTo('a', 1),
    routeTo('b', 3),
    routeTo('c', 1000, 'x', 2),
    routeTo('d', 1, 'x', 7),
  );

  test('comes before weight, load and affinity', () => {
    const busy = healthOf({
      'a/x': { inFlight: 900, firstByteMs: 9_000 },
      'b/x': { inFlight: 900 },
    });
    for (const affinity of [null, ...Array.from({ length: 50 }, (_, i) => `key ${i}`)]) {
      const [one = '', two = '', ...rest] = names({ channels: [tiers], affinity, health: busy });
      expect([[one, two].toSorted(), rest]).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    }
  });

  test('weight divides the requests among routes of the same priority', () => {
    const draw = draws(11);
    const TRIES = 4_000;
    let first = 0;
    for (let i = 0; i < TRIES; i++) if (names({ channels: [tiers], draw })[0] === 'b') first += 1;
    expect(Math.abs(first / TRIES - 3 / 4)).toBeLessThan(0.04);
  });

  test('the next routes serve while those before are drained or cooling', () => {
    const health = healthOf({
      'a/x': { standing: 'off', waitMs: 60_000 },
      'b/x': { standing: 'cooling', waitMs: 900 },
    });
    expect(names({ channels: [tiers], health })).toEqual(['c', 'd']);
  });

  test('a route with an open breaker comes after every fit route, also of a later priority', () => {
    const health = healthOf({ 'a/x': { standing: 'open', waitMs: 4_000 } });
    expect(names({ channels: [tiers], health })).toEqual(['b', 'c', 'd', 'a']);
  });

  test('all priorities of a channel come before its fallback', () => {
    const channels = [
      channelOf('economical', routeTo('c'), routeTo('d', 1, 'x', 2)),
      channelOf('direct', routeTo('a')),
    ];
    expect(names({ channels })).toEqual(['c', 'd', 'a']);
  });

  test('traffic returns by itself when the better route works again', () => {
    const clock = manualClock();
    const onChange = (): void => undefined;
    const health = new RouteHealthBook({ clock, onChange, isProbed: () => false });
    const channels = [channelOf('direct', routeTo('a'), routeTo('b', 1, 'x', 2))];
    const first = (): string => names({ channels, health, affinity: 'a conversation' })[0] ?? '';
    expect(first()).toBe('a');
    const failure = { kind: 'failure', code: 'upstream_failed', cause: null } as const;
    for (let i = 0; i < 5; i++) health.begin('a/x', 'stream').end(failure);
    expect(first()).toBe('b');
    clock.advance(health.fitness('a/x').waitMs);
    // The breaker of `a` is half-open: the next request tries the route, and its success closes the
    // breaker.
    expect(first()).toBe('a');
    health.begin('a/x', 'stream').end({ kind: 'success' });
    expect(first()).toBe('a');
    health.takeOut(new Set(['a/x']), []);
    expect(first()).toBe('b');
    health.takeOut(new Set(), []);
    expect(first()).toBe('a');
  });
});

describe('shares', () => {
  const weights = { a: 5, b: 3, c: 2 } as const;
  const channels = [channelOf('direct', routeTo('a', 5), routeTo('b', 3), routeTo('c', 2))];
  const TRIES = 20_000;
  /**
   * The maximum error of a measured fraction of the draws: five standard deviations, after `TRIES`
   * draws, of a fraction near one half.
   */
  const MARGIN = (5 * 0.5) / Math.sqrt(TRIES);

  const expectWeights = (choose: (i: number) => readonly string[]): void => {
    const first = new Map<string, number>();
    const second = new Map<string, number>();
    for (let i = 0; i < TRIES; i++) {
      const [one = '', two = ''] = choose(i);
      first.set(one, (first.get(one) ?? 0) + 1);
      if (one === 'a') second.set(two, (second.get(two) ?? 0) + 1);
    }
    for (const [name, weight] of Object.entries(weights)) {
      expect(Math.abs((first.get(name) ?? 0) / TRIES - weight / 10)).toBeLessThan(MARGIN);
    }
    // In plans that begin with `a`, `b` is second in 3 of 5 and `c` in 2 of 5, by their weights.
    const asFallback = (second.get('b') ?? 0) / (first.get('a') ?? 0);
    expect(Math.abs(asFallback - 3 / 5)).toBeLessThan(2 * MARGIN);
  };

  test('follow the weights without affinity', () => {
    const draw = draws(7);
    expectWeights(() => names({ channels, draw }));
  });

  test('follow the weights over many keys', () => {
    expectWeights((i) => names({ channels, affinity: `session ${i}` }));
  });
});

test('the random fraction covers all of [0, 1)', () => {
  const fraction = (...bytes: readonly number[]) =>
    randomFraction({ randomBytes: () => Uint8Array.from(bytes) });
  expect([fraction(0, 0), fraction(0, 128), fraction(192, 0)]).toEqual([0, 2 ** -9, 0.75]);
  expect(fraction(255, 255)).toBeLessThan(1);
});

describe('affinity', () => {
  test('is computed only if there is a choice', () => {
    const affinity = (): never => {
      throw new Error('it was asked');
    };
    const ask = { upstreams, formats: ['chat'] as const, affinity, health: healthOf() };
    const channels = [channelOf('economical', routeTo('a')), channelOf('direct', routeTo('b'))];
    expect(planRoutes({ ...ask, channels, draw: () => 0 }).length).toBe(2);
  });

  const all = channelOf('direct', routeTo('a', 4), routeTo('b', 3), routeTo('c', 2), routeTo('d'));
  const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`);

  test('sends one key to one route', () => {
    for (const affinity of keys) {
      const [home] = names({ channels: [all], affinity, draw: () => 0.1 });
      expect(names({ channels: [all], affinity, draw: () => 0.9 })[0]).toBe(home ?? '');
    }
  });

  test('a removed route moves only its own keys, each to its fallback', () => {
    const health = healthOf({ 'b/x': { standing: 'open', waitMs: 5_000 } });
    for (const affinity of keys) {
      const before = names({ channels: [all], affinity });
      const after = names({ channels: [all], affinity, health });
      expect(after).toEqual([...before.filter((name) => name !== 'b'), 'b']);
    }
  });

  test('a crowded route becomes the fallback for its keys', () => {
    const busy = healthOf({ 'a/x': { inFlight: 90 }, 'b/x': { inFlight: 5 } });
    const even = healthOf({ 'a/x': { inFlight: 45 }, 'b/x': { inFlight: 15 } });
    const affinity = keys.find((key) => names({ channels: threeToOne, affinity: key })[0] === 'b');
    const crowdedB = healthOf({ 'a/x': { inFlight: 20 }, 'b/x': { inFlight: 60 } });
    const home = { channels: threeToOne, affinity: affinity ?? '' };
    expect(names({ ...home, health: crowdedB })).toEqual(['a', 'b']);
    expect(names({ ...home, health: even })).toEqual(['b', 'a']);
    expect(names({ ...home, health: busy })).toEqual(['b', 'a']);
  });
});

describe('the less loaded of two', () => {
  const equal = [channelOf('direct', routeTo('a'), routeTo('b'))];
  // Returns the first route of the plan. `a` is drawn first, then `b`, since `draw` returns 0.
  const first = (a: object, b: object): string =>
    names({ channels: equal, health: healthOf({ 'a/x': a, 'b/x': b }) })[0] ?? '';

  test('matters only when clearly more requests are in flight', () => {
    expect(first({ inFlight: 11 }, { inFlight: 9 })).toBe('a');
    expect(first({ inFlight: 30 }, { inFlight: 9 })).toBe('b');
  });

  test('a much slower first byte counts, even on an idle route', () => {
    expect(first({ firstByteMs: 800 }, { firstByteMs: 500 })).toBe('a');
    expect(first({ firstByteMs: 2_500 }, { firstByteMs: 500 })).toBe('b');
    expect(first({ firstByteMs: 2_500 }, { firstByteMs: null })).toBe('a');
  });

  test('load is measured against the weight', () => {
    const health = healthOf({ 'a/x': { inFlight: 60 }, 'b/x': { inFlight: 20 } });
    expect(names({ channels: threeToOne, health, draw: () => 0 })[0]).toBe('a');
    expect(names({ channels: threeToOne, health, draw: () => 0.9 })[0]).toBe('b');
  });
});
