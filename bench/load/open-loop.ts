/**
 * The load of callers who do not wait for each other. Each request has a scheduled arrival time.
 * Its latency is measured from this time, so it includes any time in a queue. Timers make the load
 * generator up to a millisecond late, for all measured gateways alike. The measurement without a
 * gateway (`direct`) shows this delay.
 */
import { systemClock } from '../../src/clock.ts';
import type { OpenLoop, OpenLoopResult } from '../plan.ts';
import { percentile } from '../spread.ts';
import { arrivalTicks, TICK_MS } from './arrivals.ts';
import { type Connection, drive, openConnections, prepare } from './connection.ts';
import { AFTERWORK_MS, watchProcess } from './process-watch.ts';

/**
 * The maximum number of requests in flight. Later arrivals wait in the load generator, and this
 * wait counts as latency.
 */
const CONNECTIONS = 256;
const WARM_UP_CALLS = 2;

/** @throws Error when a request fails. */
export async function openLoop(plan: OpenLoop): Promise<OpenLoopResult> {
  const ask = prepare(plan.target, plan.ask);
  const ticks = arrivalTicks(plan.perSecond, plan.measureMs);
  const connections = await openConnections(plan.target.port, CONNECTIONS);
  await drive(connections, ask, null, CONNECTIONS * WARM_UP_CALLS);
  await systemClock.sleep(AFTERWORK_MS);
  const idle = [...connections];
  const latenciesMs = new Float64Array(ticks.length);
  const answers: Promise<void>[] = [];
  let sent = 0;
  let answered = 0;
  const watch = watchProcess(plan.target.watchPid);
  const startMs = systemClock.monotonicMs();
  const sinceStart = (): number => systemClock.monotonicMs() - startMs;
  /** Sends every request that is due and has a free connection, in the order of arrival. */
  const sendDue = (): void => {
    while ((ticks[sent] ?? Number.POSITIVE_INFINITY) * TICK_MS <= sinceStart()) {
      const connection = idle.pop();
      if (connection === undefined) return;
      answers.push(answer(connection, sent++));
    }
  };
  const answer = async (connection: Connection, index: number): Promise<void> => {
    await connection.call(ask);
    latenciesMs[answered++] = sinceStart() - (ticks[index] ?? 0) * TICK_MS;
    idle.push(connection);
    sendDue();
  };
  while (sent < ticks.length) {
    sendDue();
    const untilNextMs = (ticks[sent] ?? 0) * TICK_MS - sinceStart();
    await systemClock.sleep(Math.max(untilNextMs, TICK_MS));
  }
  await Promise.all(answers);
  await systemClock.sleep(AFTERWORK_MS);
  const { cpuMs } = watch.end();
  for (const connection of connections) connection.close();
  latenciesMs.sort();
  return {
    requests: answered,
    cpuUsPerRequest: (cpuMs * 1000) / answered,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}
