/**
 * Tests requests under random schedules of upstreams, caller, store and operator. Each hold must be
 * settled once, the receipt must be correct, and no resource may leak.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../errors.ts';
import { JsonScan } from '../json/scan.ts';
import type { AttemptRecord, Receipt } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { costPico } from '../money/price.ts';
import { readChatRequest } from '../protocols/chat/request.ts';
import { requestSize } from '../protocols/inputs/request-size.ts';
import { readMessagesRequest } from '../protocols/messages/request.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { readResponsesRequest } from '../protocols/responses/request.ts';
import { Seals } from '../protocols/responses/seal.ts';
import { brokenRules } from '../protocols/responses-rules.fixture.ts';
import { traceOf } from '../protocols/trace-context.ts';
import type { RelayLimits } from './in-flight.ts';
import { EVENTS, NOTHING_LEFT, openWorld, STEP_MS } from './sale-world.fixture.ts';
import {
  type Behaviour,
  CALLER,
  CATALOGUE,
  CHANNELS,
  countsOf,
  FIRST_BYTE_MS,
  scheduledUpstream,
  UPSTREAMS,
} from './scheduled-upstreams.fixture.ts';
import { sell } from './sell.ts';
import { chatEndpoint, messagesEndpoint, responsesEndpoint } from './text-endpoints.ts';
import { textOrder } from './text-goods.ts';

const LIMITS: RelayLimits = {
  keepAliveMs: 1_000,
  idleTimeoutMs: 3_000,
  stallTimeoutMs: 6_000,
  totalTimeoutMs: 20_000,
  firstByteTimeoutMs: FIRST_BYTE_MS,
  firstEventHoldMs: 1_500,
  maxAnswerBytes: 10_000,
  maxEventBytes: 10_000,
  readOnMs: 2_000,
};
/** The interval at which deadlines are checked, so requests may exceed them by this much. */
const TICK_MS = 1_000;
const LEDGER_MS = 700;
const RUNS = 300;
const SEED = 20_261_121;

const afterMs = fc.constantFrom(0, 50, 900, 1_600, 5_000);
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({
    kind: fc.constant('status' as const),
    afterMs,
    status: fc.constantFrom(400, 401, 429, 500, 503),
  }),
  fc.record({ kind: fc.constant('not_there' as const), afterMs }),
  fc.constant({ kind: 'mute' as const }),
  fc.record({
    kind: fc.constant('answer' as const),
    afterMs,
    gapsMs: fc.array(afterMs, { maxLength: 6 }),
    end: fc.constantFrom(
      ...(['whole', 'whole', 'whole', 'cut', 'reset', 'error', 'silence'] as const),
    ),
  }),
);
const ENDPOINTS = {
  chat: { endpoint: chatEndpoint, read: readChatRequest },
  messages: { endpoint: messagesEndpoint, read: readMessagesRequest },
  responses: {
    endpoint: responsesEndpoint(new Seals('the secret of this node'), false),
    read: readResponsesRequest,
  },
} as const;
const schedule = fc.record({
  endpoint: fc.constantFrom('chat', 'messages', 'responses'),
  stream: fc.boolean(),
  channel: fc.constantFrom('economical', 'direct'),
  /** Enough nano-USD for all routes, for just one expensive route, or for cheap routes only. */
  balance: fc.constantFrom(1_000_000_000n, 6_000_000n, 1_500_000n),
  ledgerMs: fc.constantFrom(0, 50, LEDGER_MS),
  upstreams: fc.tuple(behaviour, behaviour, behaviour, behaviour),
  events: fc.array(
    fc.record({ atMs: fc.integer({ min: 0, max: 12_000 }), what: fc.constantFrom(...EVENTS) }),
    { maxLength: 2 },
  ),
  onDisconnect: fc.constantFrom('abort' as const, 'abort_streams' as const, 'read_on' as const),
  /** How many chunks of a stream the caller reads before it stops; null to read all. */
  reads: fc.constantFrom(null, null, 0, 2),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never;

/** @param onOpened called when the answer has been opened, or has failed. */
async function run(schedule: Schedule, onOpened: (caller: AbortController) => void = () => {}) {
  const world = openWorld({ ...schedule, catalogue: CATALOGUE, limits: LIMITS }, (clock, sent) =>
    UPSTREAMS.map((name, at) =>
      scheduledUpstream(name, schedule.upstreams[at] ?? { kind: 'mute' }, clock, sent, {
        ...NO_QUIRKS,
        onDisconnect: schedule.onDisconnect,
      }),
    ),
  );
  const { shop, caller, counts } = world;
  const { stream, channel, reads } = schedule;
  const { endpoint, read: readRequest } = ENDPOINTS[schedule.endpoint];
  const isResponses = schedule.endpoint === 'responses';
  const asked = JSON.stringify({
    model: 'gen',
    ...(isResponses
      ? { input: 'Hi', max_output_tokens: 300 }
      : { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 300 }),
    stream,
    provider: { channel },
  });
  const bytes = new TextEncoder().encode(asked);
  const scan = new JsonScan({ maxDepth: 64 });
  scan.advance(bytes, bytes.byteLength);
  const body = scan.finish(bytes, bytes.byteLength);
  const request = readRequest(body.view());
  const order = textOrder({
    endpoint,
    request,
    body,
    size: requestSize(body, request.inputs),
    accountId: CALLER.accountId,
    stream,
    headers: {},
    affinity: () => 'one',
    call: {
      releaseBody: () => {
        counts.releases += 1;
        onOpened(caller);
      },
    },
  });
  const buyer = {
    requestId: 'req_1',
    trace: traceOf(null, shop.clock),
    caller: CALLER,
    signal: caller.signal,
    headers: () => ({}),
    onCharged: null,
  };
  const ask = () => sell(shop, buyer, order);
  const got = await world.drive(ask, (response, take) =>
    read(response, reads, caller.signal, take),
  );
  return { ...world, got, schedule };
}

/**
 * Reads a response to its end, or only its first `pieces` chunks. A disconnected caller reads
 * nothing.
 */
async function read(
  response: Response,
  pieces: number | null,
  signal: AbortSignal,
  take: (text: string) => void,
): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const gone = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  for (let piece = 0; reader !== undefined && piece !== pieces; piece++) {
    const { done, value } = await Promise.race([reader.read(), gone]);
    if (done) return;
    take(decoder.decode(value));
  }
}

type Ran = Awaited<ReturnType<typeof run>>;

/** The results of attempts that sent nothing, because the hold could not be extended for them. */
const PASSED_OVER = ['insufficient_balance', 'store_unavailable'];

/** Requires that no other route is tried once the caller has disconnected. */
function requireNoneAskedLater({ sent, schedule }: Ran): void {
  const leaves = schedule.events.filter(({ what }) => what === 'leave').map(({ atMs }) => atMs);
  const leftMs = Math.ceil(Math.min(...leaves) / STEP_MS) * STEP_MS;
  for (const { atMs } of sent) expect(atMs).toBeLessThanOrEqual(leftMs);
}

function requireTrueReceipt({ got, sent, schedule }: Ran, receipt: Receipt, charge: bigint): void {
  const { attempts, outcome, usage } = receipt;
  const card = [...CHANNELS.values()].find(({ name }) => name === receipt.channel)?.card;
  expect(receipt.cardId).toBe(card?.id ?? 'a card');
  if (card !== undefined) expect(receipt.costPico).toBe(costPico(usage, card.rates));
  // The receipt lists the routes to which a request was sent, in the order of sending.
  const asked = attempts.filter(({ result }) => !PASSED_OVER.includes(result));
  expect(asked.map(({ upstream }) => upstream)).toEqual(sent.map(({ name }) => name));
  expect(receipt.durationMs).toBeLessThanOrEqual(
    LIMITS.totalTimeoutMs + TICK_MS + LEDGER_MS + 2 * STEP_MS,
  );
  const last: AttemptRecord | undefined = attempts.at(-1);
  if (receipt.upstream !== '') {
    const its = attempts.find(({ upstream }) => upstream === receipt.upstream);
    expect(its?.channel).toBe(receipt.channel);
  }
  if (charge > 0n) {
    expect(last?.upstream).toBe(receipt.upstream);
    expect(sent.at(-1)?.name).toBe(receipt.upstream);
  }
  if (outcome === 'completed') {
    expect(last?.result).toBe('200');
    const { prompt_tokens: input, completion_tokens: output } = countsOf(receipt.upstream);
    expect([usage.input, usage.output, receipt.estimated]).toEqual([input, output, false]);
    expect(receipt.firstByteMs ?? -1).toBeGreaterThanOrEqual(last?.startMs ?? 0);
  } else if (receipt.measure === 'read_on') {
    expect(['caller_left', 'revoked']).toContain(outcome);
    const { prompt_tokens: input, completion_tokens: output } = countsOf(receipt.upstream);
    expect([usage.input, usage.output, receipt.estimated]).toEqual([input, output, false]);
  } else if (got.error !== null && got.error.code !== 'caller_left') {
    const isRevoked = outcome === 'revoked';
    if (!isRevoked) expect(charge).toBe(0n);
  }
  // The caller never receives words from two upstreams.
  const heard = UPSTREAMS.filter((name) => got.text.includes(name));
  expect(heard.every((name) => name === receipt.upstream)).toBe(true);
  if (heard.length > 0 && schedule.stream) expect(charge).toBeGreaterThan(0n);
}

const END_MARKS = {
  chat: /data: \[DONE\]\n\n$/,
  messages: /event: message_stop\ndata: .*\n\n$/,
  responses: /event: response\.completed\ndata: .*\n\n$/,
} as const;
const ERRORS = {
  chat: '{"error":',
  messages: '"error":',
  responses: 'event: error\n',
} as const;

function requireTrueAnswer({ got, schedule }: Ran, receipt: Receipt, charge: bigint): void {
  const { response, text } = got;
  if (response === null) return;
  const channel = response.headers.get('x-channel');
  if (channel !== null) expect(channel).toBe(receipt.channel);
  const card = response.headers.get('x-price-card');
  if (card !== null) expect(card).toBe(receipt.cardId);
  const hasRead = schedule.reads === null && !schedule.events.some(({ what }) => what === 'leave');
  if (!schedule.stream) {
    expect(response.headers.get('x-cost')).toBe(`0.${String(charge).padStart(9, '0')} USD`);
  } else if (hasRead) {
    const ends = [
      END_MARKS[schedule.endpoint].test(text),
      text.includes(ERRORS[schedule.endpoint]),
    ];
    expect(ends).toEqual(receipt.outcome === 'completed' ? [true, false] : [false, true]);
    if (schedule.endpoint === 'responses') requireResponsesRules(text);
    // After any keep-alives, a Messages stream begins with `message_start` or with an error.
    const [first] = text.match(/^event: \w+$/m) ?? [];
    if (schedule.endpoint === 'messages') expect(first).toMatch(/^event: (?:message_start|error)$/);
  }
}

/** A stream that fails before `response.created` contains only the error. */
function requireResponsesRules(text: string): void {
  const isBegun = text.includes('event: response.created');
  const rules = brokenRules(text, true).filter((rule) => isBegun || !rule.includes('response.'));
  expect(rules).toEqual([]);
}

test('settles every hold once and correctly, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (asked) => {
      const ran = await run(asked);
      const { ledger, got, counts } = ran;
      ledger.bookKept();
      expect(ran.left()).toEqual(NOTHING_LEFT);
      requireNoneAskedLater(ran);
      if (got.response !== null || ran.sent.length > 0) expect(counts.releases).toBe(1);
      const { settlements } = ledger;
      if (ran.sent.length > 0) expect(settlements).toHaveLength(1);
      expect(counts.settled).toBe(settlements.length);
      for (const { charge, receipt } of settlements) {
        expect(ledger.balance).toBe(asked.balance - charge);
        requireTrueReceipt(ran, receipt, charge);
        requireTrueAnswer(ran, receipt, charge);
      }
      if (settlements.length === 0) expect(got.error).toBeInstanceOf(GatewayError);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: false },
  );
}, 180_000);

test('a caller who disconnects between two routes pays nothing, and no other route is asked', async () => {
  const failing = { kind: 'status', afterMs: 0, status: 500 } as const;
  const ran = await run({
    ...{ endpoint: 'chat', stream: true, channel: 'economical', balance: 1_000_000_000n },
    ...{ ledgerMs: LEDGER_MS, upstreams: [failing, failing, failing, failing], reads: null },
    onDisconnect: 'read_on',
    // The caller disconnects while the hold is extended to the price of the default channel.
    events: [{ atMs: LEDGER_MS + LEDGER_MS / 2, what: 'leave' }],
  });
  expect(ran.sent.map(({ name }) => name)).toEqual(UPSTREAMS.slice(0, 2));
  expect(ran.ledger.settlements.map(({ charge }) => charge)).toEqual([nano(0n)]);
  expect(ran.left()).toEqual(NOTHING_LEFT);
});

test.each([true, false])(
  'a caller who disconnects as the answer opens leaves nothing behind (stream: %p)',
  async (stream) => {
    const answer = { kind: 'answer', afterMs: 0, gapsMs: [0, 50], end: 'whole' } as const;
    const asked: Schedule = {
      endpoint: 'chat',
      stream,
      channel: 'direct',
      balance: 1_000_000_000n,
      ledgerMs: 0,
      upstreams: [answer, answer, answer, answer],
      events: [],
      onDisconnect: 'abort',
      reads: null,
    };
    const ran = await run(asked, (caller) => caller.abort());
    expect(ran.left()).toEqual(NOTHING_LEFT);
    expect(ran.ledger.settlements).toHaveLength(1);
  },
);
