/** Tests requests to upstreams that speak Responses: their bytes, endings, charges and retries. */
import { describe, expect, test } from 'bun:test';
import { nextTurn } from '../clock.ts';
import { scanObject } from '../json/scan.ts';
import { requestSize } from '../protocols/inputs/request-size.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { readResponsesRequest } from '../protocols/responses/request.ts';
import { Seals } from '../protocols/responses/seal.ts';
import { traceOf } from '../protocols/trace-context.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { NOTHING_LEFT, openWorld } from './sale-world.fixture.ts';
import { CALLER, CATALOGUE } from './scheduled-upstreams.fixture.ts';
import { sell } from './sell.ts';
import { responsesEndpoint } from './text-endpoints.ts';
import { textOrder } from './text-goods.ts';

const endpoint = responsesEndpoint(new Seals('the secret of this installation'), false);
const LIMITS = {
  ...{ keepAliveMs: 15_000, idleTimeoutMs: 30_000, stallTimeoutMs: 60_000, totalTimeoutMs: 90_000 },
  ...{ firstByteTimeoutMs: 4_000, firstEventHoldMs: 1_500, readOnMs: 2_000 },
  ...{ maxAnswerBytes: 10_000, maxEventBytes: 10_000 },
};

type Body = Readonly<Record<string, unknown>>;
type Answer = (body: Body) => Response;
const isReasoning = (item: unknown): boolean => JSON.stringify(item).includes('"reasoning"');
const hasReasoning = ({ input }: Body): boolean => Array.isArray(input) && input.some(isReasoning);

const refused = (): Response =>
  Response.json(
    {
      error: {
        message: 'The encrypted content gAAA... is bad.',
        code: 'invalid_encrypted_content',
      },
    },
    { status: 400 },
  );
const whole = (): Response =>
  Response.json({
    id: 'resp_1',
    status: 'completed',
    model: 'm',
    output: [],
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  });
const broken = (): Response => Response.json({ error: { message: 'no' } }, { status: 500 });
const reader: Answer = (body) => (hasReasoning(body) ? refused() : whole());

const INPUT = [
  { type: 'message', role: 'user', content: 'Hi' },
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'add', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: '2' },
];
const BARE = [
  { type: 'message', role: 'user', content: 'Hi' },
  { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: '2' },
];

/**
 * Sends a request to two routes in random order. The route that is called first answers with
 * `first`, the other with `second`.
 */
async function ask(first: Answer, second: Answer = broken, stream = false, members: Body = {}) {
  const bodies: (readonly [string, Body])[] = [];
  const asked: string[] = [];
  const placeOf = (name: string): number => {
    if (!asked.includes(name)) asked.push(name);
    return asked.indexOf(name);
  };
  const upstream = (name: string): Upstream => ({
    name,
    formats: new Set(['responses']),
    quirks: NO_QUIRKS,
    fields: PLAIN_FIELDS,
    firstByteTimeoutMs: null,
    hidden: [],
    send: async ({ body }) => {
      const json: Body = JSON.parse(new TextDecoder().decode(body));
      const isFirst = placeOf(name) === 0;
      bodies.push([isFirst ? 'first' : 'second', json]);
      await nextTurn();
      return isFirst ? first(json) : second(json);
    },
  });
  const options = { catalogue: CATALOGUE, limits: LIMITS, balance: 10n ** 12n, ledgerMs: 0 };
  const world = openWorld({ ...options, events: [] }, () => [
    upstream('costly-1'),
    upstream('costly-2'),
  ]);
  const bytes = new TextEncoder().encode(
    JSON.stringify({ model: 'gen', input: INPUT, ...members }),
  );
  const body = scanObject(bytes, 64);
  const request = readResponsesRequest(body.view());
  const order = textOrder({
    ...{ endpoint, request, body, size: requestSize(body, []), stream, headers: {} },
    ...{ accountId: 'acc_1', affinity: () => null, call: { releaseBody: () => undefined } },
  });
  const buyer = {
    ...{ requestId: 'req_1', trace: traceOf(null, world.shop.clock), caller: CALLER },
    ...{ signal: world.caller.signal, headers: () => ({}), onCharged: null },
  };
  const begin = () => sell(world.shop, buyer, order);
  const got = await world.drive(begin, async (response, take) => take(await response.text()));
  expect(world.left()).toEqual(NOTHING_LEFT);
  const [settled] = world.ledger.settlements;
  return { got, bodies, settled, attempts: got.response?.headers.get('x-attempts'), ...world };
}

const START = {
  type: 'response.created',
  sequence_number: 0,
  response: { id: 'resp_1', usage: null },
};
const DELTA = { type: 'response.output_text.delta', sequence_number: 1, delta: 'Hi' };
const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
const ending = (name: string, members: Body = {}): Body => ({
  type: `response.${name}`,
  sequence_number: 2,
  response: { id: 'resp_1', status: name, output: [], usage, ...members },
});
const wire = (...events: readonly Body[]): string =>
  events.map((json) => `event: ${json['type']}\ndata: ${JSON.stringify(json)}\n\n`).join('');
/** Answers with a stream that arrives in these chunks. */
function streamed(...chunks: readonly string[]): Response {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await nextTurn();
      const chunk = left.shift();
      if (chunk === undefined) controller.close();
      else if (chunk.byteLength > 0) controller.enqueue(chunk);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
const typesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^event: (.+)$/gm)].map(([, type = '']) => type);

describe('a stream', () => {
  test('passes, and is charged by the usage of its last event', async () => {
    const text = wire(START, DELTA, ending('completed'));
    const { got, settled } = await ask(() => streamed(text), broken, true);
    expect(typesIn(got.text)).toEqual(typesIn(text));
    expect(got.text).toContain('"total_tokens":18');
    expect(got.text).toContain('"cost":');
    expect(settled?.receipt).toMatchObject({
      outcome: 'completed',
      estimated: false,
      usage: { input: 11, output: 7 },
    });
  });

  test('that is incomplete is charged by its usage too', async () => {
    const last = ending('incomplete', { incomplete_details: { reason: 'max_output_tokens' } });
    const { settled } = await ask(() => streamed(wire(START, DELTA, last)), broken, true);
    expect(settled?.receipt).toMatchObject({
      outcome: 'completed',
      usage: { input: 11, output: 7 },
    });
  });

  test('that fails ends with both events, and is charged by the usage that it reports', async () => {
    const last = ending('failed', { error: { code: 'server_error', message: 'sk-secret' } });
    const { got, settled } = await ask(
      () => streamed(wire(START, DELTA), wire(last)),
      broken,
      true,
    );
    expect(typesIn(got.text).slice(2)).toEqual(['error', 'response.failed']);
    expect(got.text).not.toContain('sk-secret');
    expect(settled?.receipt).toMatchObject({
      outcome: 'upstream_error',
      estimated: false,
      usage: { input: 11, output: 7 },
    });
  });

  test('that fails before any output is free', async () => {
    const last = ending('failed', { error: { code: 'server_error', message: 'no' } });
    const { got, settled } = await ask(() => streamed(wire(START), wire(last)), broken, true);
    expect(typesIn(got.text)).toEqual(['response.created', 'error', 'response.failed']);
    expect(Number(settled?.charge)).toBe(0);
  });

  test.each([
    ['a non-streaming answer', whole],
    ['an error with status 200', () => streamed('data: {"error":{"message":"no"}}\n\n')],
    ['a stream that begins with its content', () => streamed(wire(DELTA, START))],
    ['nothing', () => streamed('')],
  ])('is asked of the next route after %s', async (_, first) => {
    const text = wire(START, DELTA, ending('completed'));
    const { got, bodies } = await ask(first, () => streamed(text), true);
    expect(bodies.map(([name]) => name)).toEqual(['first', 'second']);
    expect(typesIn(got.text).at(-1)).toBe('response.completed');
  });

  test('that is cut after any byte ends with a failure, once', async () => {
    const text = wire(START, DELTA, ending('completed'));
    const begun = wire(START).length;
    for (let cut = begun; cut < text.trimEnd().length; cut++) {
      const { got, settled, counts } = await ask(() => streamed(text.slice(0, cut)), broken, true);
      const types = typesIn(got.text);
      if (types.slice(-2).join() !== 'error,response.failed') throw new Error(`cut at ${cut}`);
      expect(types.filter((type) => type === 'response.failed').length).toBe(1);
      expect([counts.settled, settled?.receipt.outcome]).toEqual([1, 'upstream_truncated']);
    }
  });
});

describe('an answer', () => {
  test('is asked of the next route after an error with status 200', async () => {
    const failed = { status: 'failed', output: [], error: { code: 'server_error', message: 'no' } };
    const { bodies, settled } = await ask(() => Response.json(failed), whole);
    expect(bodies.map(([name]) => name)).toEqual(['first', 'second']);
    expect(settled?.receipt).toMatchObject({
      outcome: 'completed',
      usage: { input: 11, output: 7 },
    });
  });

  test("has none of the provider's headers, some of which Codex shows as warnings", async () => {
    const unsafe = { 'openai-model': 'other', 'x-codex-turn-state': 'x', 'x-models-etag': 'y' };
    const headers = { ...unsafe, 'content-type': 'text/event-stream' };
    const text = wire(START, ending('completed'));
    const { got } = await ask(() => new Response(text, { headers }), broken, true);
    for (const name of Object.keys(unsafe)) expect(got.response?.headers.get(name)).toBeNull();
  });
});

test('a web search that the card does not sell is left out of the bytes, as Codex sends it', async () => {
  const add = { type: 'function', name: 'add', parameters: {}, strict: false };
  const tools = [{ type: 'namespace', name: 'mcp', tools: [add] }, { type: 'web_search' }];
  const more = {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'web_search' }, add],
  };
  const { bodies, got } = await ask(whole, broken, false, { tools, input: [...INPUT, more] });
  const [[, sent = {}] = []] = bodies;
  expect(sent['tools']).toEqual(tools.slice(0, 1));
  expect(sent['input']).toEqual([...INPUT, { ...more, tools: [add] }]);
  expect(got.response?.headers.get('x-ignored-fields')).toBe('web_search, web_search');
});

test('other tools of the provider are refused before anything is sent', async () => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }];
  const { got, bodies, settled } = await ask(whole, broken, false, { tools });
  expect(got.error).toMatchObject({ status: 400, param: 'tools[0].type' });
  expect([bodies.length, settled]).toEqual([0, undefined]);
});

describe('a route that cannot read the reasoning', () => {
  test('is asked once more without it, without ids and under the same hold', async () => {
    const { got, bodies, attempts, counts } = await ask(reader);
    const [[, asked = {}] = [], [, again = {}] = []] = bodies;
    expect(asked['input']).toEqual(INPUT);
    expect(asked['include']).toEqual(['reasoning.encrypted_content']);
    expect(again['input']).toEqual(BARE);
    expect(again).not.toHaveProperty('include');
    expect([bodies.length, attempts]).toEqual([2, 'direct:400, direct:200']);
    expect([got.response?.status, counts.settled]).toEqual([200, 1]);
    expect(JSON.parse(got.text)).toMatchObject({ usage: { input_tokens: 11, output_tokens: 7 } });
  });

  test('is not asked a third time', async () => {
    const { got, bodies, counts } = await ask(refused);
    expect(got.error).toMatchObject({ code: 'invalid_encrypted_content', status: 400 });
    expect([bodies.length, counts.settled]).toEqual([2, 1]);
  });

  test('that fails then is followed by another, which gets the reasoning', async () => {
    const { bodies, attempts } = await ask(
      (body) => (hasReasoning(body) ? refused() : broken()),
      whole,
    );
    expect(bodies.map(([name, body]) => [name, hasReasoning(body)])).toEqual([
      ['first', true],
      ['first', false],
      ['second', true],
    ]);
    expect(attempts).toBe('direct:400, direct:500, direct:200');
  });

  test('says so in the answer with status 200', async () => {
    const reported: Answer = (body) =>
      hasReasoning(body)
        ? Response.json({ error: { message: 'no', code: 'invalid_encrypted_content' } })
        : whole();
    const { bodies, attempts } = await ask(reported);
    expect(bodies.length).toBe(2);
    expect(attempts).toBe('direct:invalid_encrypted_content, direct:200');
  });
});

test('a model without reasoning is asked once more without asking for it', async () => {
  const plain: Answer = ({ include }) =>
    include === undefined
      ? whole()
      : Response.json(
          {
            error: {
              message: 'Encrypted content is not supported with this model.',
              param: 'include',
              code: null,
            },
          },
          { status: 400 },
        );
  const { got, attempts } = await ask(plain);
  expect([got.response?.status, attempts]).toEqual([200, 'direct:400, direct:200']);
});

test('a route is not asked again for any other mistake', async () => {
  const other: Answer = () => Response.json({ error: { message: 'no' } }, { status: 400 });
  const { got, bodies } = await ask(other);
  expect(got.error?.code).toBe('upstream_rejected_request');
  expect(bodies.length).toBe(1);
});
