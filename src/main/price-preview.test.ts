/**
 * Tests that proposed prices are applied to the usage of real requests, against a complete gateway.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { formatAmount, nano } from '../money/amount.ts';
import { Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

const FILE = `config: database
price_lists: { partners: { factor: "0.5" } }
${SMALL_FILE}  embed-x:
    kind: embedding
    maker: gen
    context_window: 1000
    dimensions: 8
    default_channel: direct
    channels:
      direct:
        price: { input: "5.000001" }
        routes: [{ upstream: builtin, model: x }]
`;
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const TEXTS = ['Four tokens, or so.', 'One', 'A text that is somewhat longer than the others.'];

let gateway: Gateway;
let visit: Visit;
let tokens = 0;
beforeAll(async () => {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, FILE);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway(depsOn({ path, env }));
  visit = new Visit(gateway);
  const authorization = `Bearer ${gateway.firstStart?.key.reveal()}`;
  for (const input of TEXTS) {
    const body = { model: 'embed-x', input };
    tokens += (await visit.send('POST /v1/embeddings', body, { authorization })).body.usage
      .prompt_tokens;
  }
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const preview = async (direct: object) => {
  const document = { models: { 'embed-x': { channels: { direct } } } };
  return await visit.send('POST /admin/v1/config/prices/preview', { document }, ADMIN);
};
/**
 * Returns the charge, in nano-units, for the tokens of all test requests at this rate. Rounds only
 * the sum.
 */
function nanoOfTokens(picoRate: bigint): bigint {
  const pico = BigInt(tokens) * picoRate;
  return pico / 1000n + (pico % 1000n > 500n ? 1n : 0n);
}
const nanoOf = (text: string): bigint => BigInt(text.replace('.', ''));

test('prices the requests of the last days at a new price, and changes nothing', async () => {
  const { status, body } = await preview({ price: { input: '7.000003' } });
  expect(status).toBe(200);
  // 7.000003 USD per 1M tokens are 7,000,003 pico-USD per token.
  const proposed = nanoOfTokens(7_000_003n);
  const { repriced, not_repriced: rest, data, from, to } = body;
  expect(repriced).toMatchObject({
    ...{ requests: 3, proposed: formatAmount(nano(proposed)) },
    difference: formatAmount(nano(proposed - nanoOf(repriced.earned))),
    percent: expect.stringMatching(/^\+(?:39\.9|40\.\d)$/),
  });
  expect(rest).toEqual({ requests: 0, earned: '0.000000000' });
  expect(data).toEqual([
    {
      ...{ model: 'embed-x', channel: 'direct', price_list: null, currency: 'USD', requests: 3 },
      withdrawn: false,
      ...{ earned: repriced.earned, proposed: repriced.proposed, unknown: null },
    },
  ]);
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  const summary = await visit.send('GET /admin/v1/summary', null, ADMIN);
  expect(summary.body.books[0].charged).toBe(repriced.earned);
  const read = await visit.send('GET /admin/v1/config/models/embed-x', null, ADMIN);
  expect(read.body).toMatchObject({
    revision: 1,
    value: { channels: { direct: { price: { input: '5.000001' } } } },
  });
});

test('prices announced prices, and nothing where no price changes', async () => {
  const announced = [{ effective_from: '2100-01-01T00:00:00Z', input: '10.000002' }];
  const { body } = await preview({ upcoming: announced });
  expect(body.repriced.requests).toBe(3);
  expect(body.repriced.percent).toMatch(/^\+(?:99\.9|100\.0)$/);
  const same = await preview({ price: { source: 'a page' } });
  expect(same.body).toMatchObject({ data: [], repriced: { requests: 0, percent: null } });
});

test('refuses prices that the configuration could not have', async () => {
  const { status, body } = await preview({ price: { input: 'five' } });
  expect([status, body.error.code]).toEqual([400, 'invalid_value']);
  expect(body.error.param).toBe('models.embed-x.channels.direct.price.input');
});

test('prices a restore of an earlier revision or card, and what a withdrawal gives up', async () => {
  const change = async (direct: object): Promise<number> => {
    const { revision } = (await visit.send('GET /admin/v1/config', null, ADMIN)).body;
    const document = { models: { 'embed-x': { channels: { direct } } } };
    const headers = { ...ADMIN, 'if-match': `"${revision}"` };
    const made = await visit.send('PATCH /admin/v1/config', { document }, headers);
    expect(made.status).toBe(200);
    return made.body.revision;
  };
  const asked = async (body: object) =>
    await visit.send('POST /admin/v1/config/prices/preview', body, ADMIN);
  const cardNow = async (): Promise<string> => {
    const { data } = (await visit.send('GET /admin/v1/channels', null, ADMIN)).body;
    return data.find((each: { readonly model: string }) => each.model === 'embed-x').price_card;
  };
  const before = await cardNow();
  const announced = [{ effective_from: '2100-01-01T00:00:00Z', input: '10.000002' }];
  const changed = await change({ price: { input: '7.000003' } });
  expect(await cardNow()).not.toBe(before);
  const file = FILE.replace('config: database\n', '');
  for (const restore of [{ revision: changed - 1 }, { card: before }, { yaml: file }]) {
    const { status, body } = await asked(restore);
    const { earned, proposed } = body.repriced;
    expect([status, body.repriced.requests, body.withdrawn]).toEqual([200, 3, null]);
    // The charges of the three requests were rounded separately, the proposed sum only once. So the
    // two may differ by one nano-unit per request.
    const apart = nanoOf(proposed) - nanoOf(earned);
    expect(apart >= -3n && apart <= 3n).toBe(true);
  }
  const withIt = await change({ price: { input: '5.000001' }, upcoming: announced });
  for (const withdrawal of [
    { document: { models: { 'embed-x': { channels: { direct: { upcoming: [] } } } } } },
    { revision: changed - 1 },
  ]) {
    const { body } = await asked(withdrawal);
    expect(body.repriced.requests).toBe(0);
    expect(body.withdrawn).toMatchObject({
      ...{ requests: 3, proposed: formatAmount(nano(nanoOfTokens(10_000_002n))) },
      percent: expect.stringMatching(/^\+(?:99\.9|100\.0)$/),
    });
    expect(body.data).toMatchObject([{ model: 'embed-x', withdrawn: true, requests: 3 }]);
  }
  // If an announced price is replaced with another one, the preview treats it as a new price, not
  // as a withdrawal.
  const later = [{ ...announced[0], input: '11' }];
  const document = { models: { 'embed-x': { channels: { direct: { upcoming: later } } } } };
  const { body: moved } = await asked({ document });
  expect([moved.repriced.requests, moved.withdrawn]).toEqual([3, null]);
  const codes = async (body: object) => {
    const { status, body: got } = await asked(body);
    return [status, got.error.code];
  };
  expect(await codes({ revision: withIt + 1 })).toEqual([404, 'not_found']);
  expect(await codes({ card: 'card_none' })).toEqual([404, 'not_found']);
  expect(await codes({})).toEqual([400, 'invalid_value']);
  expect(await codes({ yaml: 'models: [' })).toEqual([400, 'invalid_value']);
  expect(await codes({ revision: 1, card: before })).toEqual([400, 'invalid_value']);
  await change({ upcoming: [] });
});

test('prices the requests of an account on a price list by the prices of that list', async () => {
  const [account] = (await visit.send('GET /admin/v1/accounts', null, ADMIN)).body.data;
  const path = `PATCH /admin/v1/accounts/${account.id}`;
  await visit.send(path, { price_list: 'partners' }, ADMIN);
  const { body } = await preview({ price: { input: '7.000003' } });
  // The price list `partners` charges half of 7.000003, rounded up to a pico-unit per token.
  const proposed = formatAmount(nano(nanoOfTokens(3_500_002n)));
  expect(body.data).toMatchObject([{ price_list: 'partners', requests: 3, proposed }]);
  expect(body.repriced).toMatchObject({ requests: 3, proposed });
});
