import { describe, expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import type { Upstream, UpstreamRequest, WireFormat } from '../upstreams/upstream.ts';
import { Prober, probe, probeTarget, type RouteProbeTarget } from './prober.ts';
import { RouteHealthBook } from './route-health.ts';
import { upstreamNamed } from './routes.fixture.ts';

const CATALOGUE = loadCatalogue(settingsOf(SMALL_FILE.replace('model: x', 'model: chat-x')), 0);
const NEVER = new AbortController().signal;

type Answer = (request: UpstreamRequest) => Response | Promise<Response>;
const ok: Answer = () =>
  new Response(
    [
      'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n',
      'data: [DONE]\n\n',
    ].join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );
const status =
  (code: number, body: unknown = { error: { message: 'no' } }): Answer =>
  () =>
    Response.json(body, { status: code });

const silent: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function targetOf(answer: Answer, formats: readonly WireFormat[] = ['chat']) {
  const sent: UpstreamRequest[] = [];
  const upstream = upstreamNamed('builtin', formats, async (request) => {
    sent.push(request);
    return await answer(request);
  });
  return { upstream, sent };
}

const asTarget = (
  upstream: Upstream,
  format: RouteProbeTarget['format'] = 'chat',
): RouteProbeTarget => ({
  upstream,
  model: 'there',
  knownAs: 'here',
  quirks: upstream.quirks,
  format,
});

describe('the test request', () => {
  test("is for a few tokens, without caller data, under the upstream's model name", async () => {
    const { upstream, sent } = targetOf(ok);
    await probe(asTarget(upstream), manualClock(), NEVER);
    await probe(asTarget(upstream, 'messages'), manualClock(), NEVER);
    const quirks = { ...NO_QUIRKS, maxTokensField: 'max_completion_tokens' } as const;
    await probe(asTarget({ ...upstream, quirks }), manualClock(), NEVER);
    const messages = [{ role: 'user', content: 'Say ok.' }];
    const streamed = { stream: true, stream_options: { include_usage: true } };
    expect(sent.map(({ body }) => JSON.parse(new TextDecoder().decode(body)))).toEqual([
      { model: 'there', messages, max_tokens: 16, ...streamed },
      { model: 'there', messages, max_tokens: 16, stream: true },
      { model: 'there', messages, max_completion_tokens: 16, ...streamed },
    ]);
    expect(sent[0]).toMatchObject({ format: 'chat', stream: true, headers: {}, scope: 'probe' });
  });

  test('is sent to chat models only, in a dialect of the upstream', () => {
    const all = (...formats: WireFormat[]) =>
      new Map([['builtin', targetOf(ok, formats).upstream]]);
    expect(probeTarget(CATALOGUE, all('messages', 'images'), 'builtin/chat-x')).toMatchObject({
      model: 'chat-x',
      knownAs: 'gen-x',
      format: 'messages',
    });
    const responses = probeTarget(CATALOGUE, all('responses'), 'builtin/chat-x');
    expect(responses).toMatchObject({ format: 'responses' });
    expect(probeTarget(CATALOGUE, all('chat', 'images'), 'builtin/x')).toBeNull();
    expect(probeTarget(CATALOGUE, all('images'), 'builtin/chat-x')).toBeNull();
    expect(probeTarget(CATALOGUE, new Map(), 'builtin/chat-x')).toBeNull();
    expect(probeTarget(CATALOGUE, all('chat'), 'gone/chat-x')).toBeNull();
  });
});

describe('the result', () => {
  test.each<[string, Answer, string | null]>([
    ['an answer', ok, null],
    ['an answer of a server that does not stream', () => Response.json({ choices: [] }), null],
    ['a complaint about the question', status(400), null],
    ['a failure', status(500), 'upstream_failed'],
    ['an overload', status(503), 'upstream_overloaded'],
    ['a refusal of the key', status(401), 'upstream_refused_us'],
    ['no such model', status(404), 'upstream_refused_us'],
    ['a 200 with an error in it', status(200, { error: { message: 'no' } }), 'upstream_failed'],
    ['a page', () => new Response('<html>'), 'upstream_failed'],
    ['nothing', () => new Response(null), 'upstream_failed'],
  ])('%s', async (_what, answer, code) => {
    const failure = await probe(asTarget(targetOf(answer).upstream), manualClock(), NEVER);
    expect(failure?.code ?? null).toBe(code);
    if (failure !== null) expect(failure.cause).toStartWith('probe: ');
  });

  test('silence is a failure after twenty seconds', async () => {
    const clock = manualClock();
    const done = probe(asTarget(targetOf(silent).upstream), clock, NEVER);
    clock.advance(20_000);
    expect((await done)?.code).toBe('upstream_timeout');
  });
});

describe('the prober', () => {
  async function bench(answer: Answer) {
    const clock = manualClock();
    const health = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => true });
    const { upstream, sent } = targetOf(answer);
    const upstreams = new Map([['builtin', upstream]]);
    const prober = new Prober({
      clock,
      health,
      catalogue: () => CATALOGUE,
      upstreams: () => upstreams,
    });
    for (let i = 0; i < 5; i++) {
      health.begin('builtin/chat-x', 'stream').end({ kind: 'failure', code: 'x', cause: null });
    }
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await Promise.resolve();
    };
    const wait = async (ms: number): Promise<void> => {
      for (let waited = 0; waited < ms; waited += 500) {
        clock.advance(500);
        await settle();
      }
    };
    const fitness = () => health.fitness('builtin/chat-x');
    return { health, prober, sent, wait, fitness };
  }

  test('probes after the pause, and admits callers when the route works', async () => {
    const { sent, wait, fitness } = await bench(ok);
    await wait(4_500);
    expect(sent.length).toBe(0);
    await wait(1_000);
    expect(sent.length).toBe(1);
    expect(fitness()).toMatchObject({ standing: 'half_open', waitMs: 0 });
    await wait(60_000);
    expect(sent.length).toBe(1);
  });

  test('probes again after a longer pause when the route fails', async () => {
    const { health, sent, wait, fitness } = await bench(status(500));
    await wait(5_500);
    expect([sent.length, fitness().standing]).toEqual([1, 'open']);
    expect(health.report('builtin/chat-x')?.lastFailure?.cause).toContain('probe: ');
    await wait(9_000);
    expect(sent.length).toBe(1);
    await wait(2_000);
    expect(sent.length).toBe(2);
  });

  test('runs one probe at a time', async () => {
    const { sent, wait, fitness } = await bench(() => new Promise(() => {}));
    await wait(15_000);
    expect([sent.length, fitness().standing]).toEqual([1, 'open']);
  });

  test('aborts its probe when it is stopped', async () => {
    const { health, prober, sent, wait, fitness } = await bench(silent);
    await wait(5_500);
    prober.stop();
    await wait(20_000);
    expect([sent.length, sent[0]?.signal.aborted]).toEqual([1, true]);
    expect(fitness().standing).toBe('open');
    expect(health.report('builtin/chat-x')?.lastFailure?.code).toBe('x');
  });
});
