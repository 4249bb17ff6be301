import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { checkFile } from '../../config/check-file.ts';
import { Secret } from '../../config/secret.ts';
import { parseYaml } from '../../config/yaml-file.ts';
import type { MoveIn } from '../move-in.ts';
import { UnknownSource } from '../source-tables.ts';
import { type LiteLlmSource, moveInFromLiteLlm } from './litellm.ts';
import { priceFileOf } from './litellm-prices.ts';

const FIXTURES = join(import.meta.dir, 'fixtures');
const text = (name: string): Promise<string> => Bun.file(join(FIXTURES, name)).text();
const PRICES = priceFileOf(await text('prices.json'));
const CONFIG = parseYaml(await text('config.yaml'), 'config.yaml').value;
const VARIABLES = { OPENAI_API_KEY: 'sk-openai-0123456789' };

const moved = (given: Partial<LiteLlmSource> = {}): MoveIn =>
  moveInFromLiteLlm({
    config: CONFIG,
    database: null,
    saltKey: null,
    prices: PRICES,
    variables: VARIABLES,
    credit: null,
    nowMs: 0,
    ...given,
  });
/** Converts one deployment that has prices. */
const one = (params: object, info: object = {}, given: Partial<LiteLlmSource> = {}): MoveIn => {
  const costs = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const model_info = { max_input_tokens: 1000, max_output_tokens: 100, ...info };
  const row = { model_name: 'm', litellm_params: { ...costs, ...params }, model_info };
  return moved({ config: { model_list: [row] }, ...given });
};
const reasonsOf = ({ left }: MoveIn, what: string): readonly string[] =>
  left.filter((each) => each.what === what).map(({ name, reason }) => `${name}: ${reason}`);

describe('a config.yaml of LiteLLM', () => {
  const move = moved();
  const { upstreams, models } = move.settings;

  test('becomes settings that the gateway accepts', () => {
    const written = JSON.stringify({ upstreams, models }).replaceAll(/\$\{secret:\w+\}/g, 'key');
    expect(() => checkFile(parseYaml(written, 'moved'), 0)).not.toThrow();
  });

  test('has one model per name, and a route per deployment', () => {
    expect(Object.keys(models)).toEqual([
      'gpt-4.1',
      'claude',
      'bedrock-haiku',
      'own',
      'embed',
      'gpt-4',
    ]);
    expect(models['gpt-4.1']).toEqual({
      kind: 'chat',
      maker: 'openai',
      context_window: 1047576,
      max_output: 32768,
      input: ['text', 'image'],
      default_channel: 'direct',
      channels: {
        direct: {
          price: { input: '2', output: '8', cache_read: '0.5' },
          routes: [
            { upstream: 'openai', model: 'gpt-4.1', weight: 300 },
            { upstream: 'azure', model: 'my-gpt41', weight: 100 },
          ],
        },
      },
    });
    expect(models['gpt-4']).toBe(models['gpt-4.1']);
    expect(reasonsOf(move, 'alias')).toEqual([
      'lost: It is an alias of nothing, which is not imported.',
    ]);
  });

  test('names the servers as the gateway calls them, with references to secrets', () => {
    expect(upstreams).toEqual({
      openai: {
        ...{ protocol: 'openai', make: 'openai', base_url: 'https://api.openai.com/v1' },
        api_key: `\${secret:OPENAI_API_KEY}`,
      },
      azure: {
        ...{ protocol: 'openai', make: 'openai' },
        base_url: 'https://res.openai.azure.com/openai/v1',
        api_key: `\${secret:AZURE_API_KEY}`,
      },
      anthropic: {
        ...{ protocol: 'anthropic', make: 'anthropic', base_url: 'https://api.anthropic.com' },
        api_key: `\${secret:ANTHROPIC_API_KEY}`,
      },
      bedrock: {
        ...{ protocol: 'anthropic', make: 'anthropic' },
        base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic',
        sign_in: {
          ...{ kind: 'aws', region: 'us-east-1', access_key_id: `\${secret:AWS_ACCESS_KEY_ID}` },
          secret_access_key: `\${secret:AWS_SECRET_ACCESS_KEY}`,
        },
      },
      'hosted-vllm': {
        ...{ protocol: 'openai', make: 'vllm', base_url: 'http://10.0.0.5:8000/v1' },
        ...{ allow_private: true, api_key: 'none' },
      },
      'openai-2': {
        ...{ protocol: 'openai', make: 'openai', base_url: 'https://api.openai.com/v1' },
        api_key: `\${secret:OPENAI_API_KEY_2}`,
      },
      groq: {
        ...{ protocol: 'openai', base_url: 'https://api.groq.com/openai/v1' },
        api_key: `\${secret:GROQ_API_KEY}`,
      },
    });
    const values = [...move.secrets].map(([name, secret]) => [name, secret.reveal()]);
    expect(Object.fromEntries(values)).toEqual({
      OPENAI_API_KEY: 'sk-openai-0123456789',
      AZURE_API_KEY: 'azure-key-0123456789',
      OPENAI_API_KEY_2: 'sk-shared-0123456789',
      GROQ_API_KEY: 'gsk-0123456789',
    });
  });

  test('has exact prices: its own, or those of the price data', () => {
    const priceOf = (name: string) => Object(models[name])['channels'].direct.price;
    expect(priceOf('own')).toEqual({ input: '0.3', output: '1.2' });
    expect(priceOf('embed')).toEqual({ input: '0.02' });
    expect(priceOf('claude')).toEqual({
      ...{ input: '3', output: '15', cache_read: '0.3', cache_write: '3.75', cache_write_1h: '6' },
    });
    expect(priceOf('bedrock-haiku')).toMatchObject({ input: '1.1', output: '5.5' });
  });

  test('takes the size from what is known, and not from defaults of requests', () => {
    expect(models['own']).toMatchObject({ context_window: 32768, max_output: 4096 });
  });

  test('reports what stays behind', () => {
    expect(move.left.map(({ what, name }) => `${what} ${name}`)).toEqual([
      'section guardrails',
      'setting litellm_settings.callbacks',
      'setting litellm_settings.fallbacks',
      'setting general_settings.master_key',
      'setting router_settings.routing_strategy',
      'parameter temperature claude',
      'parameter timeout claude',
      'parameter max_tokens own',
      'model groq/*',
      'deployment rerank (cohere/rerank-v3.5)',
      'model unpriced',
      'alias lost',
      'secret ANTHROPIC_API_KEY',
      'secret AWS_ACCESS_KEY_ID',
      'secret AWS_SECRET_ACCESS_KEY',
    ]);
    expect(reasonsOf(move, 'deployment')).toEqual([
      'rerank (cohere/rerank-v3.5): The gateway does not speak the protocol of cohere.',
    ]);
  });
});

describe('a deployment', () => {
  const upstreamOf = (params: object) => Object.values(one(params).settings.upstreams)[0];
  const routeOf = (params: object) => {
    const { models } = one(params).settings;
    return Object(models['m'])['channels'].direct.routes[0].model;
  };

  test('at another address than the provider has no make', () => {
    const params = { model: 'openai/x', api_base: 'https://llm.example/v1', api_key: 'k-1' };
    expect(upstreamOf(params)).toEqual({
      ...{ protocol: 'openai', base_url: 'https://llm.example/v1' },
      api_key: `\${secret:OPENAI_API_KEY}`,
    });
  });

  test.each([
    [{ model: 'ollama_chat/llama3' }, 'http://localhost:11434/v1'],
    [{ model: 'ollama/llama3', api_base: 'http://gpu:11434' }, 'http://gpu:11434/v1'],
    [{ model: 'deepseek/deepseek-chat' }, 'https://api.deepseek.com'],
    [{ model: 'x', custom_llm_provider: 'mistral' }, 'https://api.mistral.ai/v1'],
    [
      { model: 'bedrock/eu-west-1/openai.gpt-oss-120b-1:0' },
      'https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1',
    ],
    [
      { model: 'vertex_ai/gemini-3-pro', vertex_project: 'p', vertex_credentials: '/key.json' },
      'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/endpoints/openapi',
    ],
  ])('of %p is called at %s', (params, url) => {
    expect(upstreamOf(params)).toMatchObject({ base_url: url });
  });

  test('has the name that its server knows', () => {
    expect(routeOf({ model: 'fireworks_ai/llama-v3' })).toBe('accounts/fireworks/models/llama-v3');
    expect(routeOf({ model: 'openrouter/openai/gpt-5' })).toBe('openai/gpt-5');
    const vertex = { vertex_project: 'p', vertex_credentials: '{}' };
    expect(routeOf({ model: 'gemini-3-pro', ...vertex })).toBe('google/gemini-3-pro');
  });

  test.each([
    [{ model: 'cohere_chat/command' }, 'The gateway does not speak the protocol of cohere_chat.'],
    [{ model: 'mystery' }, 'Its provider is unknown.'],
    [{ model: 'vertex_ai/claude-sonnet-5' }, 'Only Gemini can be called on Vertex AI.'],
    [{ model: 'bedrock/anthropic.claude' }, 'Its AWS region is not given.'],
    [
      { model: 'bedrock/anthropic.claude', aws_region_name: 'eu-west-1', aws_role_name: 'r' },
      'It signs in to AWS by aws_role_name.',
    ],
    [{ model: 'azure/x' }, 'Azure needs an api_base.'],
    [
      { model: 'openai/x', api_base: 'os.environ/BASE' },
      'Its address is in os.environ/BASE, which is not set here.',
    ],
  ])('%p stays behind', (params, reason) => {
    const move = one(params);
    expect(move.settings.models).toEqual({});
    expect(move.left.map((each) => each.reason)).toContain(reason);
  });

  test('is charged at the highest price of its model', () => {
    const row = (cost: number) => ({
      model_name: 'm',
      litellm_params: {
        model: 'openai/x',
        input_cost_per_token: cost,
        output_cost_per_token: cost,
      },
    });
    const move = moved({ config: { model_list: [row(1e-6), row(1.23456789e-7), row(3e-6)] } });
    expect(Object(move.settings.models['m'])['channels'].direct.price).toEqual({
      input: '3',
      output: '3',
    });
    expect(reasonsOf(move, 'price')).toEqual([
      'm: Its deployments have different prices. The highest is charged.',
    ]);
    expect(reasonsOf(move, 'size')).toHaveLength(1);
  });

  test('is charged at the highest price of each kind of tokens and length of prompt', () => {
    const row = (input: number, output: number, more: object = {}) => ({
      model_name: 'm',
      litellm_params: {
        ...{ model: 'openai/x', input_cost_per_token: input, output_cost_per_token: output },
        ...more,
      },
      model_info: { max_input_tokens: 1_000_000, max_output_tokens: 100 },
    });
    const long = { input_cost_per_token_above_200k_tokens: 5e-6 };
    const cached = { cache_read_input_token_cost: 1e-7 };
    const move = moved({
      config: { model_list: [row(1e-6, 9e-6, cached), row(2e-6, 4e-6, long)] },
    });
    expect(Object(move.settings.models['m'])['channels'].direct.price).toEqual({
      ...{ input: '2', output: '9', cache_read: '0.1' },
      rows: [{ when: { prompt_over: 200000 }, input: '5', output: '9', cache_read: '0.1' }],
    });
  });

  test('with a weight of zero has no route, unless all have it, and one like another adds to it', () => {
    const routes = (...weights: number[]) => {
      const costs = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
      const model_list = weights.map((weight) => ({
        model_name: 'm',
        litellm_params: { model: `openai/x${weight}`, weight, order: weight + 1, ...costs },
      }));
      const { models } = moved({ config: { model_list } }).settings;
      return Object(models['m'])['channels'].direct.routes;
    };
    expect(routes(0, 2, 6)).toEqual([
      { upstream: 'openai', model: 'x2', weight: 2, priority: 3 },
      { upstream: 'openai', model: 'x6', weight: 6, priority: 7 },
    ]);
    expect(routes(2, 6, 2)).toEqual([
      { upstream: 'openai', model: 'x2', weight: 4, priority: 3 },
      { upstream: 'openai', model: 'x6', weight: 6, priority: 7 },
    ]);
    expect(routes(0, 0)).toEqual([{ upstream: 'openai', model: 'x0', priority: 1 }]);
  });

  test('has a price of at most six decimals, which is rounded up', () => {
    const move = one({ model: 'openai/x', input_cost_per_token: 1.23456789e-7 });
    expect(Object(move.settings.models['m'])['channels'].direct.price.input).toBe('0.123457');
    expect(reasonsOf(move, 'price')).toHaveLength(1);
  });

  test('has the prices of long prompts', () => {
    const above = { input_cost_per_token_above_200k_tokens: 2e-6 };
    const costs = { cache_read_input_token_cost: 1e-7, ...above };
    const move = one({ model: 'openai/x', ...costs }, { max_input_tokens: 1_000_000 });
    expect(Object(move.settings.models['m'])['channels'].direct.price).toEqual({
      ...{ input: '1', output: '2', cache_read: '0.1' },
      rows: [{ when: { prompt_over: 200000 }, input: '2', output: '2', cache_read: '0.1' }],
    });
  });

  test('leaves behind what makes an upstream or a route invalid', () => {
    const fields = ['reasoning_effort', 'tools[*].strict', 'max_tokens'];
    const move = one({ model: 'openai/x', additional_drop_params: fields });
    expect(Object(move.settings.models['m'])['channels'].direct.routes).toEqual([
      { upstream: 'openai', model: 'x', drop: ['reasoning_effort'] },
    ]);
    expect(reasonsOf(move, 'parameter additional_drop_params')).toEqual([
      'm: A route cannot drop tools[*].strict, max_tokens.',
    ]);
    const signed = one({ model: 'openai/x', api_base: 'https://user:secret@example.com/v1' });
    expect(reasonsOf(signed, 'deployment')).toEqual(['m (openai/x): Its address is invalid.']);
  });

  test('accepts audio only if audio has a price, which the gateway requires', () => {
    const inputOf = (params: object) => {
      const move = one({ model: 'openai/x', ...params }, { supports_audio_input: true });
      return [Object(move.settings.models['m']).input, reasonsOf(move, 'input')];
    };
    expect(inputOf({ input_cost_per_audio_token: 1e-6 })).toEqual([['text', 'audio'], []]);
    const reason = 'm: Audio has no price of its own, so the model accepts no audio here.';
    expect(inputOf({})).toEqual([['text'], [reason]]);
  });

  test('has no prices of prompts that its context window excludes', () => {
    const steps = {
      input_cost_per_token_above_200k_tokens: 2e-6,
      input_cost_per_token_above_512k_tokens: 3e-6,
    };
    const rowsOf = (max_input_tokens: number) =>
      Object(one({ model: 'openai/x', ...steps }, { max_input_tokens }).settings.models['m'])[
        'channels'
      ].direct.price.rows?.map(({ when }: { when: object }) => when);
    expect(rowsOf(200_000)).toBeUndefined();
    expect(rowsOf(512_000)).toEqual([{ prompt_over: 200_000 }]);
    expect(rowsOf(1_000_000)).toEqual([{ prompt_over: 200_000 }, { prompt_over: 512_000 }]);
  });

  test('with its own price has it for long prompts too, whatever the price data says', () => {
    const above = { input_cost_per_token_above_200k_tokens: 5e-7 };
    const prices = new Map([['openai/x', { litellm_provider: 'openai', ...above }]]);
    const move = one({ model: 'openai/x' }, { max_input_tokens: 1_000_000 }, { prices });
    const { price } = Object(move.settings.models['m'])['channels'].direct;
    expect(price).toEqual({ input: '1', output: '2' });
  });

  test('without a price is not sold, and zero in price data is not a price', () => {
    const config = { model_list: [{ model_name: 'm', litellm_params: { model: 'openai/free' } }] };
    const zero = { litellm_provider: 'openai', input_cost_per_token: 0, output_cost_per_token: 0 };
    for (const prices of [null, new Map([['openai/free', zero]])]) {
      const move = moved({ config, prices });
      expect(move.settings.models).toEqual({});
      expect(reasonsOf(move, 'model')[0]).toStartWith('m: It has no price, so it cannot be sold.');
    }
    const free = one({ model: 'openai/x', input_cost_per_token: 0, output_cost_per_token: 0 });
    expect(free.settings.models).toHaveProperty('m');
  });
});

test('two keys of one name are two secrets, whichever comes first', () => {
  const row = (name: string, api_key: string) => ({
    model_name: name,
    litellm_params: { model: 'openai/x', api_key },
  });
  const rows = [
    row('a', 'sk-written'),
    row('b', 'os.environ/OPENAI_API_KEY'),
    row('c', 'sk-written'),
  ];
  const move = moved({ config: { model_list: rows } });
  expect([...move.secrets].map(([name, secret]) => [name, secret.reveal()])).toEqual([
    ['OPENAI_API_KEY', 'sk-written'],
    ['OPENAI_API_KEY_2', 'sk-openai-0123456789'],
  ]);
  expect(Object.keys(move.settings.upstreams)).toEqual(['openai', 'openai-2']);
});

describe('a source', () => {
  test('that is not a config.yaml is refused with a sentence', () => {
    expect(() => moved({ config: { services: {} } })).toThrow(UnknownSource);
    expect(() => moved({ config: [] })).toThrow('The file is not a config.yaml of LiteLLM');
  });

  test('shows no credential when printed', () => {
    const move = moved({ saltKey: new Secret('sk-salt') });
    expect(JSON.stringify([move.settings, [...move.secrets], move.left])).not.toContain(
      '0123456789',
    );
  });

  test('is read the same in every run', () => {
    expect(JSON.stringify(moved())).toBe(JSON.stringify(moved()));
  });
});

test('a text that is not price data of LiteLLM is not read as one', () => {
  expect([priceFileOf('{"a":1}'), priceFileOf('[]'), priceFileOf('no')]).toEqual([
    null,
    null,
    null,
  ]);
});
