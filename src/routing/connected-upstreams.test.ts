import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { ConnectedUpstreams, unreachableUpstreams } from './connected-upstreams.ts';

const shipped = loadConfig({ path: null, env: {} });
const withUpstreams = (upstreams: Config['upstreams']): Config => ({ ...shipped, upstreams });
const builtin = (tokens_per_second: number) =>
  ({ protocol: 'builtin', tokens_per_second }) as const;
const network = (protocol: 'openai' | 'anthropic') =>
  ({
    protocol,
    base_url: 'https://models.example/v1',
    api_key: new Secret('sk'),
    allow_private: false,
    headers: {},
    make: 'generic',
    pass: [],
    quirks: {},
  }) as const;

const unexpected = (upstream: string): never => expect.unreachable(upstream);

test('makes an adapter of its protocol for each upstream', () => {
  const { current } = new ConnectedUpstreams(
    withUpstreams({ here: builtin(0), o: network('openai'), a: network('anthropic') }),
    manualClock(),
    unexpected,
  );
  expect([...current.values()].map(({ name, formats }) => [name, formats.has('chat')])).toEqual([
    ['here', true],
    ['o', true],
    ['a', false],
  ]);
});

test('a reload keeps the built-in upstream and replaces the others', () => {
  const upstreams = new ConnectedUpstreams(
    withUpstreams({ here: builtin(0), o: network('openai') }),
    manualClock(),
    unexpected,
  );
  const before = upstreams.current;
  upstreams.prepare(withUpstreams({ here: builtin(50), o: network('openai') }))();
  expect(upstreams.current.get('here')).toBe(before.get('here') ?? expect.unreachable());
  expect(upstreams.current.get('o')).not.toBe(before.get('o') ?? expect.unreachable());
});

test('a reload removes an upstream that is no longer configured', () => {
  const upstreams = new ConnectedUpstreams(
    withUpstreams({ here: builtin(0), o: network('openai') }),
    manualClock(),
    unexpected,
  );
  const before = upstreams.current;
  const putInForce = upstreams.prepare(withUpstreams({ here: builtin(0) }));
  expect(upstreams.current).toBe(before);
  putInForce();
  expect([...upstreams.current.keys()]).toEqual(['here']);
  expect([...before.keys()]).toEqual(['here', 'o']);
});

test('a reload applies a new rate of the built-in upstream', async () => {
  const clock = manualClock();
  const upstreams = new ConnectedUpstreams(withUpstreams({ here: builtin(1) }), clock, unexpected);
  upstreams.prepare(withUpstreams({ here: builtin(0) }))();
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
  const response = await upstreams.current.get('here')?.send({
    format: 'chat',
    body: Uint8Array.from(new TextEncoder().encode(JSON.stringify(body))),
    stream: true,
    headers: {},
    scope: 'acc_1',
    traceparent: null,
    connectMs: null,
    firstByteMs: null,
    signal: new AbortController().signal,
    abort: () => {},
  });
  // At a rate of 0 the answer has no delays, so it does not wait for the stopped clock.
  expect(await response?.text()).toContain('data: [DONE]');
});

test('a reload applies new deadlines of an upstream, but not of `limits`, which need a restart', () => {
  const config = withUpstreams({ o: network('openai'), own: network('openai') });
  const upstreams = new ConnectedUpstreams(config, manualClock(), unexpected);
  upstreams.prepare({
    ...withUpstreams({
      o: network('openai'),
      own: { ...network('openai'), first_byte_timeout: 2_000 },
    }),
    limits: { ...config.limits, first_byte_timeout: 1_000 },
  })();
  const { current } = upstreams;
  expect([...current.values()].map(({ firstByteTimeoutMs }) => firstByteTimeoutMs)).toEqual([
    config.limits.first_byte_timeout,
    2_000,
  ]);
});

test('combines known quirks with those of the operator', () => {
  const { current } = new ConnectedUpstreams(
    withUpstreams({
      d: { ...network('openai'), make: 'deepseek', quirks: { stream_options: false } },
    }),
    manualClock(),
    unexpected,
  );
  expect(current.get('d')?.quirks).toMatchObject({
    maxTokensField: 'max_tokens',
    streamOptions: false,
  });
});

test('reports hosts in private networks, and unknown hosts, before any request', async () => {
  const at = (base_url: string, allow_private = false) =>
    ({ ...network('openai'), base_url, allow_private }) as const;
  const found = await unreachableUpstreams(
    withUpstreams({
      here: builtin(0),
      own: at('http://localhost:1/v1'),
      meant: at('http://localhost:1/v1', true),
      gone: at('https://no-such-host.invalid/v1'),
      plain: at('https://93.184.216.34/v1'),
    }),
    manualClock(),
  );
  expect(found.map(({ name, isForbidden }) => [name, isForbidden])).toEqual([
    ['own', true],
    ['gone', false],
  ]);
  expect(found[0]?.message).toMatch(
    /^upstream "own": localhost resolves to \S+, a private address; add allow_private: true to the upstream if this is intended$/,
  );
});
