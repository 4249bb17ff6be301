import { describe, expect, test } from 'bun:test';
import type { Channel, ChatModel, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import { JsonScan } from '../json/scan.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { flatTerms } from '../money/card-terms.ts';
import { CENT, ratesOf, rowOf, termsWith, usageOf } from '../money/price-of.fixture.ts';
import { NO_FACTS, PLAIN_FACTS } from '../money/price-of.ts';
import { NOTHING_SERVED, type Served } from '../money/served.ts';
import { readFacts, unpricedIn } from '../money/terms-json.ts';
import { NO_USAGE } from '../money/usage.ts';
import { chatDialect } from '../protocols/chat/errors.ts';
import { readChatRequest } from '../protocols/chat/request.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import type { PreparedRequest, Translator } from '../protocols/translator.ts';
import type { Fitness, RouteHealth } from '../routing/route-health.ts';
import { planRoutes } from '../routing/route-plan.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { smallCatalogue } from './admission.fixture.ts';
import { NOTHING_DELIVERED } from './outcome.ts';
import type { TextEndpoint } from './text-endpoints.ts';
import { WholeText } from './text-goods.ts';

const known = smallCatalogue().models.get('gen-usd');
if (known?.kind !== 'chat') throw new Error('the fixture has changed');
const model: ChatModel = known;

const upstream = (name: string, format: TextFormat): Upstream => ({
  name,
  formats: new Set([format]),
  quirks: NO_QUIRKS,
  fields: PLAIN_FIELDS,
  firstByteTimeoutMs: null,
  hidden: [],
  send: () => Promise.reject(new Error('not called')),
});
const upstreams = new Map([
  ['speaks-chat', upstream('speaks-chat', 'chat')],
  ['speaks-messages', upstream('speaks-messages', 'messages')],
]);

/** Translators that record each call, and refuse the formats in `refusing`. */
function scene(refusing: readonly TextFormat[]) {
  const prepared: TextFormat[] = [];
  const translator = (to: TextFormat): Translator => ({
    caller: 'chat',
    upstream: to,
    prepare: (): PreparedRequest => {
      prepared.push(to);
      if (refusing.includes(to))
        throw new GatewayError('unsupported_value', `not in ${to}`, { param: 'n' });
      return {
        bodyFor: () => new TextEncoder().encode(to),
        openStream: () => {
          throw new Error('not called');
        },
        readAnswer: () => {
          throw new Error('not called');
        },
      };
    },
  });
  const endpoint: TextEndpoint = {
    name: 'chat',
    dialect: chatDialect,
    beginStream: () => null,
    rateDialect: 'openai',
    formats: ['chat', 'messages'],
    translators: new Map([
      ['chat', translator('chat')],
      ['messages', translator('messages')],
    ]),
  };
  return { endpoint, prepared };
}

const health: RouteHealth = {
  fitness: (): Fitness => ({ standing: 'closed', waitMs: 0, inFlight: 0, firstByteMs: null }),
  begin: () => ({ firstByte: () => undefined, end: () => undefined }),
};
const ASKED = { model: 'gen-usd', messages: [{ role: 'user', content: 'Hi' }] };

function bodyOf(members: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(members));
  return new JsonScan({ maxDepth: 4 }).finish(bytes, bytes.byteLength);
}

/**
 * Plans routes to these upstreams. Each upstream is in a channel of its own, so that the order is
 * certain.
 */
function plan(
  to: readonly string[],
  refusing: readonly TextFormat[] = [],
  card: Partial<TokenCard> = {},
  members: object = {},
) {
  const { endpoint, prepared } = scene(refusing);
  const direct = model.channels.get('direct');
  if (direct === undefined) throw new Error('the fixture has changed');
  const [first, ...rest] = to.map(
    (name): Channel<TokenCard> => ({
      ...direct,
      card: { ...direct.card, ...card },
      routes: [{ upstream: name, model: 'm', weight: 1, priority: 1, drop: [] }],
    }),
  );
  if (first === undefined) throw new Error('no channel');
  const payment = { currency: 'USD', rate: null, exchange: null } as const;
  const offer = { model, channels: [first, ...rest], payment } as const;
  const request = readChatRequest({ ...ASKED, ...members });
  const body = bodyOf(members);
  const order = { endpoint, request, body, stream: false, accountId: 'acct_1', headers: {} };
  const size = { textBytes: 2, textTokens: () => 2, promptBytes: 2, media: [], predictedBytes: 0 };
  const goods = new WholeText(
    { ...order, size, affinity: () => null, call: { releaseBody: () => undefined } },
    offer,
  );
  const planned = planRoutes({
    channels: offer.channels,
    upstreams,
    formats: goods.formats,
    affinity: () => null,
    health,
    draw: () => 0,
  });
  return { goods, routes: goods.routable(planned), prepared };
}

const names = ({ routes }: ReturnType<typeof plan>): readonly string[] =>
  routes.map((to) => to.upstream.name);

test("an answer that may use the provider's tools is read on at any server", () => {
  const admitting = flatTerms(ratesOf({ input: '1', output: '2' }));
  const terms = {
    ...admitting,
    admits: { ...admitting.admits, tools: ['web_search' as const] },
    limits: { ...admitting.limits, uses: { web_search: 2 } },
  };
  const readsOnWith = (members: object): boolean | null => {
    const { goods, routes } = plan(['speaks-chat'], [], { terms }, members);
    const [to] = routes;
    const quirks = { ...NO_QUIRKS, onDisconnect: 'abort' } as const;
    return to === undefined ? null : goods.readsOn({ ...to, quirks });
  };
  expect(readsOnWith({ tools: [{ type: 'web_search' }] })).toBe(true);
  expect(readsOnWith({})).toBe(false);
});

test("a provider's tool whose uses cannot be limited is refused before anything is sent", () => {
  const flat = flatTerms(ratesOf({ input: '1', output: '2' }));
  const terms = { ...flat, admits: { ...flat.admits, tools: ['web_search' as const] } };
  for (const type of ['web_search', 'openrouter:web_search']) {
    const asking = () => plan(['speaks-chat'], [], { terms }, { tools: [{ type }] });
    expect(asking).toThrow(`charges for each use of "${type}"`);
  }
});

describe('the price of an answer', () => {
  const rates = ratesOf({ input: '1', output: '2' });
  const terms = termsWith(
    [rowOf({}, { input: '1', output: '2' }), rowOf({ tier: ['priority'] }, { input: '3' })],
    {
      fees: { web_search: CENT, request: CENT },
      admits: { ...flatTerms(rates).admits, tier: ['priority'] },
    },
  );

  function metered(
    card: Partial<TokenCard>,
    served: Partial<Served>,
    members: object = {},
    outcome: RequestOutcome = 'completed',
  ) {
    const { goods, routes } = plan(['speaks-chat'], [], card, members);
    const [to] = routes;
    if (to === undefined) throw new Error('no route');
    const usage = outcome === 'completed' ? usageOf({ input: 1_000 }) : null;
    const answer = {
      facts: { ...NOTHING_DELIVERED, usage, served: { ...NOTHING_SERVED, ...served } },
    };
    const write = () => '';
    const sold = { to, startedAtMs: 1, endedAtMs: 2, generatedTokens: () => 0 };
    return goods.meter(outcome, { ...answer, write }, sold);
  }

  test('follows from what was served, which the receipt keeps', () => {
    const { costPico, facts } = metered({ terms }, { tier: 'priority', uses: { web_search: 2 } });
    expect(costPico).toBe(3n * 10n ** 9n + 3n * CENT);
    expect(readFacts(facts ?? '')).toEqual({
      ...PLAIN_FACTS,
      ...{ served: { ...NO_FACTS, tier: 'priority' }, uses: { web_search: 2 }, sentModel: 'm' },
      ...{ startMs: 1, endMs: 2, assumed: [], unpriced: [] },
    });
  });

  test('assumes what was requested when the provider does not report it', () => {
    const { costPico, facts } = metered({ terms }, {}, { service_tier: 'priority' });
    expect(costPico).toBe(3n * 10n ** 9n + CENT);
    expect(readFacts(facts ?? '').assumed).toEqual(['tier: priority']);
  });

  test('is that of the counts alone on a flat card, and the receipt keeps no facts', () => {
    const flat = { rates, terms: flatTerms(rates) };
    const plain = metered(flat, {
      tier: 'default',
      responseId: 'r1',
      reportedCostPico: 5n * 10n ** 11n,
    });
    expect([plain.costPico, plain.facts]).toEqual([10n ** 9n, null]);
    expect([plain.upstreamId, plain.reportedCostPico]).toEqual(['r1', 5n * 10n ** 11n]);
    const other = metered(flat, { tier: 'ultrafast' });
    expect(other.costPico).toBe(10n ** 9n);
    expect(unpricedIn(other.facts)).toEqual(['tier: ultrafast']);
  });

  test('is nothing when nothing was delivered, fees included', () => {
    const failed = metered({ terms }, { uses: { web_search: 1 } }, {}, 'upstream_error');
    expect([failed.costPico, failed.facts]).toEqual([0n, null]);
  });
});

describe('a request', () => {
  test('is written for the first route before the hold, and for others when they are tried', () => {
    const { goods, routes, prepared } = plan(['speaks-messages', 'speaks-chat']);
    expect(prepared).toEqual(['messages']);
    for (const to of routes) goods.prepare(to);
    for (const to of routes) goods.prepare(to);
    expect(prepared).toEqual(['messages', 'chat']);
  });

  test('that one dialect cannot express goes to a route of the other', () => {
    const upstreams = ['speaks-messages', 'speaks-chat'];
    expect(names(plan(upstreams, ['messages']))).toEqual(['speaks-chat']);
    // A later route stays in the plan, because it is checked only when it is tried.
    expect(names(plan(upstreams.toReversed(), ['messages']))).toEqual(upstreams.toReversed());
  });

  test('that no dialect can express is refused, naming the field', () => {
    expect(() => plan(['speaks-messages', 'speaks-chat'], ['chat', 'messages'])).toThrow(
      expect.objectContaining({ code: 'unsupported_value', message: 'not in chat' }),
    );
    expect(() => plan(['speaks-messages'], ['messages'])).toThrow('not in messages');
  });
});

test('records a finish reason unless it is too long for a receipt', () => {
  const { goods, routes } = plan(['speaks-chat']);
  const [to] = routes;
  if (to === undefined) throw new Error('no route');
  const metered = (finishReason: string) => {
    const answer = { facts: { ...NOTHING_DELIVERED, finishReason }, write: () => '' };
    const sold = { to, startedAtMs: 1, endedAtMs: 2, generatedTokens: () => 0 };
    return goods.meter('completed', answer, sold).finishReason;
  };
  expect(metered('stop')).toBe('stop');
  expect(metered('x'.repeat(1_000_000))).toBeNull();
});

test('records the id and the price that the provider reports', () => {
  const { goods, routes } = plan(['speaks-chat']);
  const [to] = routes;
  if (to === undefined) throw new Error('no route');
  const metered = (reportedCostPico: bigint | null) => {
    const served = { ...NOTHING_SERVED, responseId: 'gen-7', reportedCostPico };
    const facts = { ...NOTHING_DELIVERED, usage: NO_USAGE, served };
    const answer = { facts, write: () => '' };
    const sold = { to, startedAtMs: 1, endedAtMs: 2, generatedTokens: () => 0 };
    return goods.meter('completed', answer, sold);
  };
  const upstreamId = 'gen-7';
  expect(metered(12_300_000n)).toMatchObject({ upstreamId, reportedCostPico: 12_300_000n });
  expect(metered(null)).toMatchObject({ upstreamId, reportedCostPico: null });
});
