/**
 * The behaviors of the mock upstream. The name of the requested model selects the behavior, because
 * every gateway forwards this name. Examples: `json`, `sse-100-every-8ms`, `idle`, `flood`,
 * `json-failing-every-3`, `stamped-250-every-20ms-by-2000`.
 */
import { MAX_STAMPS } from './load/stamps.ts';

export type Behavior =
  /** One JSON answer of about 0.8 kB, without delay. */
  | { readonly kind: 'json' }
  /** A JSON answer without delay, but every `failEvery`-th request gets status 500 instead. */
  | { readonly kind: 'flaky'; readonly failEvery: number }
  /** A stream of `events` events, one every `everyMs`; if `everyMs` is 0, all in one write. */
  | { readonly kind: 'sse'; readonly events: number; readonly everyMs: number }
  /** A stream that sends its first event and then stays silent until the caller disconnects. */
  | { readonly kind: 'idle' }
  /** A stream of `FLOOD_BYTES`, sent as fast as the reader accepts it. */
  | { readonly kind: 'flood' }
  /**
   * A stream that sends its opening and then waits until `streams` streams of this behavior are
   * open. Then each of them sends `events` events with a stamp (`stamps.ts`), one every `everyMs`,
   * and ends.
   */
  | {
      readonly kind: 'stamped';
      readonly events: number;
      readonly everyMs: number;
      readonly streams: number;
    };

/**
 * The size of a flood: far more than a gateway should buffer for a slow reader. It is bounded,
 * because some other vendors' gateways buffer the whole flood.
 */
export const FLOOD_BYTES = 48 * 1024 * 1024;

/**
 * The number of events in the shortest possible stream: role, one text event, finish reason, usage
 * and end mark.
 */
export const FEWEST_EVENTS = 5;

export function modelName(behavior: Behavior): string {
  switch (behavior.kind) {
    case 'json':
    case 'idle':
    case 'flood':
      return behavior.kind;
    case 'flaky':
      return `json-failing-every-${behavior.failEvery}`;
    case 'sse':
      return `sse-${behavior.events}-every-${behavior.everyMs}ms`;
    case 'stamped': {
      const { events, everyMs, streams } = behavior;
      return `stamped-${events}-every-${everyMs}ms-by-${streams}`;
    }
  }
}

/** @throws Error when the name denotes no behavior. */
export function parseModelName(name: string): Behavior {
  if (name === 'json' || name === 'idle' || name === 'flood') return { kind: name };
  const failEvery = wholeNumbers(/^json-failing-every-(\d+)$/, name)?.[0] ?? 0;
  if (failEvery >= 1) return { kind: 'flaky', failEvery };
  const [events = 0, everyMs = 0] = wholeNumbers(/^sse-(\d+)-every-(\d+)ms$/, name) ?? [];
  if (events >= FEWEST_EVENTS) return { kind: 'sse', events, everyMs };
  const wave = wholeNumbers(/^stamped-(\d+)-every-(\d+)ms-by-(\d+)$/, name) ?? [];
  const [stamps = 0, beatMs = 0, streams = 0] = wave;
  if (stamps >= 1 && stamps <= MAX_STAMPS && beatMs >= 1 && streams >= 1) {
    return { kind: 'stamped', events: stamps, everyMs: beatMs, streams };
  }
  throw new Error(`the mock upstream has no model named ${JSON.stringify(name)}`);
}

const wholeNumbers = (pattern: RegExp, name: string): readonly number[] | undefined =>
  pattern.exec(name)?.slice(1).map(Number);
