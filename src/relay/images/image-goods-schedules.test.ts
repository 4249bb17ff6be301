/**
 * Tests image requests under random schedules: no image is drawn twice, each delivered image is
 * charged once, and a failed request is free.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Card, Catalogue, Channel, ChannelName } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { toImageFile } from '../../images/image-file.ts';
import type { Receipt } from '../../ledger/ledger.ts';
import { nano } from '../../money/amount.ts';
import { flatTerms, NO_NAMES } from '../../money/card-terms.ts';
import { costPico, NO_RATES, picoRate, roundToNano } from '../../money/price.ts';
import { NO_USAGE, perPrice } from '../../money/usage.ts';
import { readImagesRequest } from '../../protocols/images/request.ts';
import { NO_QUIRKS } from '../../protocols/quirks.ts';
import { traceOf } from '../../protocols/trace-context.ts';
import { PLAIN_FIELDS } from '../../upstreams/known-fields.ts';
import { NotSent, type Upstream, type UpstreamRequest } from '../../upstreams/upstream.ts';
import { smallCatalogue } from '../admission.fixture.ts';
import { EVENTS, NOTHING_LEFT, openWorld, type WorldOptions } from '../sale-world.fixture.ts';
import { CALLER, type Sent, UPSTREAMS } from '../scheduled-upstreams.fixture.ts';
import { sell } from '../sell.ts';
import { AnswerMemory } from './answer-memory.ts';
import { imageOrder } from './image-order.ts';
import { ImageShelf } from './image-shelf.ts';

const RUNS = 200;
const SEED = 20_261_121;
const LIMITS: WorldOptions['limits'] = {
  keepAliveMs: 1_000,
  idleTimeoutMs: 3_000,
  stallTimeoutMs: 6_000,
  totalTimeoutMs: 10_000,
  firstByteTimeoutMs: 4_000,
  firstEventHoldMs: 1_500,
  maxAnswerBytes: 100_000,
  maxEventBytes: 10_000,
  readOnMs: 2_000,
};
const SIZE = '64x64';
/** The price of one image in nano-USD, by channel. */
const PRICES = { economical: 1_000_000n, direct: 5_000_000n } as const;

type Unit = 'image' | 'token';
/** Maximum tokens of an image. */
const IMAGE_TOKENS = 300;
/** The usage that the upstreams report for an answer. */
const REPORTED = { ...NO_USAGE, input: 20, imageOutput: 272 };
/** Estimated usage: a token per four bytes of the prompt, and the maximum tokens of each image. */
const estimated = (count: number) => ({
  ...NO_USAGE,
  ...{ input: 2, imageOutput: count * IMAGE_TOKENS },
});
const ratesOf = (name: keyof typeof PRICES) => ({
  ...NO_RATES,
  input: picoRate(1_000_000n),
  imageOutput: picoRate(PRICES[name] * 3n),
});

const channelOf = (
  name: keyof typeof PRICES,
  upstreams: readonly string[],
  unit: Unit,
): Channel<Card> => {
  const rates = ratesOf(name);
  const card = {
    id: `card_${name}`,
    model: 'img',
    channel: name,
    currency: 'USD',
    example: false,
    list: null,
  } as const;
  const to = (upstream = '') => ({ upstream, model: 'm', weight: 1, priority: 1, drop: [] });
  return {
    name,
    onlyOn: null,
    card:
      unit === 'token'
        ? { ...card, unit, rates, terms: flatTerms(rates), listed: perPrice(() => null) }
        : {
            ...card,
            unit,
            drawn: { names: NO_NAMES, admits: { size: [SIZE], quality: [] } },
            perImage: new Map([[SIZE, nano(PRICES[name])]]),
            listed: {},
          },
    dated: [],
    cost: null,
    routes: [to(upstreams[0]), to(upstreams[1])],
  };
};
const channelsOf = (unit: Unit): ReadonlyMap<ChannelName, Channel<Card>> =>
  new Map([
    ['economical', channelOf('economical', UPSTREAMS.slice(0, 2), unit)],
    ['direct', channelOf('direct', UPSTREAMS.slice(2), unit)],
  ]);

function catalogue(unit: Unit): Catalogue {
  const small = smallCatalogue();
  const image = small.models.get('img');
  if (image?.kind !== 'image') throw new Error('the small catalogue has an image model');
  return {
    ...small,
    models: new Map([
      [
        'img',
        {
          ...{ ...image, sizes: [SIZE], maxImages: 4, channels: channelsOf(unit) },
          imageTokens: new Map([[SIZE, IMAGE_TOKENS]]),
        },
      ],
    ]),
  };
}

/** The behaviors of upstreams, each with whether the upstream may have begun to draw. */
const BEHAVIOURS = {
  not_there: false,
  refused: false,
  busy: false,
  proxy_503: true,
  failed: true,
  mute: true,
  cut: true,
  no_image: true,
  drawn: true,
  drawn_one_less: true,
} as const;
type Behaviour = keyof typeof BEHAVIOURS;
const ALL = Object.keys(BEHAVIOURS) as Behaviour[];
/**
 * Behaviors of upstreams that cannot have begun to draw. They are generated more often, because
 * another route is tried only after these.
 */
const REFUSALS = ALL.filter((behaviour) => !BEHAVIOURS[behaviour]);

const schedule = fc.record({
  unit: fc.constantFrom('image', 'token'),
  channel: fc.constantFrom('economical', 'direct'),
  count: fc.integer({ min: 1, max: 3 }),
  balance: fc.constantFrom(1_000_000_000n, 15_000_000n, 3_000_000n),
  ledgerMs: fc.constantFrom(0, 700),
  tookMs: fc.constantFrom(0, 300, 2_500),
  upstreams: fc.array(fc.constantFrom(...REFUSALS, ...REFUSALS, ...ALL), {
    minLength: UPSTREAMS.length,
    maxLength: UPSTREAMS.length,
  }),
  events: fc.array(
    fc.record({ atMs: fc.integer({ min: 0, max: 6_000 }), what: fc.constantFrom(...EVENTS) }),
    { maxLength: 2 },
  ),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never;

const { bytes: BLANK } = await toImageFile(
  Uint8Array.fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  ),
  { format: 'png', size: { width: 64, height: 64 }, compression: null },
);
const images = (count: number): string =>
  JSON.stringify({
    created: 1,
    data: Array.from({ length: count }, () => ({ b64_json: BLANK.toBase64() })),
    usage: { input_tokens: 20, output_tokens: 272, cost: 0.04 },
  });

function answerOf(behaviour: Behaviour, count: number): Response {
  switch (behaviour) {
    case 'not_there':
      throw new NotSent('The provider could not be reached.');
    case 'mute':
      throw new GatewayError('upstream_timeout', 'The provider did not answer in time.');
    case 'refused':
      return Response.json({ error: { message: 'no' } }, { status: 401 });
    case 'busy':
      return Response.json({ error: { message: 'no' } }, { status: 503 });
    case 'proxy_503':
      return new Response('upstream connect error', { status: 503 });
    case 'failed':
      return Response.json({ error: { message: 'no' } }, { status: 500 });
    case 'no_image':
      return Response.json({ data: [] });
    case 'cut':
      return new Response(images(count).slice(0, 40));
    case 'drawn':
      return new Response(images(count));
    case 'drawn_one_less':
      return new Response(images(count - 1));
  }
}

function drawing(
  { tookMs, upstreams, count }: Schedule,
  clock: Clock,
  sent: Sent[],
): readonly Upstream[] {
  return UPSTREAMS.map((name, at) => ({
    name,
    formats: new Set(['images' as const]),
    quirks: { ...NO_QUIRKS, reportedCost: { path: 'cost', decimals: 0 } },
    fields: PLAIN_FIELDS,
    firstByteTimeoutMs: null,
    hidden: [],
    send: async ({ signal }: UpstreamRequest) => {
      signal.throwIfAborted();
      const record: Sent = { name, atMs: clock.monotonicMs(), open: true };
      sent.push(record);
      const left = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => left.reject(signal.reason), { once: true });
      try {
        await Promise.race([clock.sleep(tookMs), left.promise]);
        return answerOf(upstreams[at] ?? 'mute', count);
      } catch (thrown) {
        // An unreachable host fails with `NotSent`, as in the network adapter, which notices this
        // failure before it sends anything.
        if (upstreams[at] !== 'not_there') throw thrown;
        throw new NotSent('The provider could not be reached.', { cause: thrown });
      } finally {
        record.open = false;
      }
    },
  }));
}

async function run(asked: Schedule) {
  const world = openWorld(
    { ...asked, catalogue: catalogue(asked.unit), limits: LIMITS },
    (clock, sent) => drawing(asked, clock, sent),
  );
  const { shop, caller } = world;
  const notHere = () => {
    throw new Error('nothing is stored');
  };
  const { count: n, channel } = asked;
  const request = readImagesRequest({
    ...{ model: 'img', prompt: 'a boat', n, response_format: 'b64_json' },
    ...{ size: SIZE, provider: { channel } },
  });
  const parts = { store: { put: notHere }, urls: { sign: notHere }, clock: shop.clock };
  const shelf = new ImageShelf(parts);
  const buyer = {
    requestId: 'req_1',
    trace: traceOf(null, shop.clock),
    caller: CALLER,
    signal: caller.signal,
    headers: () => ({}),
    onCharged: null,
  };
  const order = imageOrder({
    ...{ request, inputs: null, shelf, memory: new AnswerMemory(0, shop.clock).open() },
    ...{ releaseBody: () => {}, onBegun: () => {} },
  });
  const ask = () => sell(shop, buyer, order);
  const got = await world.drive(ask, async (response, take) => take(await response.text()));
  return { ...world, got };
}

/**
 * Returns the number of images that a caller pays for after it disconnected or its key was revoked.
 */
function drawnFor(
  { outcome, upstream, attempts }: Receipt,
  { upstreams, count }: Schedule,
): number {
  if (upstream === '' || (outcome !== 'caller_left' && outcome !== 'revoked')) return 0;
  const behaviour = upstreams[UPSTREAMS.indexOf(upstream)];
  if (behaviour === 'not_there') return 0;
  if (attempts.at(-1)?.result !== '200') return count;
  return behaviour === 'drawn_one_less' ? count - 1 : count;
}

test('draws no image twice and charges drawn images once', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (asked) => {
      const { ledger, got, sent, left } = await run(asked);
      ledger.bookKept();
      expect(left()).toEqual(NOTHING_LEFT);
      const begun = sent.filter(({ name }) => {
        const behaviour = asked.upstreams[UPSTREAMS.indexOf(name)];
        return behaviour !== undefined && BEHAVIOURS[behaviour];
      });
      expect(begun.length).toBeLessThanOrEqual(1);
      const [settlement, ...more] = ledger.settlements;
      expect(more).toEqual([]);
      if (settlement === undefined) {
        expect(sent).toEqual([]);
        return;
      }
      const { charge, receipt } = settlement;
      expect(ledger.balance).toBe(asked.balance - charge);
      const its = receipt.attempts.find(({ upstream }) => upstream === receipt.upstream);
      expect(its?.channel ?? receipt.channel).toBe(receipt.channel);
      const delivered = got.response === null ? 0 : JSON.parse(got.text).data.length;
      const count = got.response === null ? drawnFor(receipt, asked) : delivered;
      expect(receipt.images?.count).toBe(count);
      const sold = receipt.channel === 'direct' ? 'direct' : 'economical';
      const isUnseen = got.response === null && receipt.attempts.at(-1)?.result !== '200';
      const used = count === 0 ? NO_USAGE : isUnseen ? estimated(count) : REPORTED;
      if (asked.unit === 'image') expect(charge).toBe(nano(PRICES[sold] * BigInt(count)));
      else expect(charge).toBe(roundToNano(costPico(used, ratesOf(sold))));
      expect(receipt.estimated).toBe(isUnseen && count > 0);
      const isByToken = asked.unit === 'token' && count > 0;
      const measure = isUnseen ? 'estimated' : got.response === null ? 'read_on' : 'reported';
      expect(receipt.measure).toBe(isByToken ? measure : null);
      if (delivered === 0) return;
      expect(receipt.reportedCostPico).toBe(40_000_000_000n);
      expect(receipt.usage).toEqual(REPORTED);
      expect(sent.at(-1)?.name).toBe(receipt.upstream);
      expect(got.response?.headers.get('x-channel')).toBe(receipt.channel);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 180_000);
