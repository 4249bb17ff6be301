import { afterEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import type { Bill } from './bill.ts';
import {
  anthropicReport,
  openAiReport,
  openRouterReport,
  type ReadReport,
  type ReportScope,
} from './provider-reports.ts';
import {
  ANTHROPIC,
  DAY,
  OPENAI,
  OPENROUTER,
  type Recorded,
  type ReportServer,
  serveReports,
} from './recorded-reports.fixture.ts';
import { ReportReader } from './report-reader.ts';

const ALL: ReportScope = { keyId: null, project: null };
const DAYS = { from: DAY, to: DAY + 1 };

let server: ReportServer;
afterEach(() => server.stop());

function billOf(
  recorded: Recorded,
  read: ReadReport,
  { scope = ALL, days = DAYS, base = '' } = {},
): Promise<Bill> {
  server = serveReports(recorded);
  const reader = new ReportReader({
    name: 'there',
    baseUrl: server.url + base,
    headers: { authorization: 'Bearer sk-admin-key' },
    egress: { permission: () => null },
    clock: systemClock,
  });
  return read(reader, days, scope);
}

describe('the report of OpenAI', () => {
  test('gives tokens, images and exact costs by model, over all pages', async () => {
    const { rows, measures } = await billOf(OPENAI, openAiReport);
    const model = 'gpt-6-astra-2026-05-01';
    expect(rows).toEqual([
      { day: DAY, model, sums: { requests: 2n, prompt: 1000n, cache_read: 800n, output: 500n } },
      { day: DAY, model, sums: { requests: 1n, prompt: 77n, cache_read: 0n, output: 7n } },
      { day: DAY, model: 'gpt-image-2', sums: { requests: 1n, images: 3n } },
      { day: DAY, model, sums: { cost: 400_000_000n } },
      { day: DAY, model, sums: { cost: 10_000_000_000n } },
      { day: DAY, model: null, sums: { cost: 500_000_000_000n } },
    ]);
    expect(server.seen[0]).toBe(
      `/v1/organization/usage/completions?start_time=${DAY * 86_400}&end_time=${(DAY + 2) * 86_400}` +
        '&bucket_width=1d&limit=31&group_by[]=model&group_by[]=project_id&group_by[]=api_key_id Bearer sk-admin-key',
    );
    expect(server.seen[1]).toContain('&page=page_2');
    expect(measures).toEqual(['requests', 'prompt', 'cache_read', 'output', 'images', 'cost']);
    expect(server.seen.at(-1)).toMatch(
      /^\/v1\/organization\/costs\?.*&group_by\[\]=line_item&group_by\[\]=project_id&group_by\[\]=api_key_id /,
    );
  });

  test("leaves out other keys of the organization when the upstream's key is named", async () => {
    const scope = { keyId: 'key_other', project: null };
    const { rows } = await billOf(OPENAI, openAiReport, { scope });
    expect(rows.map(({ sums }) => sums.prompt)).toEqual([77n]);
  });
});

describe('the report of Anthropic', () => {
  const model = 'claude-sonnet-5-20260514';

  test('adds the cache to the input, and reads costs as cents', async () => {
    const { rows, measures } = await billOf(ANTHROPIC, anthropicReport, {
      scope: { keyId: 'apikey_a', project: 'wrkspc_a' },
    });
    expect(rows).toEqual([
      {
        day: DAY,
        model,
        sums: { prompt: 3200n, cache_read: 200n, cache_write: 1500n, output: 500n },
      },
      { day: DAY, model, sums: { cost: 1_237_891_200_000n } },
      { day: DAY, model: null, sums: { cost: 100_000_000_000n } },
    ]);
    expect(measures).toContain('cost');
    const asked = `starting_at=2026-11-20T00:00:00Z&ending_at=2026-11-22T00:00:00Z&bucket_width=1d&limit=31`;
    expect(server.seen.map(decodeURIComponent)).toEqual([
      `/v1/organizations/usage_report/messages?${asked}&group_by[]=model&group_by[]=workspace_id&group_by[]=api_key_id Bearer sk-admin-key`,
      `/v1/organizations/cost_report?${asked}&group_by[]=workspace_id&group_by[]=description Bearer sk-admin-key`,
    ]);
  });

  test('has no costs of a key without its workspace, since the report cannot tell', async () => {
    const { rows, measures } = await billOf(ANTHROPIC, anthropicReport, {
      scope: { keyId: 'apikey_a', project: null },
    });
    expect([rows.length, measures.includes('cost')]).toEqual([1, false]);
  });
});

test.each([
  ['OpenAI', OPENAI, openAiReport],
  ['Anthropic', ANTHROPIC, anthropicReport],
])('the report of %s leaves out all other projects', async (_who, recorded, read) => {
  const scope = { keyId: null, project: 'another' };
  expect((await billOf(recorded, read, { scope })).rows).toEqual([]);
});

test('the report of OpenRouter is asked for day by day, by the key', async () => {
  const scope = { keyId: 'hash_a', project: null };
  const { rows, measures } = await billOf(OPENROUTER, openRouterReport, { scope, base: '/api' });
  expect(measures).toEqual(['requests', 'prompt', 'output', 'cost']);
  const sums = { requests: 5n, prompt: 50n, output: 125n, cost: 15_000_000_000n };
  expect(rows).toEqual([{ day: DAY, model: 'openai/gpt-4.1', sums }]);
  expect(server.seen).toEqual([
    '/api/v1/activity?date=2026-11-20&api_key_hash=hash_a Bearer sk-admin-key',
    '/api/v1/activity?date=2026-11-21&api_key_hash=hash_a Bearer sk-admin-key',
  ]);
});

test('a refusal, another shape and an endless list are errors, not an empty bill', async () => {
  const page = '{"data":[],"has_more":true,"next_page":"again"}';
  const failureOf = async (recorded: Recorded) => {
    const failure = await billOf(recorded, anthropicReport).catch((thrown: unknown) => thrown);
    await server.stop();
    return String(failure);
  };
  const path = '/v1/organizations/usage_report/messages';
  expect(await failureOf({})).toContain(
    'could not be read: status 404: {"error":"no report for Bearer ***"}',
  );
  expect(await failureOf({ [path]: '{"data":[{"starting_at":"2026-11-20"}]}' })).toContain(
    'does not have the expected fields: data.0.results',
  );
  expect(await failureOf({ [path]: '<html>' })).toContain('is not JSON');
  expect(await failureOf({ [path]: page })).toContain('has more than 200 pages');
  const large = ' '.repeat(16 * 1024 * 1024);
  expect(await failureOf({ [path]: large })).toContain('is not JSON');
  expect(await failureOf({ [path]: `${large} ` })).toContain(
    'has a page of more than 16777216 bytes',
  );
  for (const end of ['', ',"next_page":null'])
    expect(await failureOf({ [path]: `{"data":[],"has_more":true${end}}` })).toContain(
      'has more pages, but does not name the next one',
    );
});
