/** One relayed stream with its clock, its upstream and its caller, for the tests of the relay. */
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { nextTurn } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import type { AnswerFacts, Dialect, StreamPass } from '../protocols/dialect.ts';
import { CallScope, InFlight, type RelayLimits } from './in-flight.ts';
import { NOTHING_DELIVERED } from './outcome.ts';
import { SO_FAR } from './purchase.fixture.ts';
import type { Settled } from './purchase.ts';
import { StreamRelay } from './stream-relay.ts';
import { openStream } from './upstream-answer.ts';

export const LIMITS: RelayLimits = {
  keepAliveMs: 15_000,
  idleTimeoutMs: 60_000,
  stallTimeoutMs: 120_000,
  totalTimeoutMs: 600_000,
  firstByteTimeoutMs: 60_000,
  firstEventHoldMs: 5_000,
  maxAnswerBytes: 0,
  maxEventBytes: 1_000,
  readOnMs: 90_000,
};
/** Counts the turns of the event loop until `end` is called. */
export function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let isOver = false;
  const count = async (): Promise<void> => {
    for (; !isOver; turns++) await nextTurn();
  };
  void count();
  return {
    end: () => {
      isOver = true;
      return turns;
    },
  };
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const dialect: Dialect = {
  name: 'chat',
  errorBody: (error) => error.code,
  errorEvent: (error) => encode(`[error ${error.code}]`),
  keepAlive: ({ started }) => encode(started ? '[ping]' : '[wait]'),
};

/**
 * Forwards text. In the text, `END` ends the answer, `ERR` is an error event, and `STOP` is a
 * finish reason. After `NUM`, the pass numbers its events, so it writes error events and
 * keep-alives by itself.
 */
class PlainPass implements StreamPass {
  errorEvents?: (error: GatewayError) => Uint8Array;
  keepAlive?: () => Uint8Array;
  started = false;
  ended = false;
  facts: AnswerFacts = NOTHING_DELIVERED;

  push(chunk: Uint8Array): Uint8Array {
    const text = decode(chunk);
    if (text.includes('ERR'))
      this.facts = { ...this.facts, error: { type: null, code: null, message: 'broke' } };
    if (text.includes('END')) this.ended = true;
    if (text.includes('NUM')) {
      let number = 0;
      this.errorEvents = (error) => encode(`[${++number} ${error.code}]`);
      this.keepAlive = () => encode(`[${++number} ping]`);
    }
    if (text.includes('STOP')) this.facts = { ...this.facts, finishReason: 'stop' };
    const out = encode(text.replace('END', '').replace('ERR', ''));
    this.facts = { ...this.facts, outputBytes: this.facts.outputBytes + out.byteLength };
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  finish(cost: { exact: string }): Uint8Array {
    return encode(`[done ${cost.exact}]`);
  }
}

const SETTLED: Settled = {
  receipt: {
    ...SO_FAR,
    requestId: 'req_1',
    accountId: 'acc_1',
    keyId: 'key_1',
    fxRateId: null,
    currency: 'USD',
  },
  charge: nano(100_000_000n),
  loss: ZERO,
  held: nano(100_000_000n),
  available: ZERO,
  exchange: null,
  cost: { usd: '0.1', exact: '0.100000000', currency: 'USD', estimated: null },
};

type StreamEnd = {
  readonly outcome: RequestOutcome;
  readonly error: GatewayError | null;
  readonly facts: AnswerFacts;
};

type Scene = {
  relay: StreamRelay;
  scope: CallScope;
  /** Closes the caller's connection. */
  leave: () => void;
  clock: ManualClock;
  inFlight: InFlight;
  ends: StreamEnd[];
  /** The codes of the failures that were sent as error events. */
  broken: string[];
  /** The number of output bytes so far, at each checkpoint. */
  checkpoints: number[];
  aborts: () => number;
  send: (text: string) => void;
  closeUpstream: () => void;
  breakUpstream: () => void;
};

export const BROKE = new GatewayError('insufficient_balance', 'Used up.');
export const STOPPING = new GatewayError('shutting_down', 'Restarting.');

/**
 * @param admittedMs the milliseconds between the admission of the request and the opening of its
 *   stream.
 */
export function scene(
  affordableBytes = Number.POSITIVE_INFINITY,
  admittedMs = 0,
  isSilent = false,
): Scene {
  const clock = manualClock();
  const inFlight = new InFlight(clock, (thrown) => {
    throw thrown;
  });
  const ends: StreamEnd[] = [];
  const broken: string[] = [];
  const checkpoints: number[] = [];
  let aborted = 0;
  let upstream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const caller = { keyId: 'key_1', accountId: 'acc_1' };
  const left = new AbortController();
  const { signal } = left;
  const callOptions = { clock, inFlight, requestId: 'req_1', caller, signal, limits: LIMITS };
  const scope = new CallScope(callOptions);
  // As with `fetch`, an abort fails the pending reads at once.
  scope.signal.addEventListener('abort', () => {
    aborted += 1;
    upstream?.error(new Error('aborted'));
  });
  clock.advance(admittedMs);
  const upstreamBody = new ReadableStream<Uint8Array>({
    start(controller) {
      upstream = controller;
    },
  });
  const opening = openStream(
    new Response(upstreamBody, { headers: { 'content-type': 'text/event-stream' } }),
    new PlainPass(),
    {
      clock,
      maxAnswerBytes: 0,
      firstByteTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
      context: { hidden: [], model: null },
    },
    () => undefined,
  );
  opening.catch(() => undefined);
  const relay = new StreamRelay({
    scope,
    inFlight,
    dialect,
    model: 'gen-x',
    opening,
    isSilent,
    onBrokenStream: (_requestId, error) => broken.push(error.code),
    sale: {
      allow: ({ pass }) =>
        pass.facts.outputBytes < affordableBytes ? null : Promise.resolve(BROKE),
      keepCheckpoint: ({ pass }) => checkpoints.push(pass.facts.outputBytes),
      // Settles after other tasks have run, as a real store does.
      settle: async (outcome, error, opened) => {
        ends.push({ outcome, error, facts: opened?.pass.facts ?? NOTHING_DELIVERED });
        await nextTurn();
        return SETTLED;
      },
    },
  });
  scope.close();
  signal.addEventListener('abort', () => relay.abandon());
  return {
    relay,
    scope,
    leave: () => left.abort(),
    clock,
    inFlight,
    ends,
    broken,
    checkpoints,
    aborts: () => aborted,
    send: (text) => upstream?.enqueue(encode(text)),
    closeUpstream: () => upstream?.close(),
    breakUpstream: () => upstream?.error(new Error('reset')),
  };
}

/** Waits for one turn of the event loop, so that all pending callbacks run. */
export const turn = nextTurn;

export const readAll = async (body: ReadableStream<Uint8Array>): Promise<string> =>
  await new Response(body).text();
