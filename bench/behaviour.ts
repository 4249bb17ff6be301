/**
 * What the mock upstream does with a request, told by the model's name, since that is the one thing
 * every gateway passes on: `json`, `sse-100-every-8ms`, `idle`, `flood`.
 */

export type Behaviour =
  /** One JSON answer of about 0.8 kB, at once. */
  | { readonly kind: 'json' }
  /** A stream of `events` events, one each `everyMs`; 0 sends them all in one write. */
  | { readonly kind: 'sse'; readonly events: number; readonly everyMs: number }
  /** A stream that sends its first event and then stays silent until the caller leaves. */
  | { readonly kind: 'idle' }
  /** A stream of `FLOOD_BYTES` sent as fast as the reader takes it. */
  | { readonly kind: 'flood' };

/** Far above any buffer a gateway should keep for one reader, and bounded if a peer keeps it all. */
export const FLOOD_BYTES = 48 * 1024 * 1024;

/** The fewest events of a stream: role, finish reason, usage and end mark, with one word between. */
export const FEWEST_EVENTS = 5;

export function modelName(behaviour: Behaviour): string {
  return behaviour.kind === 'sse'
    ? `sse-${behaviour.events}-every-${behaviour.everyMs}ms`
    : behaviour.kind;
}

/** @throws Error when no behaviour has this name. */
export function parseModelName(name: string): Behaviour {
  if (name === 'json' || name === 'idle' || name === 'flood') return { kind: name };
  const stream = /^sse-(\d+)-every-(\d+)ms$/.exec(name);
  const events = Number(stream?.[1]);
  if (stream === null || events < FEWEST_EVENTS) {
    throw new Error(`the mock upstream has no model named ${JSON.stringify(name)}`);
  }
  return { kind: 'sse', events, everyMs: Number(stream[2]) };
}
