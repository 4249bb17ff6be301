/**
 * For tests: checks how a client library handles errors, truncated streams, and thinking that it
 * must send back. A scripted upstream answers the library's requests.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { modelOver, startTurnsGateway, type TurnsGateway } from '../gateways/turns-gateway.ts';
import { newAccountKey, settledWallet } from '../history/ledger-views.ts';
import { receivedRequest } from '../upstreams/received-request.ts';
import {
  answerTurn,
  dialectOf,
  type Turn,
  turnEvents,
  type UpstreamDialect,
} from '../upstreams/scripted-turns.ts';
import { eventStream, type UpstreamCall } from '../upstreams/scripted-upstream.ts';
import { at } from '../wire.ts';
import { clientRow, exceptionOf, reachedFrom } from './client-table.ts';
import type { Judge, Target } from './judge.ts';

const usage = { input: 1_000, cached: 200, output: 50, reasoning: 20 };
const SEAL = 'c2VhbC1vZi10aGUtdXBzdHJlYW0=';
const THOUGHT = 'I should look at the weather.';
const ASKING: Turn = {
  parts: [
    { thinking: THOUGHT, seal: SEAL },
    { text: 'I will look.' },
    { call: 'get_weather', id: 'call_weather', input: { city: 'Paris' } },
  ],
  usage,
};
const ANSWER = 'It is fine in Paris.';
const ANSWERING: Turn = { parts: [{ text: ANSWER }], usage };
/** The error message of the upstream, which must reach the caller. */
export const REASON = 'tone must be one of calm, brisk';

/**
 * Returns the part of its earlier thinking that an upstream must get back. On chat it is the text,
 * otherwise the seal (a signature or encrypted content).
 */
const wantedBack = (upstream: UpstreamDialect): string => (upstream === 'chat' ? THOUGHT : SEAL);

/** Returns a script that answers each request with the next turn. */
export function inTurn(...turns: readonly Turn[]): (call: UpstreamCall) => Response {
  const left = [...turns];
  return (call) => {
    const turn = left.shift();
    if (turn === undefined) throw new Error('more requests than scripted turns');
    return answerTurn(call, turn);
  };
}

export const failing = (status: number) => (call: UpstreamCall) => {
  const type = status === 400 ? 'invalid_request_error' : 'overloaded_error';
  const error = { type, message: REASON };
  const body = dialectOf(call) === 'messages' ? { type: 'error', error } : { error };
  return Response.json(body, { status });
};

type Failure = { readonly status: number; readonly message: string };

/**
 * Returns the status and message of an error that a library threw. Libraries store the status in
 * different properties, and some wrap the error.
 */
function failureOf(thrown: unknown): Failure {
  const paths = ['status', 'statusCode', 'lastError.statusCode', 'cause.statusCode'];
  const status = paths.map((path) => at(thrown, path)).find((found) => Number(found) > 0);
  return { status: Number(status), message: String(thrown) };
}

/** Sends a non-streaming and a streaming request, which must both fail. Returns the failures. */
async function failuresOf(judge: Judge, target: Target): Promise<readonly Failure[]> {
  const question = { prompt: 'Hello there' };
  const failures: Failure[] = [];
  for (const ask of [judge.plain, judge.streamed]) {
    const thrown: unknown = await ask(target, question).then(
      (answer) => new Error(`no error but ${JSON.stringify(answer)}`),
      (error: unknown) => error,
    );
    failures.push(failureOf(thrown));
  }
  return failures;
}

/** Registers the tests of these libraries with upstreams of each protocol. */
export function describeScripted(judges: readonly Judge[]): void {
  let turns: TurnsGateway;
  const dialects = [...new Set(judges.flatMap(({ client }) => upstreamsOf(client)))];
  beforeAll(async () => {
    turns = await startTurnsGateway(dialects);
  });
  afterEach(async () => {
    await settledWallet(turns.gateway);
  });
  afterAll(async () => await turns[Symbol.asyncDispose]());

  for (const judge of judges)
    for (const upstream of upstreamsOf(judge.client))
      describe(`${judge.client}, scripted upstream ${upstream}`, () => {
        describeOne(judge, upstream, () => turns);
      });
}

const upstreamsOf = (client: Judge['client']): readonly UpstreamDialect[] =>
  reachedFrom(clientRow(client).endpoint);

function describeOne(judge: Judge, upstream: UpstreamDialect, turns: () => TurnsGateway): void {
  const target = (key = turns().gateway.key): Target => ({
    url: turns().gateway.url,
    key,
    model: modelOver(upstream),
  });
  const script = (answer: (call: UpstreamCall) => Response) => turns().upstream.script(answer);
  const expectFailures = (failures: readonly Failure[], status: number, message: string) => {
    const reported = [status, expect.stringContaining(message)];
    expect(failures.map((each) => [each.status, each.message])).toEqual([reported, reported]);
  };
  const lost = exceptionOf(judge.client, 'loop', upstream);

  test(`a tool loop ${lost === null ? 'returns' : 'loses'} the thinking`, async () => {
    script(inTurn(ASKING, ANSWERING));
    expect(await judge.toolLoop(target(), 'What is the weather in Paris?')).toContain(ANSWER);
    const sent = turns().upstream.calls.slice(-2).map(receivedRequest);
    expect(sent.map(({ dialect, outputs }) => [dialect, outputs.length])).toEqual([
      [upstream, 0],
      [upstream, 1],
    ]);
    expect(sent[1]?.outputs[0]?.id).toBe('call_weather');
    expect(sent[1]?.outputs[0]?.text).toContain('get_weather says fine');
    const back = [wantedBack(upstream)];
    if (lost === null) expect(sent[1]?.thinking).toEqual(back);
    else expect(sent[1]?.thinking).not.toEqual(back);
  });

  test('reports 400 with the reason, and 503', async () => {
    script(failing(400));
    expectFailures(await failuresOf(judge, target()), 400, REASON);
    script(failing(503));
    const overloaded = clientRow(judge.client).endpoint === 'messages' ? 529 : 503;
    expectFailures(await failuresOf(judge, target()), overloaded, 'The provider');
  });

  test('reports 402 of an empty wallet and 429 of a key at its limit', async () => {
    script((call) => answerTurn(call, ANSWERING));
    const { gateway } = turns();
    const poor = await newAccountKey(gateway, null);
    expectFailures(await failuresOf(judge, target(poor)), 402, 'USD wallet');
    const credit = { amount: '10', currency: 'USD' };
    const limits = { limits: { requests_per_minute: 1 } };
    const limited = target(await newAccountKey(gateway, credit, limits));
    expect((await judge.plain(limited, { prompt: 'Hello there' })).text).toBe(ANSWER);
    expectFailures(await failuresOf(judge, limited), 429, 'requests_per_minute');
  });

  test('reports a stream that was cut', async () => {
    const events = turnEvents(upstream, ANSWERING);
    const middle = events.findIndex((event) => event.includes('It is fine'));
    script(() => eventStream(events.slice(0, middle + 1)));
    const cut = judge.streamed(target(), { prompt: 'Hello there' });
    expect(
      await cut.then(
        ({ end }) => end,
        () => 'other',
      ),
    ).toBe('other');
  });
}
