import { beforeAll, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import postgres from 'postgres';
import { Secret } from '../../config/secret.ts';
import { nano, parseAmount } from '../../money/amount.ts';
import type { MovedAccount, MoveIn } from '../move-in.ts';
import { UnknownSource } from '../source-tables.ts';
import { type LiteLlmSource, moveInFromLiteLlm } from './litellm.ts';
import { liteLlmDatabase, SALT_KEY } from './litellm-database.fixture.ts';
import { type LiteLlmDatabase, readLiteLlmDatabase } from './litellm-database.ts';
import { priceFileOf } from './litellm-prices.ts';

const PRICES = priceFileOf(await Bun.file(join(import.meta.dir, 'fixtures', 'prices.json')).text());
const usd = (text: string) => parseAmount(text) ?? nano(0n);

let url = '';
let database: LiteLlmDatabase;
let move: MoveIn;
beforeAll(async () => {
  url = await liteLlmDatabase();
  database = await read(url);
  move = moved();
});

async function read(from: string): Promise<LiteLlmDatabase> {
  const sql = postgres(from, { max: 1, onnotice: () => {} });
  try {
    return await readLiteLlmDatabase((text) => sql.unsafe<{ row: unknown }[]>(text));
  } finally {
    await sql.end();
  }
}
const moved = (given: Partial<LiteLlmSource> = {}): MoveIn =>
  moveInFromLiteLlm({
    ...{ config: null, database, saltKey: new Secret(SALT_KEY), prices: PRICES, variables: {} },
    ...{ credit: null, nowMs: Date.parse('2026-11-23T00:00:00Z') },
    ...given,
  });
const account = (name: string, of = move): MovedAccount | undefined =>
  of.accounts.find((each) => each.name === name);
const key = (name: string, of = move) =>
  of.accounts.flatMap(({ keys }) => keys).find((each) => each.name === name);
const left = (what: string, of = move): readonly string[] =>
  of.left.filter((each) => each.what === what).map(({ name, reason }) => `${name}: ${reason}`);

describe('a database of LiteLLM', () => {
  test('gives an account to each team, each user with keys, and the keys of nobody', () => {
    expect(
      move.accounts.map(({ ref, name, suspended, keys }) => [ref, name, suspended, keys.length]),
    ).toEqual([
      ['team/team-old', 'Old', true, 0],
      ['team/team-search', 'Search', false, 6],
      ['user/u-cleo', 'Cleo', false, 0],
      ['user/u-dan', 'u-dan', false, 1],
      ['keys without an owner', 'LiteLLM', false, 1],
    ]);
  });

  test('keeps keys by their hash, so that they go on working', () => {
    expect(key('search production')).toEqual({
      ref: `key/${hash('sha256', 'sk-search-production-key')}`,
      name: 'search production',
      hash: hash('sha256', 'sk-search-production-key'),
      form: 'sk-any',
      ...{ prefix: 'sk-', last4: '-key', disabled: false, expiresAtMs: null },
      limits: { requestsPerMinute: 100, spend: { total: usd('37.5') } },
    });
    expect(key('search trial')?.expiresAtMs).toBe(Date.parse('2027-01-31T12:00:00Z'));
  });

  test('turns budgets into caps: per week, per month, or what is left', () => {
    expect(account('Search')?.limits).toEqual({
      ...{ requestsPerMinute: 600, tokensPerMinute: 100_000, concurrency: 8 },
      models: ['gpt-4.1-mini', 'azure-mini'],
      spend: { month: usd('100.5') },
    });
    expect(key('search trial')?.limits).toEqual({
      requestsPerMinute: 30,
      models: ['gpt-4.1-mini'],
      spend: { week: usd('20') },
    });
    expect(account('Cleo')?.limits).toEqual({ models: [], spend: { total: usd('9.7') } });
  });

  test('replaces other budgets by stricter ones, and says so', () => {
    expect(key('search windows')?.limits).toEqual({
      models: ['gpt-4.1-mini'],
      spend: { day: usd('2'), month: usd('60'), total: usd('100') },
    });
    expect(left('key').filter((each) => each.startsWith('search windows'))).toEqual([
      'search windows: Its budget period was 1h; here the budget is for a day.',
      'search windows: Its budget period was 90d; here the budget is the amount that is left, without a period.',
    ]);
  });

  test('disables keys whose limits could not be kept', () => {
    const disabled = move.accounts.flatMap(({ keys }) => keys).filter((each) => each.disabled);
    expect(disabled.map(({ name }) => name).toSorted()).toEqual([
      'search blocked',
      'search embeddings',
      'search project',
      'sk-...-key',
    ]);
    expect(left('key')).toEqual(
      expect.arrayContaining([
        'search embeddings: The key may call only some routes of LiteLLM, so it is imported as disabled. Enable it by hand.',
        'search project: Its project has limits, so the key is disabled. Set limits for the key and enable it.',
        'sk-...-key: It has a limit of 0, which allows nothing, so it is disabled.',
        'search trial: It has rate limits by model, which are not imported.',
      ]),
    );
  });

  test('leaves keys behind that cannot call models', () => {
    expect(left('key')).toEqual(
      expect.arrayContaining([
        'search expired: The key has expired.',
        'search manager: The key can only manage LiteLLM, not call models.',
        expect.stringMatching(/^no owner: The key is short, so it can be guessed\. Rotate it\./),
        'short: The key is too short to be safe. Create a new key here.',
      ]),
    );
    expect(left('session')).toHaveLength(1);
    expect(left('replaced key')).toHaveLength(1);
  });

  test('takes people along who own keys or administer a team', () => {
    expect(account('Search')?.people).toEqual([
      { ref: 'person/u-ada', email: 'ada@example.com', name: 'Ada', passwordHash: null },
    ]);
    expect(account('Cleo')?.people).toHaveLength(1);
    expect(left('person')).toEqual([
      'bob@example.com: Members of teams are not imported. Invite them to the account.',
      'cleo@example.com: Another user has the same email address.',
    ]);
    expect(left('password')).toHaveLength(1);
  });

  test('reports budgets and settings without a counterpart', () => {
    expect([left('organization'), left('budget'), left('customer')].map((of) => of.length)).toEqual(
      [1, 1, 1],
    );
    expect(left('account')).toEqual([
      'Search: It has guardrails or policies, which are not imported.',
    ]);
    expect(left('setting').map((each) => each.split(':')[0])).toEqual([
      'litellm_settings.success_callback',
    ]);
  });

  test('decrypts the models that it stores', () => {
    expect(Object.keys(move.settings.models)).toEqual(['azure-mini', 'gpt-4.1-mini', 'mini']);
    expect(
      Object.fromEntries([...move.secrets].map(([name, secret]) => [name, secret.reveal()])),
    ).toEqual({
      AZURE_API_KEY: 'azure-key-0123456789',
      OPENAI_API_KEY: 'sk-proj-stored-key-0123456789',
    });
    expect(left('model')).toEqual([
      'model_name_team-search_1: It is for one team only. Use a price list for such a model.',
      'stopped: The model is blocked in LiteLLM.',
    ]);
  });

  test('leaves its models behind without the salt key', () => {
    const without = moved({ saltKey: null });
    expect(without.settings.models).toEqual({});
    expect(left('model', without)[0]).toStartWith('azure-mini: Its settings are encrypted.');
    expect(without.accounts).toHaveLength(5);
  });

  test('is refused with another salt key', () => {
    expect(() => moved({ saltKey: new Secret('sk-other') })).toThrow(
      'The salt key decrypts none of the models.',
    );
  });

  test('credits nothing, unless the operator says how much', () => {
    expect(move.accounts.flatMap(({ credits }) => credits)).toEqual([]);
    const credited = moved({ credit: usd('5') });
    expect(account('Cleo', credited)?.credits).toEqual([
      { ref: 'credit/user/u-cleo', currency: 'USD', amount: usd('5') },
    ]);
  });

  test('is read the same in every run', async () => {
    const again = moved({ database: await read(url) });
    const text = (of: MoveIn) =>
      JSON.stringify(of, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    expect(text(again)).toBe(text(move));
  });
});

describe('another version', () => {
  test('may lack tables and columns that came later', async () => {
    const older = await read(
      await liteLlmDatabase(`DROP TABLE "LiteLLM_ProjectTable" CASCADE;
        DROP TABLE "LiteLLM_DeprecatedVerificationToken";
        ALTER TABLE "LiteLLM_VerificationToken" DROP COLUMN budget_limits, DROP COLUMN key_type,
          DROP COLUMN allowed_routes;
        ALTER TABLE "LiteLLM_ProxyModelTable" DROP COLUMN blocked;`),
    );
    expect(key('search trial', moved({ database: older }))?.limits.requestsPerMinute).toBe(30);
  });

  test.each([
    [
      'ALTER TABLE "LiteLLM_VerificationToken" DROP COLUMN spend',
      'The table "LiteLLM_VerificationToken" of the source lacks spend',
    ],
    ['DROP TABLE "LiteLLM_VerificationToken" CASCADE', 'so it is not a LiteLLM database'],
  ])('that lacks what limits keys is refused: %s', async (change, message) => {
    const broken = await liteLlmDatabase(change);
    const failure = await read(broken).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(UnknownSource);
    expect(String(failure)).toContain(message);
  });
});
