import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { Egress, type EgressOptions } from './egress.ts';
import { NotSent } from './upstream.ts';

type Names = { addresses: readonly string[] | Error; asked: number };

/**
 * Returns an `Egress` whose host name resolves to the given addresses, with its clock and the
 * number of lookups.
 */
function wayTo(addresses: readonly string[] | Error, options: Partial<EgressOptions> = {}) {
  const clock = manualClock();
  const names: Names = { addresses, asked: 0 };
  const egress = new Egress({
    name: 'upstream "far"',
    baseUrl: 'https://api.example.com/v1',
    allowPrivate: false,
    isProxied: false,
    clock,
    resolve: async () => {
      names.asked += 1;
      if (names.addresses instanceof Error) throw names.addresses;
      return names.addresses;
    },
    ...options,
  });
  return { clock, names, egress };
}

const refusal = async (egress: Egress): Promise<unknown> =>
  await Promise.resolve(egress.permission()).then(
    () => null,
    (thrown: unknown) => thrown,
  );
const causeOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';
/** Lets a background DNS lookup finish. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

test('allows a host with public addresses, and resolves it once for many requests', async () => {
  const { egress, names } = wayTo(['93.184.216.34', '2606:4700::1']);
  await Promise.all([egress.permission(), egress.permission()]);
  expect(names.asked).toBe(1);
  expect(egress.permission()).toBeNull();
});

test.each([
  ['10.0.0.8'],
  ['127.0.0.1'],
  ['169.254.169.254'],
  ['100.100.100.200'],
  ['168.63.129.16'],
  ['::1'],
  ['fd00:ec2::254'],
  ['::ffff:10.0.0.1'],
  ['64:ff9b::a00:1'],
  ['fe80::1%eth0'],
  ['0.0.0.0'],
])('one that leads to %s, among others even, is refused: nothing was sent', async (address) => {
  const { egress } = wayTo(['93.184.216.34', address]);
  const thrown = await refusal(egress);
  expect(thrown).toBeInstanceOf(NotSent);
  expect(thrown).toMatchObject({
    message: 'The gateway is not allowed to call the provider at its configured address.',
  });
  expect(causeOf(thrown)).toBe(
    `upstream "far": api.example.com resolves to ${address}, a private address; add allow_private: true to the upstream if this is intended`,
  );
});

test('notices in the background when a host moves to a private network', async () => {
  const { egress, names, clock } = wayTo(['93.184.216.34']);
  await egress.permission();
  names.addresses = ['10.0.0.8'];
  clock.advance(4_999);
  expect(egress.permission()).toBeNull();
  expect(names.asked).toBe(1);
  clock.advance(1);
  expect(egress.permission()).toBeNull();
  await settle();
  expect(await refusal(egress)).toBeInstanceOf(NotSent);
});

test('resolves an old result again before the request', async () => {
  const { egress, names, clock } = wayTo(['93.184.216.34']);
  await egress.permission();
  names.addresses = ['10.0.0.8'];
  clock.advance(30_000);
  expect(await refusal(egress)).toBeInstanceOf(NotSent);
});

test('a DNS failure keeps the known result until it is old', async () => {
  const { egress, names, clock } = wayTo(['93.184.216.34']);
  await egress.permission();
  names.addresses = new Error('SERVFAIL');
  clock.advance(29_999);
  expect(egress.permission()).toBeNull();
  await settle();
  expect(egress.permission()).toBeNull();
  clock.advance(1);
  const thrown = await refusal(egress);
  expect(thrown).toBeInstanceOf(NotSent);
  expect(causeOf(thrown)).toBe('upstream "far": no address is known for api.example.com');
  names.addresses = ['93.184.216.34'];
  expect(await refusal(egress)).toBeNull();
});

test('does not wait for a silent resolver', async () => {
  const { egress, clock } = wayTo([], { resolve: () => new Promise(() => {}) });
  const refused = refusal(egress);
  clock.advance(5_000);
  expect(await refused).toBeInstanceOf(NotSent);
});

test.each([
  { allowPrivate: true },
  { isProxied: true },
  { baseUrl: 'http://93.184.216.34/v1' },
  { baseUrl: 'http://[2606:4700::1]/v1' },
])('%p asks for no look-up', (options) => {
  const { egress, names } = wayTo(['10.0.0.8'], options);
  expect(egress.permission()).toBeNull();
  expect(names.asked).toBe(0);
});

function knocking(clock: ManualClock = manualClock()) {
  const knocks: { host: string; port: number; resolve: (isThere: boolean) => void }[] = [];
  const { egress } = wayTo([], {
    clock,
    dial: (host, port, signal) =>
      new Promise((resolve) => {
        knocks.push({ host, port, resolve });
        signal.addEventListener('abort', () => resolve(false));
      }),
  });
  return { egress, knocks, clock };
}

test('concurrent requests share one test connection', async () => {
  const { egress, knocks } = knocking();
  const both = Promise.all([egress.isThere(0, 100), egress.isThere(0, 100)]);
  expect(knocks.map(({ host, port }) => [host, port])).toEqual([['api.example.com', 443]]);
  knocks[0]?.resolve(true);
  expect(await both).toEqual([true, true]);
  expect(await egress.isThere(0, 100)).toBe(true);
  expect(knocks).toHaveLength(1);
});

test('a host that does not connect in time is unreachable, unless it has answered since', async () => {
  const { egress, knocks, clock } = knocking();
  const isThere = egress.isThere(0, 100);
  clock.advance(100);
  expect(await isThere).toBe(false);
  egress.seen();
  expect(await egress.isThere(clock.monotonicMs(), 100)).toBe(true);
  expect(knocks).toHaveLength(1);
  const later = egress.isThere(clock.monotonicMs() + 1, 100);
  expect(knocks).toHaveLength(2);
  clock.advance(100);
  expect(await later).toBe(false);
});

test('distinguishes an open from a closed port', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const { egress } = wayTo([], { baseUrl: `http://127.0.0.1:${port}/v1` });
  expect(await egress.isThere(Number.POSITIVE_INFINITY, 10_000)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await egress.isThere(Number.POSITIVE_INFINITY, 10_000)).toBe(false);
});
