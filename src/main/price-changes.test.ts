/**
 * Tests that each request is charged the price that was in force at its admission, and tests how
 * prices are changed.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { serverTo } from '../http/edge/edge.fixture.ts';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

const START_MS = Date.parse('2026-11-23T12:00:00Z');
const MINUTE_MS = 60_000;
const PLAIN = '5.00';
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const FILE = `config: database
${SMALL_FILE}  embed-x:
    kind: embedding
    maker: gen
    context_window: 1000
    dimensions: 8
    default_channel: direct
    channels:
      direct:
        price: { input: "${PLAIN}" }
        routes: [{ upstream: builtin, model: x }]
`;

/** A gateway whose wall clock only moves when the test moves it. */
class Shop {
  readonly visit: Visit;
  readonly key: string;
  readonly #clock: { nowMs: number };
  readonly gateway: Gateway;

  constructor(gateway: Gateway, clock: { nowMs: number }) {
    this.gateway = gateway;
    this.#clock = clock;
    this.visit = new Visit(gateway);
    this.key = gateway.firstStart?.key.reveal() ?? '';
  }

  static async open(url: string | null): Promise<Shop> {
    const folder = newFolder();
    const path = join(folder, 'modelgate.yaml');
    writeFileSync(path, FILE);
    const env = {
      MODELGATE_DATA_DIR: folder,
      MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      ...(url === null ? {} : { MODELGATE_DATABASE: url }),
    };
    const clock = { nowMs: START_MS };
    const deps = depsOn({ path, env });
    const gateway = await openGateway({
      ...deps,
      clock: { ...systemClock, nowMs: () => clock.nowMs },
    });
    return new Shop(gateway, clock);
  }

  moveTo(nowMs: number): void {
    this.#clock.nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  async embed(): Promise<Answer> {
    const authorization = `Bearer ${this.key}`;
    const body = { model: 'embed-x', input: 'Four tokens, or so.' };
    return await this.visit.send('POST /v1/embeddings', body, { authorization });
  }

  async channel(): Promise<Answer['body']> {
    return (await this.visit.send('GET /v1/models/embed-x')).body.channels[0];
  }

  /** Changes the channel of the model by a merge patch, and returns the answer. */
  async patch(channel: object, query = ''): Promise<Answer> {
    const path = '/admin/v1/config/models/embed-x';
    const { headers } = await this.visit.send(`GET ${path}`, null, ADMIN);
    const value = { channels: { direct: channel } };
    const match = { 'if-match': headers.get('etag') ?? '' };
    return await this.visit.send(`PATCH ${path}${query}`, { value }, { ...ADMIN, ...match });
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const upcomingOf = (prices: ReadonlyMap<number, string>): object[] =>
  [...prices]
    .toSorted(([a], [b]) => a - b)
    .map(([fromMs, input]) => ({ effective_from: isoOf(fromMs), input }));

/** Returns the charge, in nano-units, of these tokens at a price per 1M tokens. */
function chargeOf(tokens: number, price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  const pico = BigInt(tokens) * BigInt(`${whole}${fraction.padEnd(6, '0')}`);
  const [nano, rest] = [pico / 1000n, pico % 1000n];
  return rest > 500n || (rest === 500n && nano % 2n === 1n) ? nano + 1n : nano;
}

const nanoOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
};

const ENGINES = { SQLite: async () => null, PostgreSQL: newTestDatabase };

describe.each(Object.entries(ENGINES))('announced prices on %s', (_engine, urlOf) => {
  test('a request pays the price in force when it was admitted, for any series', async () => {
    const shop = await Shop.open(await urlOf());
    const seed = 20_261_123;
    let state = seed;
    const next = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const priceOf = (): string => `${1 + next(9)}.${String(next(1_000_000)).padStart(6, '0')}`;
    let plain = PLAIN;
    const upcoming = new Map<number, string>();
    const expected = (): string => {
      const begun = [...upcoming].filter(([fromMs]) => fromMs <= shop.nowMs);
      return begun.toSorted(([a], [b]) => a - b).at(-1)?.[1] ?? plain;
    };
    const cards = new Map<string, string>();
    for (let round = 0; round < 4; round += 1) {
      // Changes the channel's price without a date, to a new value or to the price now in force.
      // Replaces all announced prices.
      plain = next(2) === 0 ? priceOf() : expected();
      upcoming.clear();
      for (let count = next(4); count >= 0; count -= 1)
        upcoming.set(1000 * (Math.ceil(shop.nowMs / 1000) + 1 + next(600)), priceOf());
      const changed = await shop.patch({ price: { input: plain }, upcoming: upcomingOf(upcoming) });
      expect([changed.status, changed.body.error]).toEqual([200, undefined]);
      const moments = [...upcoming.keys()].flatMap((at) => [at - 1, at, at + 1 + next(900_000)]);
      for (const atMs of moments.filter((at) => at >= shop.nowMs).toSorted((a, b) => a - b)) {
        shop.moveTo(atMs);
        const price = expected();
        const { body, headers } = await shop.embed();
        const facts = { seed, round, at: isoOf(atMs), price };
        const id = headers.get('x-request-id') ?? '';
        const receipt = await shop.visit.send(`GET /admin/v1/requests/${id}`, null, ADMIN);
        expect({ ...facts, charge: nanoOf(receipt.body.data.cost) }).toEqual({
          ...facts,
          charge: chargeOf(body.usage.prompt_tokens, price),
        });
        const card = headers.get('x-price-card') ?? '';
        expect({ ...facts, card: receipt.body.data.price_card }).toEqual({ ...facts, card });
        expect({ ...facts, price: cards.get(card) ?? price }).toEqual(facts);
        cards.set(card, price);
        const shown = await shop.channel();
        expect({ ...facts, shown: [shown.price_card, shown.price.input] }).toEqual({
          ...facts,
          shown: [card, price],
        });
      }
    }
    expect(cards.size).toBeGreaterThan(5);
    const verified = await shop.visit.send('GET /admin/v1/ledger/verify', null, ADMIN);
    expect(verified.body).toMatchObject({ ok: true, breaches: [] });
    await shop.gateway.close();
  });

  test('a running request keeps its price, and the next edit tidies what has begun', async () => {
    const shop = await Shop.open(await urlOf());
    const [first, second] = [START_MS + MINUTE_MS, START_MS + 2 * MINUTE_MS];
    const series = new Map([
      [first, '6.00'],
      [second, '7.00'],
    ]);
    const changed = await shop.patch({ upcoming: upcomingOf(series) });
    expect(changed.body.warnings).toEqual([]);
    const shown = await shop.channel();
    expect(shown.price.input).toBe('5.00');
    expect(
      shown.upcoming.map((each: Answer['body']) => [each.effective_from, each.price.input]),
    ).toEqual([
      ['2026-11-23T12:01:00Z', '6.00'],
      ['2026-11-23T12:02:00Z', '7.00'],
    ]);
    // The stream is admitted a millisecond before the new price takes effect, and ends after it.
    const chat = { model: 'gen-x', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    const path = '/admin/v1/config/models/gen-x';
    const { headers } = await shop.visit.send(`GET ${path}`, null, ADMIN);
    const announced = [{ effective_from: isoOf(first), input: '6.00', output: '30.00' }];
    const value = { channels: { direct: { upcoming: announced } } };
    const match = { 'if-match': headers.get('etag') ?? '' };
    await shop.visit.send(`PATCH ${path}`, { value }, { ...ADMIN, ...match });
    shop.moveTo(first - 1);
    const running = await shop.gateway.edge.fetch(
      new Request('http://gateway/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(chat),
      }),
      serverTo('127.0.0.1'),
    );
    shop.moveTo(first);
    await running.text();
    const old = running.headers.get('x-price-card') ?? '';
    const id = running.headers.get('x-request-id') ?? '';
    const receipt = await shop.visit.send(`GET /admin/v1/requests/${id}`, null, ADMIN);
    expect(receipt.body.data.price_card).toBe(old);
    const model = (await shop.visit.send('GET /v1/models/gen-x')).body.channels[0];
    expect([model.price.input, model.price_card === old]).toEqual(['6.00', false]);

    const cards = await shop.visit.send('GET /admin/v1/cards?model=embed-x', null, ADMIN);
    const stateOf = (each: Answer['body']) => [
      each.per_1m_tokens.input,
      each.in_force,
      each.effective_from,
    ];
    expect(cards.body.data.map(stateOf).toSorted()).toEqual([
      ['5.00', false, null],
      ['6.00', true, new Date(first).toISOString()],
      ['7.00', false, new Date(second).toISOString()],
    ]);
    // In the API, the price now in force is the one without a date, although it began as an
    // announced price. The next edit also stores it without a date.
    const read = await shop.visit.send('GET /admin/v1/config/models/embed-x', null, ADMIN);
    expect(read.body.value.channels.direct).toMatchObject({
      price: { input: '6.00' },
      upcoming: [{ effective_from: isoOf(second), input: '7.00' }],
    });
    const tried = await shop.patch({ price: { input: '6.50' } }, '?dry_run=true');
    expect(tried.body.changes).toEqual([
      {
        path: 'models.embed-x.channels.direct.price.input',
        before: '"6.00"',
        after: '"6.50"',
      },
    ]);
    const stored = await shop.patch({ price: { input: '6.50' } });
    expect(stored.body.revision).toBe(4);
    const revision = await shop.visit.send('GET /admin/v1/config/revisions/4', null, ADMIN);
    expect(revision.body.document.models['embed-x'].channels.direct.upcoming).toHaveLength(1);
    const same = await shop.patch({ price: { input: '6.50' } });
    expect(same.body).toMatchObject({ revision: 4, changes: [] });
    await shop.gateway.close();
  });
});

test('announced prices that have begun are checked as they were written', async () => {
  const shop = await Shop.open(null);
  const [first, second] = [isoOf(START_MS - 2 * MINUTE_MS), isoOf(START_MS - MINUTE_MS)];
  const problemsOf = async (...upcoming: readonly object[]) => {
    const tried = await shop.patch({ upcoming }, '?dry_run=true');
    const stored = await shop.patch({ upcoming });
    return { status: stored.status, errors: tried.body.errors };
  };
  const at = 'models.embed-x.channels.direct.upcoming';
  const [older, newer] = [
    { effective_from: first, input: '6.00' },
    { effective_from: second, input: '7.00' },
  ];
  const late = 'is not after the time of the entry before it; sort the announced prices by time';
  expect(await problemsOf(newer, older)).toEqual({
    status: 400,
    errors: [{ path: `${at}.1.effective_from`, message: late, where: null }],
  });
  const unknown = expect.stringContaining('unknown key');
  expect(await problemsOf({ ...older, inptu: '9' }, newer)).toEqual({
    status: 400,
    errors: [{ path: `${at}.0.inptu`, message: unknown, where: null }],
  });
  expect((await shop.channel()).price.input).toBe(PLAIN);
  expect(await problemsOf(older, newer)).toEqual({ status: 200, errors: [] });
  expect((await shop.channel()).price.input).toBe('7.00');
  const { body } = await shop.visit.send('GET /admin/v1/config/revisions/2', null, ADMIN);
  expect(body.document.models['embed-x'].channels.direct).toMatchObject({
    price: { input: '7.00' },
  });
  expect(body.document.models['embed-x'].channels.direct.upcoming).toBeUndefined();
  await shop.gateway.close();
});

describe('prices of a channel', () => {
  const at = 'models.embed-x.channels.direct.price';
  type Card = Answer['body'];
  const cardsOf = async ({ visit }: Shop): Promise<Card[]> =>
    (await visit.send('GET /admin/v1/cards?model=embed-x', null, ADMIN)).body.data;
  const priceOf = async ({ visit }: Shop) =>
    (await visit.send('GET /admin/v1/config/models/embed-x', null, ADMIN)).body.value.channels
      .direct.price;

  test('can be restored by their card, with their notes and confirmations', async () => {
    const shop = await Shop.open(null);
    const restore = (id: string, revision: number, query = ''): Promise<Answer> => {
      const headers = { ...ADMIN, 'if-match': `"${revision}"` };
      return shop.visit.send(`POST /admin/v1/config/cards/${id}/restore${query}`, {}, headers);
    };
    const [first] = await cardsOf(shop);
    const noted = { input: '0.60', source: 'a contract' };
    await shop.patch({ price: noted, cost: { input: '0.50' } });
    const second = (await cardsOf(shop)).find(({ in_force: inForce }) => inForce);
    expect(second).toMatchObject({ source: 'a contract', per_1m_tokens: { input: '0.60' } });
    const tried = await restore(first.id, 2, '?dry_run=true');
    expect(tried.body.changes).toEqual([
      { path: `${at}.input`, before: '"0.60"', after: '"5.00"' },
      { path: `${at}.source`, before: '"a contract"', after: null },
    ]);
    expect((await restore(first.id, 2, '?note=undo')).body.revision).toBe(3);
    expect((await cardsOf(shop)).find(({ id }) => id === first.id).in_force).toBe(true);
    // The old price is below the new cost, so restoring it must be confirmed like any such change.
    await shop.patch({ cost: { input: '0.70' } });
    const refused = await restore(second.id, 4);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'confirmation_required']);
    expect(refused.body.error.confirm).toBe('below_cost');
    expect((await restore(second.id, 4, '?confirm=below_cost')).body.revision).toBe(5);
    expect(await priceOf(shop)).toEqual(noted);
    // A change of other fields needs no confirmation, since the price was already below cost.
    expect((await shop.patch({ price: { review: '2030-01-01' } })).body.warnings).toEqual([]);
    expect((await restore('card_x', 6)).body.error.code).toBe('not_found');
    await shop.gateway.close();
  });

  test('lose the notes of the earlier price when a patch changes them', async () => {
    const shop = await Shop.open(null);
    const notes = { source: 'a page', review: '2030-01-01' };
    await shop.patch({ price: notes });
    expect(await priceOf(shop)).toEqual({ input: PLAIN, ...notes });
    const document = {
      models: { 'embed-x': { channels: { direct: { price: { input: '6.00' } } } } },
    };
    const headers = { ...ADMIN, 'if-match': '"2"' };
    await shop.visit.send('PATCH /admin/v1/config', { document }, headers);
    expect(await priceOf(shop)).toEqual({ input: '6.00' });
    await shop.patch({ price: { input: '7.00', ...notes } });
    expect(await priceOf(shop)).toEqual({ input: '7.00', ...notes });
    await shop.patch({ price: { input: '8.00', source: 'a call' } });
    expect(await priceOf(shop)).toEqual({ input: '8.00', source: 'a call' });
    await shop.gateway.close();
  });
});
