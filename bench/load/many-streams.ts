/**
 * The load of many concurrent streams: opens them, reads their stamps and summarizes the delays.
 */

import type { ManyStreams, ManyStreamsResult } from '../plan.ts';
import { percentile } from '../spread.ts';
import { Connection, type PreparedAsk, prepare } from './connection.ts';
import { watchProcess } from './process-watch.ts';
import { StampTally } from './stamp-tally.ts';
import { StampReader, sharedUs } from './stamps.ts';

/**
 * The number of streams that are opened at the same time, less than the backlog of a listening
 * socket.
 */
const OPENING_AT_ONCE = 64;

type Reading = { readonly tally: StampTally; readonly ended: Promise<unknown> };

/** The times of the first and the last event among all streams. */
type Span = { firstUs: number; lastUs: number };

/** @throws Error when a stream is refused or incomplete, or has an invalid stamp. */
export async function manyStreams(plan: ManyStreams): Promise<ManyStreamsResult> {
  const ask = prepare(plan.target, plan.ask);
  const span: Span = { firstUs: Number.POSITIVE_INFINITY, lastUs: 0 };
  const readings: Reading[] = [];
  let begun = 0;
  const openNext = async (): Promise<void> => {
    while (begun < plan.streams) {
      begun++;
      const connection = await Connection.open(plan.target.port);
      await new Promise<void>((opened, failed) => {
        const reading = read(connection, ask, plan, span, opened);
        readings.push(reading);
        reading.ended.catch(failed);
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(OPENING_AT_ONCE, plan.streams) }, openNext));
  const watch = watchProcess(plan.target.watchPid);
  await Promise.all(readings.map(({ ended }) => ended));
  const { cpuMs } = watch.end();
  return summed(readings, span, cpuMs);
}

function read(
  connection: Connection,
  ask: PreparedAsk,
  plan: ManyStreams,
  span: Span,
  opened: () => void,
): Reading {
  const tally = new StampTally(plan.events, plan.warmUpEvents);
  const reader = new StampReader((number, writtenUs) => {
    const cameUs = sharedUs();
    if (cameUs < span.firstUs) span.firstUs = cameUs;
    if (cameUs > span.lastUs) span.lastUs = cameUs;
    tally.add(number, cameUs - writtenUs);
  });
  const onBody = (bytes: Buffer): void => reader.read(bytes);
  const call = connection.call(ask, { onFirstBody: opened, onBody });
  return { tally, ended: call.finally(() => connection.close()) };
}

function summed(readings: readonly Reading[], span: Span, cpuMs: number): ManyStreamsResult {
  const sum = (of: (tally: StampTally) => number): number =>
    readings.reduce((total, { tally }) => total + of(tally), 0);
  const events = sum((tally) => tally.count);
  const delaysUs = new Float64Array(sum((tally) => tally.delaysUs.length));
  let at = 0;
  for (const { tally } of readings) {
    delaysUs.set(tally.delaysUs, at);
    at += tally.delaysUs.length;
  }
  delaysUs.sort();
  return {
    lost: sum((tally) => tally.lost),
    doubled: sum((tally) => tally.doubled),
    outOfOrder: sum((tally) => tally.outOfOrder),
    eventsPerSecond: (events * 1e6) / (span.lastUs - span.firstUs),
    p50Ms: percentile(delaysUs, 50) / 1000,
    p99Ms: percentile(delaysUs, 99) / 1000,
    cpuUsPerEvent: (cpuMs * 1000) / events,
  };
}
