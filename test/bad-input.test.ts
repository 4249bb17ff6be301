/**
 * Tests that invalid input is free of charge. The response has an error status. Its error has the
 * format of the path's protocol, and names a code and the invalid field.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKey } from '../src/accounts/api-key.ts';
import { systemClock } from '../src/clock.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { admin, breaches, wallet } from './support/history/ledger-views.ts';
import { PIXEL_PNG } from './support/samples.ts';
import { type Answer, ask, CHAT, hello, IMAGES, MESSAGES, read } from './support/wire.ts';

let gateway: GatewayProcess;
let untouched: readonly unknown[];
const wallets = async () => await Promise.all([wallet(gateway), wallet(gateway, 'CNY')]);
beforeAll(async () => {
  gateway = await startGateway();
  untouched = await wallets();
});
afterAll(async () => {
  // All requests in this file are invalid, so none is charged or leaves a hold.
  expect(await wallets()).toEqual(
    untouched as typeof untouched & Awaited<ReturnType<typeof wallets>>,
  );
  expect(await breaches(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
});

type Dialect = 'openai' | 'anthropic' | 'both';
type Wanted = {
  readonly status: number;
  readonly code: string;
  readonly param?: string | null;
  /** Text that the message must contain, so that the caller knows how to fix the request. */
  readonly says?: readonly string[];
  readonly dialect?: Dialect;
};

function expectRefusal(answer: Answer, wanted: Wanted): void {
  const { status, code, param = null, says = [], dialect = 'openai' } = wanted;
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^req_[0-9a-z]{26}$/);
  expect(answer.headers.get('request-id')).toBe(id);
  expect(answer.headers.get('x-should-retry')).toBe('false');
  const found = {
    type: answer.at('type'),
    code: answer.at(dialect === 'anthropic' ? 'error.details.error_code' : 'error.code'),
    param: answer.at('error.param') ?? null,
    id: answer.at('request_id'),
  };
  const isOpenAi = dialect === 'openai';
  const envelope = isOpenAi ? { type: undefined, id: undefined } : { type: 'error', id };
  expect(found).toEqual({ code, param, ...envelope });
  for (const words of says) expect(answer.at('error.message')).toContain(words);
}

const chat = (more: Readonly<Record<string, unknown>>) =>
  ask(gateway, CHAT, { ...hello.chat, ...more });
const message = (more: Readonly<Record<string, unknown>>) =>
  ask(gateway, MESSAGES, { ...hello.messages, ...more });
const image = (more: Readonly<Record<string, unknown>>) =>
  ask(gateway, IMAGES, { ...hello.image, ...more });

describe('keys', () => {
  const misspelt = () => `${gateway.key.slice(0, -1)}${gateway.key.endsWith('0') ? '1' : '0'}`;
  const unknown = generateKey(systemClock).reveal();

  test.each([
    ['missing', () => null, 'to the Gemini API as "x-goog-api-key: KEY"'],
    ['of another service', () => 'Bearer sk-proj-abc', 'begins with "sk-mg-"'],
    ['misspelt', () => `Bearer ${misspelt()}`, 'checksum'],
    ['unknown', () => `Bearer ${unknown}`, 'does not exist'],
    ['of another scheme', () => 'Basic dXNlcjpwYXNz', 'Bearer KEY'],
    ['empty', () => 'Bearer ', 'Bearer KEY'],
  ])('a key that is %s is a 401 in the dialect of the path', async (_what, header, words) => {
    const headers = { authorization: header() };
    const wanted = { status: 401, code: 'invalid_api_key', says: [words] };
    for (const path of [CHAT, '/v1/chat/completions', IMAGES]) {
      expectRefusal(await ask(gateway, path, hello.chat, headers), wanted);
    }
    for (const path of [MESSAGES, '/v2/messages', `${MESSAGES}/count_tokens`]) {
      const answer = await ask(gateway, path, hello.messages, headers);
      expectRefusal(answer, { ...wanted, dialect: 'anthropic' });
    }
    const sent = header();
    const credits = await read(
      await fetch(`${gateway.url}/v1/credits`, {
        headers: sent === null ? {} : { authorization: sent },
      }),
    );
    expectRefusal(credits, { ...wanted, dialect: 'both' });
    expect(credits.text).not.toContain(gateway.key.slice(8, 40));
  });

  test('returns 401 with the time of revocation for a revoked key, and 401 for an administrator key', async () => {
    const accounts = await admin(gateway, 'GET', '/accounts');
    const account_id = accounts.at('data.0.id');
    const made = await admin(gateway, 'POST', '/keys', { account_id, name: 'short-lived' });
    const key = String(made.at('secret'));
    expect(
      (await ask({ url: gateway.url, key }, `${MESSAGES}/count_tokens`, hello.messages)).status,
    ).toBe(200);
    await admin(gateway, 'DELETE', `/keys/${String(made.at('id'))}`);
    const refused = await ask({ url: gateway.url, key }, CHAT, hello.chat);
    expectRefusal(refused, { status: 401, code: 'invalid_api_key', says: ['was revoked on 20'] });
    const root = await ask({ url: gateway.url, key: gateway.adminToken }, CHAT, hello.chat);
    expectRefusal(root, { status: 401, code: 'invalid_api_key' });
    const caller = await admin({ ...gateway, adminToken: gateway.key }, 'GET', '/accounts');
    expectRefusal(caller, { status: 401, code: 'invalid_api_key', says: ['admin-token'] });
  });
});

describe('models and endpoints', () => {
  test('an unknown model returns 404 and suggests similar ones', async () => {
    const wanted = { status: 404, code: 'model_not_found', param: 'model', says: ['gen-opus-4-8'] };
    expectRefusal(await chat({ model: 'gen-opus-4.8' }), wanted);
    expectRefusal(await message({ model: 'gen-opus-48' }), { ...wanted, dialect: 'anthropic' });
    expectRefusal(await image({ model: 'img-4' }), { ...wanted, says: ['img-3'] });
  });

  test('a model at the wrong endpoint returns 400 and names the right one', async () => {
    const wanted = { status: 400, code: 'wrong_endpoint', param: 'model' };
    expectRefusal(await chat({ model: 'img-2' }), { ...wanted, says: ['/v2/images/generations'] });
    const drawn = { ...wanted, says: ['/v2/images/generations'], dialect: 'anthropic' } as const;
    expectRefusal(await message({ model: 'img-2' }), drawn);
    const said = ['/v2/chat/completions', '/v1/messages'];
    expectRefusal(await image({ model: 'gen-v4-pro' }), { ...wanted, says: said });
  });

  test.each([
    ['POST', '/chat/completions', 'openai', '/v2'],
    ['POST', '/v2/v1/chat/completions', 'openai', '/v2'],
    ['POST', '/messages', 'anthropic', '/v1/messages'],
    ['POST', '/v2/v1/messages', 'anthropic', '/v1/messages'],
    ['POST', '/images/generations', 'openai', '/v2'],
    ['POST', '/v1/responses/compact', 'openai', 'not offered'],
    ['POST', '/embeddings', 'openai', '/v2'],
    ['POST', '/v1/audio/speech', 'openai', '/openapi.json'],
    ['POST', '/v1/messages/batches', 'anthropic', 'not offered'],
    ['GET', '/nowhere', 'both', '/openapi.json'],
  ] as const)(
    '%s %s is a 404 in JSON that says where to go',
    async (method, path, dialect, hint) => {
      const body = method === 'POST' ? { body: JSON.stringify(hello.chat) } : {};
      const answer = await read(await fetch(`${gateway.url}${path}`, { method, ...body }));
      expectRefusal(answer, { status: 404, code: 'unknown_url', dialect, says: [hint] });
      if (dialect === 'openai' && hint === '/v2')
        expect(answer.text).toContain(`${gateway.url}/v2`);
    },
  );

  test.each([
    ['GET', CHAT, 'openai', 'OPTIONS, POST'],
    ['PUT', MESSAGES, 'anthropic', 'OPTIONS, POST'],
    ['DELETE', IMAGES, 'openai', 'OPTIONS, POST'],
    ['POST', '/v2/models', 'both', 'OPTIONS, GET, HEAD'],
  ] as const)('%s %s is a 405 that lists what is allowed', async (method, path, dialect, allow) => {
    const answer = await read(await fetch(`${gateway.url}${path}`, { method }));
    expectRefusal(answer, { status: 405, code: 'method_not_allowed', dialect });
    expect(answer.headers.get('allow')).toBe(allow);
  });
});

describe('fields', () => {
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL_PNG}` } };
  const missing = 'missing_required_parameter';
  const invalid = 'invalid_value';

  test.each<[Record<string, unknown>, string, string, string]>([
    [{ messages: undefined }, missing, 'messages', 'array'],
    [{ messages: [] }, invalid, 'messages', 'at least one'],
    [{ messages: 'Hello' }, invalid, 'messages', 'array'],
    [{ messages: [{ role: 'user', content: 7 }] }, invalid, 'messages[0].content', 'string'],
    [{ messages: [{ role: 'pope', content: 'x' }] }, invalid, 'messages[0].role', 'assistant'],
    [{ model: undefined }, missing, 'model', 'id of a chat model'],
    [{ model: 8 }, invalid, 'model', 'id of a chat model'],
    [{ stream: 'yes' }, invalid, 'stream', 'true, false'],
    [{ temperature: 3 }, invalid, 'temperature', '0 to 2'],
    [{ n: 0 }, invalid, 'n', '1 to 128'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, invalid, 'stop', 'at most 4'],
    [{ provider: 'direct' }, invalid, 'provider', 'object'],
    [{ provider: { channel: 4 } }, invalid, 'provider.channel', 'name of a channel'],
    [
      { reasoning_effort: 'extreme' },
      invalid,
      'reasoning_effort',
      'none, minimal, low, medium, high, xhigh, max',
    ],
    [{ max_completion_tokens: 128_001 }, invalid, 'max_completion_tokens', '128000'],
    [{ max_tokens: 200_000 }, invalid, 'max_tokens', '128000'],
    [{ response_format: { type: 'yaml' } }, invalid, 'response_format.type', 'json_schema'],
    [
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      invalid,
      'tools[0].function.name',
      'letters',
    ],
    [
      { provider: { channel: 'none', allow_fallbacks: false } },
      'channel_not_available',
      'provider.channel',
      'direct',
    ],
    [
      { model: 'gen-v4-pro', messages: [{ role: 'user', content: [picture] }] },
      'unsupported_modality',
      'messages[0].content[0]',
      'text',
    ],
  ])('chat %j', async (more, code, param, words) => {
    expectRefusal(await chat(more), { status: 400, code, param, says: [words] });
    expectRefusal(await chat({ ...more, stream: more['stream'] ?? true }), {
      status: 400,
      code,
      param,
    });
  });

  test.each<[Record<string, unknown>, string, string, string]>([
    [{ messages: undefined }, missing, 'messages', 'array'],
    [{ max_tokens: undefined }, missing, 'max_tokens', 'integer'],
    [{ max_tokens: 128_001 }, invalid, 'max_tokens', '128000'],
    [{ max_tokens: 1.5 }, invalid, 'max_tokens', 'integer'],
    [
      { output_config: { effort: 'extreme' } },
      invalid,
      'output_config.effort',
      'low, medium, high, xhigh, max',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, invalid, 'messages[0].role', 'tool_result'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      missing,
      'messages[0].content[0].text',
      'field required',
    ],
    [
      { thinking: { type: 'enabled', budget_tokens: 5 } },
      invalid,
      'thinking.budget_tokens',
      '1024',
    ],
    [{ provider: { channel: {} } }, invalid, 'provider.channel', 'channel'],
    [
      {
        model: 'gen-v4-flash',
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: PIXEL_PNG },
              },
            ],
          },
        ],
      },
      'unsupported_modality',
      'messages[0].content[0]',
      'text',
    ],
  ])('messages %j', async (more, code, param, words) => {
    const wanted = { status: 400, code, param, dialect: 'anthropic' } as const;
    expectRefusal(await message(more), { ...wanted, says: [words] });
    expectRefusal(await message({ ...more, stream: true }), wanted);
  });

  test.each<[Record<string, unknown>, string, string, string]>([
    [{ model: 'img-3', size: null, n: 2 }, 'n', '1', 'n: 2 on img-3'],
    [{ n: 11 }, 'n', '10', 'too many'],
    [{ size: '640x480' }, 'size', '256x256', 'a size of none'],
    [{ model: 'img-2-pro', size: '256x256' }, 'size', '1024x1024', 'a size of another model'],
    [{ model: 'img-3', size: null, quality: 'ultra' }, 'quality', 'hd', 'a quality of none'],
    [{ model: 'img-3', size: null, style: 'baroque' }, 'style', 'natural', 'a style of none'],
    [{ quality: 'hd' }, 'quality', 'img-2', 'a quality for a model without qualities'],
    [{ response_format: 'svg' }, 'response_format', 'b64_json', 'a format of none'],
    [{ prompt: undefined }, 'prompt', 'prompt', 'no prompt'],
    [{ prompt: '' }, 'prompt', 'prompt', 'an empty prompt'],
  ])('images %j', async (more, param, words) => {
    const answer = await image(more);
    expect([answer.status, answer.at('error.type')]).toEqual([400, 'invalid_request_error']);
    expect(answer.at('error.param')).toBe(param);
    expect(answer.at('error.message')).toContain(words);
  });

  test('a prompt that the policy refuses returns 400, free of charge', async () => {
    const wanted = { status: 400, code: 'content_policy_violation', param: 'prompt' };
    expectRefusal(await image({ prompt: 'a boat [refuse]' }), wanted);
  });
});

describe('bodies', () => {
  const both = [
    [CHAT, 'openai'],
    [MESSAGES, 'anthropic'],
    [IMAGES, 'openai'],
  ] as const;
  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;

  test.each([
    ['invalid JSON', '{"model": gen}'],
    ['truncated', JSON.stringify(hello.chat).slice(0, -3)],
    ['empty', ''],
    ['an array', '[]'],
    ['more than one object', '{}{}'],
    ['a number', '7'],
    ['nested too deeply', deep],
  ])('a body that is %s is a 400', async (_what, body) => {
    for (const [path, dialect] of both)
      expectRefusal(await ask(gateway, path, body), { status: 400, code: 'invalid_json', dialect });
  });

  test('an unsupported content type returns 415', async () => {
    for (const [path, dialect] of both) {
      const answer = await ask(gateway, path, hello.chat, { 'content-type': 'text/plain' });
      expectRefusal(answer, { status: 415, code: 'unsupported_media_type', dialect });
    }
  });

  const large = (bytes: number): string => `{"x":"${'a'.repeat(bytes)}"}`;
  const MIB = 1024 * 1024;

  test('a body with too large a content-length returns 413', async () => {
    const wanted = { status: 413, code: 'request_too_large' };
    expectRefusal(await ask(gateway, CHAT, large(32 * MIB)), wanted);
    expectRefusal(await ask(gateway, MESSAGES, large(32 * MIB)), {
      ...wanted,
      dialect: 'anthropic',
    });
    expectRefusal(await ask(gateway, IMAGES, large(MIB)), wanted);
    // By default, Bun itself would refuse a body of this size, with an empty response and without a
    // log line. The gateway must send its own response instead.
    expectRefusal(await ask(gateway, CHAT, large(80 * MIB)), wanted);
  });

  test('a chunked body that grows too large returns 413', async () => {
    const piece = new TextEncoder().encode(`"${'a'.repeat(64 * 1024 - 3)}",`);
    const chunked = async (path: string, bytes: number): Promise<Answer> => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(sent === 0 ? new TextEncoder().encode('{"x":[') : piece);
          sent += piece.byteLength;
          if (sent > bytes) controller.close();
        },
      });
      const headers = {
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
      };
      return await read(await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body }));
    };
    const wanted = { status: 413, code: 'request_too_large' };
    expectRefusal(await chunked(CHAT, 34 * MIB), wanted);
    expectRefusal(await chunked(MESSAGES, 34 * MIB), { ...wanted, dialect: 'anthropic' });
    expectRefusal(await chunked(IMAGES, 2 * MIB), wanted);
  });

  test('a prompt that certainly exceeds the context window returns 400', async () => {
    const content = 'a'.repeat(25 * MIB);
    const answer = await chat({ messages: [{ role: 'user', content }] });
    const wanted = { status: 400, code: 'context_length_exceeded', param: 'messages' };
    expectRefusal(answer, wanted);
  });
});
