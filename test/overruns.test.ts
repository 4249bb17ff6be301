/**
 * Tests answers that cost more than their holds, because the upstream reports far more tokens than
 * expected.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type GatewayNodes, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { type Client, openClients } from './support/history/history-load.ts';
import {
  admin,
  breaches,
  receiptOf,
  settledWallet,
  wallet,
} from './support/history/ledger-views.ts';
import {
  chatChunk,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, ask, at, CHAT, hello } from './support/wire.ts';

/** The number of prompt tokens that the upstream reports for a short prompt. They cost $0.90. */
const HUGE = 900_000;
const ASKED = 200;
const CAREFUL = 3;
const BODY = { ...hello.chat, model: 'scripted-chat', max_tokens: 100 };

const started = new AsyncDisposableStack();
let upstream: ScriptedUpstream;
let alone: GatewayProcess;
let shared: GatewayNodes;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const limits = `limits: { careful_answers: ${CAREFUL} }`;
  const options = { config: upstream.config({ '# limits: ': `${limits}\n# limits: ` }) };
  alone = started.use(await startGateway(options));
  shared = started.use(await startNodes(2, options));
});
afterAll(async () => {
  for (const gateway of [alone, ...shared.nodes]) expect(await breaches(gateway)).toEqual([]);
  await started.disposeAsync();
  upstream.stop();
});

const answerOf = (prompt: number, completion: number): Response =>
  Response.json({
    id: 'chatcmpl-up',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'upstream-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  });

describe.each([
  ['SQLite', () => [alone]],
  ['two nodes on one PostgreSQL', () => shared.nodes],
] as const)('on %s', (_name, nodesOf) => {
  const first = (): GatewayProcess => nodesOf()[0] ?? alone;
  const opened = async (usd: string): Promise<Client> => {
    const [client] = await openClients(first(), { USD: usd }, 1);
    if (client === undefined) throw new Error('no client');
    return client;
  };
  const askOne = ({ key }: Client): Promise<Answer> => ask({ ...first(), key }, CHAT, BODY);
  const askAll = ({ key }: Client): readonly Promise<Answer>[] =>
    Array.from({ length: ASKED }, (_, index) =>
      ask({ ...(nodesOf()[index % nodesOf().length] ?? alone), key }, CHAT, BODY),
    );
  const overrunsOf = async ({ accountId }: Client): Promise<Answer> =>
    await admin(first(), 'GET', `/ledger/overruns?account_id=${accountId}`);

  test('after one, 200 requests at once are served one at a time until enough stay within', async () => {
    const client = await opened('10');
    upstream.script(() => answerOf(HUGE, 5));
    expect((await askOne(client)).headers.get('x-cost')).toBe('0.900010000 USD');
    const gate = Promise.withResolvers<void>();
    let refusals = 0;
    const before = upstream.calls.length;
    upstream.script(async () => {
      await gate.promise;
      return answerOf(HUGE, 5);
    });
    const all = askAll(client);
    const refused = await Promise.all(
      all.map(async (asked) => {
        const answer = await asked;
        if (answer.status === 429) refusals += 1;
        if (refusals === ASKED - 1) gate.resolve();
        return answer;
      }),
    );
    expect(upstream.calls.length - before).toBe(1);
    const busy = refused.filter(({ status }) => status !== 200);
    expect(busy).toHaveLength(ASKED - 1);
    expect(new Set(busy.map((answer) => answer.at('error.code')))).toEqual(
      new Set(['one_request_at_a_time']),
    );
    expect(busy[0]?.headers.get('retry-after')).toBe('5');
    const owner = { ...first(), ...client };
    expect(await settledWallet(owner)).toEqual({ balance: 8_199_980_000n, held: 0n });

    upstream.script(() => answerOf(10, 5));
    for (let answer = 0; answer < CAREFUL; answer++) {
      expect((await askOne(client)).status).toBe(200);
    }
    const again = await Promise.all([askOne(client), askOne(client), askOne(client)]);
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await overrunsOf(client)).at('data')).toMatchObject([
      { price: '0.900010000', charge: '0.900010000', loss: '0.000000000', cause: 'input' },
      { price: '0.900010000', model: 'scripted-chat', unpriced: [], careful_answers: 0 },
    ]);
  });

  test('a wallet of 1 USD buys one such answer, and nothing is lost', async () => {
    const client = await opened('1');
    upstream.script(() => answerOf(HUGE, 5));
    expect((await askOne(client)).status).toBe(200);
    const refused = await Promise.all(askAll(client));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([402]));
    expect(refused[0]?.at('error')).toMatchObject({
      code: 'insufficient_balance',
      available: '0.09999',
      required: '0.2002',
    });
    const left = { balance: 99_990_000n, held: 0n };
    expect(await wallet({ ...first(), ...client })).toEqual(left);
  });

  test('what the wallet cannot pay is a loss that the list shows', async () => {
    const client = await opened('0.5');
    upstream.script(() => answerOf(HUGE, 5));
    expect((await askOne(client)).status).toBe(200);
    expect((await overrunsOf(client)).at('data')).toMatchObject([
      { charge: '0.500000000', loss: '0.400010000', careful_answers: CAREFUL },
    ]);
  });

  test('a stream of short tokens extends its hold instead', async () => {
    const client = await opened('1');
    upstream.script(() =>
      eventStream([
        chatChunk({ content: 'Hi.' }),
        chatChunk({}, 'stop'),
        chatUsage(10, 9_000),
        'data: [DONE]\n\n',
      ]),
    );
    const caller = { ...first(), ...client };
    const answer = await ask(caller, CHAT, { ...BODY, max_tokens: 10_000, stream: true });
    const receipt = await receiptOf(caller, answer.headers.get('x-request-id') ?? '');
    expect(at(receipt.at('data'), 'cost_exact')).toBe('0.018010000');
    expect((await overrunsOf(client)).at('data')).toEqual([]);
  });
});
