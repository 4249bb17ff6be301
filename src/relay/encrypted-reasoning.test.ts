/** Tests requests with encrypted reasoning that the account of a route cannot read. */
import { describe, expect, test } from 'bun:test';
import { nextTurn } from '../clock.ts';
import { scanObject } from '../json/scan.ts';
import { readChatRequest } from '../protocols/chat/request.ts';
import { requestSize } from '../protocols/inputs/request-size.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
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

/** Asks two routes in an order that is drawn: the one that is asked first answers with `first`. */
async function ask(first: Answer, second: Answer = broken) {
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
  const bytes = new TextEncoder().encode(JSON.stringify({ model: 'gen', input: INPUT }));
  const body = scanObject(bytes, 64);
  const request = readChatRequest({ model: 'gen', messages: [{ role: 'user', content: 'Hi' }] });
  const order = textOrder({
    ...{ endpoint, request, body, size: requestSize(body, []), stream: false, headers: {} },
    ...{ accountId: 'acc_1', affinity: () => null, releaseBody: () => undefined },
  });
  const buyer = {
    ...{ requestId: 'req_1', trace: traceOf(null, world.shop.clock), caller: CALLER },
    ...{ signal: world.caller.signal, headers: () => ({}), onCharged: null },
  };
  const begin = () => sell(world.shop, buyer, order);
  const got = await world.drive(begin, async (response, take) => take(await response.text()));
  expect(world.left()).toEqual(NOTHING_LEFT);
  return { got, bodies, attempts: got.response?.headers.get('x-attempts'), ...world };
}

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
