/**
 * The load generator, which runs in its own process. It reads a plan (`plan.ts`) from standard
 * input, runs the plan against the target over raw sockets, and prints one result as JSON. It
 * measures the target's CPU and memory itself, exactly during the measured period.
 */
import { systemClock } from '../../src/clock.ts';
import type {
  ClosedLoop,
  ClosedLoopResult,
  Failover,
  FailoverResult,
  HeldResult,
  LargeBeside,
  LargeBesideResult,
  OpenStreams,
  Plan,
  SlowReaders,
} from '../plan.ts';
import { percentile } from '../spread.ts';
import { Connection, drive, openConnections, prepare } from './connection.ts';
import { manyStreams } from './many-streams.ts';
import { openLoop } from './open-loop.ts';
import { AFTERWORK_MS, watchProcess } from './process-watch.ts';

/**
 * The number of streams that are opened at the same time, less than the backlog of a listening
 * socket.
 */
const OPENING_AT_ONCE = 64;

/** Matches an `x-attempts` header with two attempts, such as `direct:failed, direct:answered`. */
const TWO_ATTEMPTS = /\r\nx-attempts: *[^,\r]+,[^,\r]+(?:\r|$)/;

/**
 * The maximum number of requests of a closed loop: far more than any subject answers in a full
 * measured period.
 */
const MAX_REQUESTS = 500_000;
/**
 * The number of warm-up requests of the load `failover`, and the minimum number of measured ones. A
 * third of these requests fail over, so even a short run has requests with and without a failover.
 */
const FEWEST_REQUESTS = 30;

const now = systemClock.monotonicMs;

async function closedLoop(plan: ClosedLoop): Promise<ClosedLoopResult> {
  const ask = prepare(plan.target, plan.ask);
  const connections = await openConnections(plan.target.port, plan.connections);
  await drive(connections, ask, plan.warmUpMs, plan.warmUpRequests);
  await systemClock.sleep(AFTERWORK_MS);
  const watch = watchProcess(plan.target.watchPid);
  const startedMs = now();
  const calls = await drive(connections, ask, plan.measureMs, MAX_REQUESTS);
  const seconds = (now() - startedMs) / 1000;
  await systemClock.sleep(AFTERWORK_MS);
  const cost = watch.end();
  for (const connection of connections) connection.close();
  const total = Float64Array.from(calls, (call) => call.totalMs).sort();
  const first = Float64Array.from(calls, (call) => call.firstMs).sort();
  return {
    requests: calls.length,
    perSecond: calls.length / seconds,
    cpuUsPerRequest: (cost.cpuMs * 1000) / calls.length,
    peakRssMb: cost.peakRssMb,
    p50Ms: percentile(total, 50),
    p99Ms: percentile(total, 99),
    firstP50Ms: percentile(first, 50),
    firstP99Ms: percentile(first, 99),
  };
}

/**
 * Runs a closed loop of one caller. Reports requests that failed over separately from the others.
 */
async function failover(plan: Failover): Promise<FailoverResult> {
  const ask = prepare(plan.target, plan.ask);
  const connection = await Connection.open(plan.target.port);
  await drive([connection], ask, null, FEWEST_REQUESTS);
  const times: { readonly straight: number[]; readonly after: number[] } = {
    straight: [],
    after: [],
  };
  const untilMs = now() + plan.measureMs;
  for (let asked = 0; asked < FEWEST_REQUESTS || now() < untilMs; asked++) {
    let into = times.straight;
    const onHead = (head: string): void => {
      if (TWO_ATTEMPTS.test(head)) into = times.after;
    };
    const { totalMs } = await connection.call(ask, { onHead });
    into.push(totalMs);
  }
  connection.close();
  const straight = Float64Array.from(times.straight).sort();
  const after = Float64Array.from(times.after).sort();
  if (straight.length === 0) throw new Error('every answer came after a failover');
  if (after.length === 0) throw new Error('no answer came after a failover');
  return {
    straightRequests: straight.length,
    straightP50Ms: percentile(straight, 50),
    straightP99Ms: percentile(straight, 99),
    failoverRequests: after.length,
    failoverP50Ms: percentile(after, 50),
    failoverP99Ms: percentile(after, 99),
  };
}

/** Runs two closed loops at once: large bodies on one connection, small requests on another. */
async function largeBesideSmall(plan: LargeBeside): Promise<LargeBesideResult> {
  const small = prepare(plan.target, plan.small);
  const large = prepare(plan.target, plan.large);
  const [besides, bodies] = await Promise.all([
    openConnections(plan.target.port, 1),
    openConnections(plan.target.port, 1),
  ]);
  const [calls] = await Promise.all([
    drive(besides, small, plan.measureMs, MAX_REQUESTS),
    drive(bodies, large, plan.measureMs, MAX_REQUESTS),
  ]);
  for (const connection of [...besides, ...bodies]) connection.close();
  const sorted = Float64Array.from(calls, (call) => call.totalMs).sort();
  return {
    smallRequests: calls.length,
    smallP50Ms: percentile(sorted, 50),
    smallLongestMs: percentile(sorted, 100),
  };
}

/**
 * Opens streams, reads their first bytes and keeps the streams open. For `SlowReaders`, stops
 * reading after the first bytes.
 */
async function holdStreams(plan: OpenStreams | SlowReaders): Promise<HeldResult> {
  const ask = prepare(plan.target, plan.ask);
  const rssBeforeMb = watchProcess(plan.target.watchPid).end().endRssMb;
  const open: Connection[] = [];
  let begun = 0;
  let ended: unknown = null;
  const openNext = async (): Promise<void> => {
    while (begun < plan.count) {
      begun++;
      const connection = await Connection.open(plan.target.port);
      open.push(connection);
      await new Promise<void>((resolve, reject) => {
        // A refusal has a body, too. It counts as a stream until its end.
        connection.call(ask, { onFirstBody: resolve }).then(
          () => {
            ended ??= new Error('a stream ended while it was held');
          },
          (thrown: unknown) => {
            ended ??= thrown;
            reject(thrown);
          },
        );
      });
      if (plan.kind === 'slow-readers') connection.stopReading();
    }
  };
  await Promise.all(Array.from({ length: Math.min(OPENING_AT_ONCE, plan.count) }, openNext));
  const watch = watchProcess(plan.target.watchPid);
  await systemClock.sleep(plan.holdMs);
  const cost = watch.end();
  for (const connection of open) connection.close();
  if (ended !== null) throw ended;
  return {
    rssBeforeMb,
    rssPeakMb: cost.peakRssMb,
    rssAfterMb: cost.endRssMb,
    cpuMsPerSecondHeld: (cost.cpuMs * 1000) / plan.holdMs,
  };
}

function carryOut(plan: Plan): Promise<object> {
  switch (plan.kind) {
    case 'closed-loop':
      return closedLoop(plan);
    case 'open-loop':
      return openLoop(plan);
    case 'large-beside-small':
      return largeBesideSmall(plan);
    case 'failover':
      return failover(plan);
    case 'many-streams':
      return manyStreams(plan);
    case 'open-streams':
    case 'slow-readers':
      return holdStreams(plan);
  }
}

const plan: Plan = await Bun.stdin.json();
console.log(JSON.stringify(await carryOut(plan)));
process.exit(0);
