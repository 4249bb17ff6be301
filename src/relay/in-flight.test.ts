import { beforeEach, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { nextTurn } from '../clock.ts';
import { type ErrorCode, GatewayError } from '../errors.ts';
import { CallScope, InFlight, MAX_READ_ON, type RelayLimits, type Running } from './in-flight.ts';
import { outcomeOf } from './outcome.ts';

const LIMITS: RelayLimits = {
  keepAliveMs: 1_000,
  idleTimeoutMs: 1_000,
  stallTimeoutMs: 1_000,
  totalTimeoutMs: 5_000,
  firstByteTimeoutMs: 1_000,
  firstEventHoldMs: 1_000,
  maxAnswerBytes: 1_000,
  maxEventBytes: 1_000,
  readOnMs: 2_000,
};
const CALLER = { keyId: 'key_1', accountId: 'acc_1' };
const STOPPING = new GatewayError('shutting_down', 'Restarting.', { retryAfterSeconds: 1 });

let clock: ManualClock;
let inFlight: InFlight;
let caller: AbortController;
let faults: unknown[];

beforeEach(() => {
  clock = manualClock();
  faults = [];
  inFlight = new InFlight(clock, (thrown) => faults.push(thrown));
  caller = new AbortController();
});

const open = (signal: AbortSignal = caller.signal): CallScope =>
  new CallScope({ clock, inFlight, requestId: 'req_1', caller: CALLER, signal, limits: LIMITS });

test('a call counts as in flight until it is closed', () => {
  const scope = open();
  expect(inFlight.count).toBe(1);
  scope.close();
  expect(inFlight.count).toBe(0);
});

test('a caller who disconnects aborts the upstream at once, with that reason', () => {
  const scope = open();
  expect(scope.signal.aborted).toBe(false);
  caller.abort();
  expect(scope.signal.aborted).toBe(true);
  expect(scope.reasonOf(new Error('socket hang up')).code).toBe('caller_left');
});

test('a caller who has disconnected before aborts at once', () => {
  expect(open(AbortSignal.abort()).signal.aborted).toBe(true);
});

test('the total timeout fires after its limit, not at it', () => {
  const scope = open();
  clock.advance(5000);
  expect(scope.signal.aborted).toBe(false);
  clock.advance(1000);
  expect(scope.reasonOf(new Error('aborted')).code).toBe('upstream_timeout');
});

test('a shutdown is the reason of its abort', () => {
  const scope = open();
  scope.terminate(STOPPING);
  expect(scope.reasonOf(new Error('aborted'))).toMatchObject({
    code: 'shutting_down',
    retryAfterSeconds: 1,
  });
});

test('the first reason is kept', () => {
  const scope = open();
  caller.abort();
  scope.terminate(STOPPING);
  expect(scope.reasonOf(new Error('aborted')).code).toBe('caller_left');
});

test('without an abort a failure is kept, and an unknown error is internal', () => {
  const scope = open();
  const failure = new GatewayError('upstream_failed', 'No.');
  expect(scope.reasonOf(failure)).toBe(failure);
  expect(scope.reasonOf(new Error('odd')).code).toBe('internal_error');
  scope.abortUpstream();
  expect(scope.reasonOf(failure)).toBe(failure);
});

test('times are whole milliseconds, and the first byte is marked once', () => {
  const scope = open();
  expect([scope.startedAtMs, scope.firstByteMs, scope.durationMs]).toEqual([
    clock.nowMs(),
    null,
    0,
  ]);
  clock.advance(120);
  scope.markFirstByte();
  clock.advance(80);
  scope.markFirstByte();
  expect([scope.firstByteMs, scope.durationMs]).toEqual([120, 200]);
});

test.each([
  ['caller_left', 'caller_left'],
  ['shutting_down', 'shutdown'],
  ['upstream_timeout', 'upstream_timeout'],
  ['upstream_truncated', 'upstream_truncated'],
  ['internal_error', 'gateway_error'],
  ['store_unavailable', 'gateway_error'],
  ['upstream_failed', 'upstream_error'],
  ['upstream_overloaded', 'upstream_error'],
] as const satisfies readonly (readonly [ErrorCode, ReturnType<typeof outcomeOf>])[])(
  'the error %s gets the outcome %s',
  (code, outcome) => expect(outcomeOf(new GatewayError(code, '.'))).toBe(outcome),
);

/**
 * Advances the clock in steps. After each step, promises are resolved, so that the drain can go on.
 */
async function passTime(steps: number, stepMs: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    clock.advance(stepMs);
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  }
}

const running = (onTerminate: () => void = () => {}): Running & { ticks: number[] } => {
  const ticks: number[] = [];
  return { caller: CALLER, ticks, tick: (nowMs) => ticks.push(nowMs), terminate: onTerminate };
};

test('one timer ticks every second for all running requests', () => {
  const [one, two] = [running(), running()];
  inFlight.add(one);
  inFlight.add(two);
  clock.advance(2000);
  inFlight.remove(one);
  clock.advance(1000);
  expect([one.ticks, two.ticks]).toEqual([
    [1000, 2000],
    [1000, 2000, 3000],
  ]);
});

test('many requests tick in slices, and no tick begins before the last one has ended', async () => {
  const many = Array.from({ length: 600 }, () => running());
  for (const one of many) inFlight.add(one);
  clock.advance(1000);
  const ticked = (times: number) => many.filter(({ ticks }) => ticks.length === times).length;
  expect(ticked(1)).toBe(256);
  clock.advance(1000);
  await nextTurn();
  expect([ticked(1), ticked(2)]).toEqual([512, 0]);
  await nextTurn();
  expect([ticked(1), ticked(2)]).toEqual([600, 0]);
  clock.advance(1000);
  expect([ticked(1), ticked(2)]).toEqual([344, 256]);
});

test('a drain without requests ends at once', async () => {
  expect(await inFlight.drain(30_000, 5000)).toBe(0);
});

test('a drain waits for requests that end in time', async () => {
  let terminated = false;
  const stream = running(() => {
    terminated = true;
  });
  inFlight.add(stream);
  const drained = inFlight.drain(30_000, 5000);
  await passTime(10, 20);
  inFlight.remove(stream);
  await passTime(2, 20);
  expect([await drained, terminated]).toEqual([0, false]);
});

test('a drain ends requests after the grace period and waits for their settlement', async () => {
  const stream: Running = running(() => clock.after(60, () => inFlight.remove(stream)));
  inFlight.add(stream);
  const drained = inFlight.drain(100, 5000);
  let isOver = false;
  const over = drained.then(() => {
    isOver = true;
  });
  await passTime(6, 20);
  expect(isOver).toBe(false);
  await passTime(6, 20);
  await over;
  expect(await drained).toBe(1);
});

test('a drain gives up on requests that do not end', async () => {
  inFlight.add(running());
  const drained = inFlight.drain(40, 40);
  await passTime(8, 20);
  expect(await drained).toBe(1);
});

test('a drain waits for a request that is being admitted', async () => {
  inFlight.enter();
  let drained = false;
  const draining = inFlight.drain(1000, 1000).then(() => {
    drained = true;
  });
  clock.advance(100);
  await Bun.sleep(0);
  expect(drained).toBe(false);
  inFlight.leave();
  clock.advance(100);
  await draining;
});

test('a drain ends a request that starts meanwhile', async () => {
  inFlight.enter();
  const draining = inFlight.drain(0, 1000);
  await Bun.sleep(0);
  const late = open();
  clock.advance(20);
  await Bun.sleep(0);
  expect(late.signal.aborted).toBe(true);
  late.close();
  inFlight.leave();
  clock.advance(20);
  await draining;
});

test('a failing tick of one request does not stop the others', () => {
  const ticked: string[] = [];
  const fault = new Error('tick');
  const entry = (tick: () => void): Running => ({
    caller: CALLER,
    tick,
    terminate: () => undefined,
  });
  inFlight.add(
    entry(() => {
      throw fault;
    }),
  );
  inFlight.add(entry(() => ticked.push('second')));
  clock.advance(1000);
  expect(ticked).toEqual(['second']);
  expect(faults).toEqual([fault]);
});

test('a revocation ends only the requests of that key', () => {
  const revoked = open();
  const other = new CallScope({
    clock,
    inFlight,
    requestId: 'req_2',
    caller: { keyId: 'key_2', accountId: 'acc_1' },
    signal: caller.signal,
    limits: LIMITS,
  });
  const why = new GatewayError('invalid_api_key', 'Revoked.');
  expect(inFlight.end(({ keyId }) => keyId === 'key_1', why)).toBe(1);
  expect(revoked.reasonOf(new Error('aborted'))).toBe(why);
  expect(outcomeOf(why)).toBe('revoked');
  expect(other.signal.aborted).toBe(false);
});

test('a caller who disconnects from a server that is read on does not abort it until the time is up', () => {
  const scope = open();
  scope.readsOn = true;
  caller.abort();
  expect([scope.hasLeft, scope.signal.aborted]).toEqual([true, false]);
  clock.advance(LIMITS.readOnMs);
  expect(scope.signal.aborted).toBe(false);
  clock.advance(1_000);
  expect(scope.reasonOf(new Error('aborted')).code).toBe('caller_left');
});

test('an answer that is read on ends as one whose caller left, also by a shutdown', () => {
  const scope = open();
  scope.readsOn = true;
  scope.leave();
  scope.terminate(STOPPING);
  expect(scope.reasonOf(new Error('aborted')).code).toBe('caller_left');
});

test('of too many answers that are read on, the oldest unsettled one is aborted', () => {
  const scopes = Array.from({ length: MAX_READ_ON + 2 }, () => open(new AbortController().signal));
  for (const scope of scopes) scope.readsOn = true;
  scopes[0]?.leave();
  scopes[0]?.settled();
  for (const scope of scopes.slice(1)) expect(scope.leave()).toBe(true);
  const aborted = scopes.flatMap(({ signal }, at) => (signal.aborted ? [at] : []));
  expect(aborted).toEqual([1]);
  expect(scopes[1]?.reasonOf(new Error('aborted')).code).toBe('caller_left');
});
