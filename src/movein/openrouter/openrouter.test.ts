import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { generateKey, hashHex, isWellFormed } from '../../accounts/api-key.ts';
import { systemClock } from '../../clock.ts';
import { checkFile } from '../../config/check-file.ts';
import { Secret } from '../../config/secret.ts';
import { parseYaml } from '../../config/yaml-file.ts';
import { nano, parseAmount } from '../../money/amount.ts';
import { UnknownSource } from '../source-tables.ts';
import { moveInFromOpenRouter, type OpenRouterSource } from './openrouter.ts';

const text = (name: string): Promise<string> =>
  Bun.file(join(import.meta.dir, 'fixtures', name)).text();
const ACTIVITY = await text('activity.csv');
const MODELS: unknown = JSON.parse(await text('models.json'));
const KEYS: unknown = JSON.parse(await text('keys.json'));
const usd = (amount: string) => parseAmount(amount) ?? nano(0n);

const moved = (given: Partial<OpenRouterSource> = {}) =>
  moveInFromOpenRouter({
    ...{ activity: ACTIVITY, models: MODELS, keys: KEYS, account: 'Team', apiKey: null },
    ...{ credit: null, nowMs: Date.parse('2026-11-23T00:00:00Z') },
    newSecret: () => generateKey(systemClock),
    ...given,
  });
const reasons = ({ left }: ReturnType<typeof moved>, what: string) =>
  left.filter((each) => each.what === what).map(({ name, reason }) => `${name}: ${reason}`);

describe('the activity of OpenRouter', () => {
  const move = moved();

  test('names the models to move, under the names that callers use', () => {
    expect(Object.keys(move.settings.models)).toEqual([
      'openai/gpt-4.1',
      'deepseek/deepseek-v4:free',
    ]);
    expect(move.settings.models['openai/gpt-4.1']).toEqual({
      ...{ kind: 'chat', name: 'OpenAI: GPT-4.1', maker: 'openai' },
      ...{ context_window: 1047576, max_output: 32768, input: ['image', 'text', 'file'] },
      default_channel: 'direct',
      channels: {
        direct: {
          price: {
            ...{ input: '2', output: '8', cache_read: '0.5' },
            source: 'https://openrouter.ai/api/v1/models',
          },
          routes: [{ upstream: 'openrouter', model: 'openai/gpt-4.1' }],
        },
      },
    });
  });

  test('becomes settings that the gateway accepts', () => {
    const written = JSON.stringify(move.settings).replaceAll(/\$\{secret:\w+\}/g, 'key');
    expect(() => checkFile(parseYaml(written, 'moved'), 0)).not.toThrow();
  });

  test('leaves models behind that have no fixed price, make images or are not listed', () => {
    expect(reasons(move, 'model')).toEqual([
      'deepseek/deepseek-v4-0813:free: Its max output is assumed: 16384 tokens.',
      'openrouter/auto: The model has no fixed price. Add it with a price of your own.',
      'gone/model-1: OpenRouter no longer lists this model.',
      'google/gemini-image-2: The model does not return text.',
    ]);
    expect(reasons(move, 'request')).toEqual([
      '6 requests: The history of requests is not imported.',
    ]);
  });

  test('has prices by the request as fees', () => {
    const paid = ACTIVITY.replace('Chutes,free', 'Chutes,standard');
    const { models } = moved({ activity: paid }).settings;
    expect(Object(models['deepseek/deepseek-v4'])['channels'].direct.price).toMatchObject({
      ...{ input: '0.27', output: '1.1', fees: { request: '0.005' } },
    });
  });

  test('accepts audio only if audio has a price, which the gateway requires', () => {
    const inputOf = (audio: string) => {
      const listed = {
        ...{ id: 'a/b', canonical_slug: 'a/b', context_length: 1000 },
        architecture: { input_modalities: ['text', 'audio'], output_modalities: ['text'] },
        pricing: { prompt: '0.000001', completion: '0.000002', audio },
      };
      const activity = 'model_permaslug\na/b\n';
      return Object(moved({ activity, models: { data: [listed] } }).settings.models['a/b']).input;
    };
    expect(inputOf('0.000003')).toEqual(['text', 'audio']);
    expect(inputOf('0')).toEqual(['text']);
  });

  test('needs the list of models for its prices', () => {
    expect(() => moved({ models: null })).toThrow('Save https://openrouter.ai/api/v1/models');
    expect(() => moved({ models: { data: [] } })).toThrow(UnknownSource);
    expect(() => moved({ activity: 'date,model\n2026-11-01,x' })).toThrow(
      'The file has no column model_permaslug, so it is not an export of OpenRouter.',
    );
    expect(() => moved({ activity: 'model_permaslug\n"x' })).toThrow(UnknownSource);
  });

  test('says which secret is missing, or takes it along', () => {
    expect(reasons(move, 'secret')).toHaveLength(1);
    const known = moved({ apiKey: new Secret('sk-or-v1-upstream') });
    expect(known.secrets.get('OPENROUTER_API_KEY')?.reveal()).toBe('sk-or-v1-upstream');
    expect(reasons(known, 'secret')).toEqual([]);
  });
});

describe('the keys of OpenRouter', () => {
  const move = moved();
  const [account] = move.accounts;

  test('keep their names and limits', () => {
    expect(move.accounts).toHaveLength(1);
    expect(account?.name).toBe('Team');
    expect(account?.keys.map(({ name, disabled, limits }) => [name, disabled, limits])).toEqual([
      ['Search, production', false, { spend: { month: usd('100') } }],
      ['Trial', true, { spend: { total: usd('0.3') } }],
      ['sk-or-v1-3b9...4f29', false, {}],
    ]);
    expect(account?.keys[0]?.expiresAtMs).toBe(Date.parse('2027-12-31T23:59:59Z'));
    expect(reasons(move, 'key')).toEqual([
      "Search, production: Its limit also counts calls with the user's own provider keys, which do not exist here.",
      'Old: The key has expired.',
    ]);
  });

  test('have nothing left if more than their limit was spent', () => {
    const row = { hash: 'a', name: 'Spent', limit: 10, limit_remaining: -0.02, limit_reset: null };
    const [key] = moved({ keys: { data: [row] } }).accounts[0]?.keys ?? [];
    expect(key?.limits).toEqual({ spend: { total: nano(0n) } });
  });

  test('get new secrets of the own form, which nothing prints', () => {
    for (const key of account?.keys ?? []) {
      const secret = move.newKeys.get(key.ref)?.reveal() ?? '';
      expect([isWellFormed(secret), hashHex(secret), key.form]).toEqual([true, key.hash, null]);
      expect(JSON.stringify([move.left, [...move.newKeys]])).not.toContain(secret);
    }
    expect(move.newKeys.size).toBe(3);
  });

  test('have the same refs in every run, so that none is made twice', () => {
    const refs = (of: typeof move) =>
      of.accounts.flatMap(({ ref, keys }) => [ref, ...keys.map((key) => key.ref)]);
    expect(refs(moved())).toEqual(refs(move));
  });

  test('are only named without their list', () => {
    const without = moved({ keys: null });
    expect(without.accounts).toEqual([]);
    expect(reasons(without, 'key').map((each) => each.split(':')[0])).toEqual([
      'Search, production',
      'Trial',
    ]);
    expect(() => moved({ keys: { error: { code: 401 } } })).toThrow(UnknownSource);
  });

  test('are credited what the operator says', () => {
    expect(moved({ credit: usd('5') }).accounts[0]?.credits).toEqual([
      { ref: 'credit/Team', currency: 'USD', amount: usd('5') },
    ]);
  });
});
