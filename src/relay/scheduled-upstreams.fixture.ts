/** Test doubles for whole requests: a wallet in memory, scripted upstreams and manual time. */
import type { Caller } from '../accounts/account.ts';
import { NO_LIMITS } from '../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from '../accounts/scopes.ts';
import type { Catalogue, Channel, ChannelName, TokenCard } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Command, Outcome, SettleCommand, VoidCommand } from '../ledger/ledger.ts';
import { type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES, picoRate, type Rates } from '../money/price.ts';
import { perPrice } from '../money/usage.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import { NotSent, type Upstream, type UpstreamRequest } from '../upstreams/upstream.ts';
import { chatModel } from './admission.fixture.ts';

export const CALLER: Caller = {
  keyId: 'key_1',
  keyName: 'test',
  accountId: 'acc_1',
  allowExchange: true,
  priceList: null,
  limits: { key: NO_LIMITS, account: NO_LIMITS },
  scopes: scopeBits(DEFAULT_SCOPES),
};

const ratesOf = (pico: bigint): Rates => ({
  ...NO_RATES,
  input: picoRate(pico),
  cacheRead: picoRate(pico),
  cacheWrite5m: picoRate(pico),
  cacheWrite1h: picoRate(pico),
  output: picoRate(2n * pico),
});

const channelOf = (
  name: ChannelName,
  pico: bigint,
  ...[first, second]: readonly [string, string]
): Channel<TokenCard> => {
  const to = (upstream: string) => ({ upstream, model: 'm', weight: 1, priority: 1, drop: [] });
  return {
    name,
    onlyOn: null,
    card: {
      unit: 'token',
      id: `card_${name}`,
      model: 'gen',
      channel: name,
      currency: 'USD',
      example: false,
      list: null,
      rates: ratesOf(pico),
      terms: flatTerms(ratesOf(pico)),
      listed: perPrice(() => '1'),
    },
    dated: [],
    cost: null,
    routes: [to(first), to(second)],
  };
};

export const UPSTREAMS: readonly string[] = ['cheap-1', 'cheap-2', 'costly-1', 'costly-2'];

/** The channels of the test model. The expensive channel is the default. */
export const CHANNELS: ReadonlyMap<ChannelName, Channel<TokenCard>> = new Map([
  ['economical', channelOf('economical', 1_000_000n, 'cheap-1', 'cheap-2')],
  ['direct', channelOf('direct', 10_000_000n, 'costly-1', 'costly-2')],
]);

const MODELS = new Map([['gen', { ...chatModel('gen', 'USD'), channels: CHANNELS }]]);

export const CATALOGUE: Catalogue = {
  models: MODELS,
  all: MODELS,
  fx: new Map(),
  version: 'cat_1',
  loadedAtMs: 0,
  list: null,
  lists: new Map(),
  next: null,
};

/** The behavior of an upstream for one request. */
export type Behaviour =
  | { readonly kind: 'status'; readonly afterMs: number; readonly status: number }
  | { readonly kind: 'not_there'; readonly afterMs: number }
  | { readonly kind: 'mute' }
  | {
      readonly kind: 'answer';
      /** The delay before the status line, in milliseconds. */
      readonly afterMs: number;
      /** The delay before each word, in milliseconds. */
      readonly gapsMs: readonly number[];
      readonly end: 'whole' | 'cut' | 'reset' | 'error' | 'silence';
    };

/**
 * Returns the token counts that an upstream reports. They differ by upstream, so that a price
 * reveals which upstream served.
 */
export const countsOf = (name: string) => ({
  prompt_tokens: 11 + UPSTREAMS.indexOf(name),
  completion_tokens: 7,
});
const chunk = (body: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...body })}\n\n`;
const word = (name: string): string =>
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: `${name} ` } }] });
const ending = (name: string): string =>
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  chunk({ choices: [], usage: { ...countsOf(name), total_tokens: 0 } }) +
  'data: [DONE]\n\n';
const whole = (name: string): string =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: name }, finish_reason: 'stop' }],
    usage: { ...countsOf(name), total_tokens: 0 },
  });

export type Sent = { readonly name: string; readonly atMs: number; open: boolean };

/** The deadline for an upstream's status line, in milliseconds. */
export const FIRST_BYTE_MS = 4_000;

/** Returns an upstream that records its requests and whether each is still open. */
export function scheduledUpstream(
  name: string,
  behaviour: Behaviour,
  clock: Clock,
  sent: Sent[],
  quirks = NO_QUIRKS,
): Upstream {
  const send = async ({ signal, stream }: UpstreamRequest): Promise<Response> => {
    signal.throwIfAborted();
    const record: Sent = { name, atMs: clock.monotonicMs(), open: true };
    sent.push(record);
    const close = (): void => {
      record.open = false;
    };
    signal.addEventListener('abort', close);
    const statusMs = behaviour.kind === 'mute' ? Number.POSITIVE_INFINITY : behaviour.afterMs;
    await pause(clock, Math.min(statusMs, FIRST_BYTE_MS), signal);
    if (statusMs > FIRST_BYTE_MS) {
      close();
      throw new GatewayError('upstream_timeout', 'The provider did not answer in time.');
    }
    switch (behaviour.kind) {
      case 'mute':
        throw new Error('its status line never comes');
      case 'not_there':
        close();
        throw new NotSent('The provider could not be reached.');
      case 'status':
        close();
        return Response.json({ error: { message: 'no' } }, { status: behaviour.status });
      case 'answer': {
        const script = stream ? streamed(name, behaviour) : inOnePiece(name, behaviour);
        return new Response(played(script, clock, signal, close), {
          headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
        });
      }
    }
  };
  return {
    name,
    formats: new Set(['chat']),
    fields: PLAIN_FIELDS,
    quirks,
    firstByteTimeoutMs: null,
    hidden: [],
    send,
  };
}

/** @param delayMs the length of the pause; null to wait until the signal aborts. */
function pause(clock: Clock, delayMs: number | null, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  if (delayMs !== null) void clock.sleep(delayMs).then(resolve);
  return promise;
}

type Line = { readonly afterMs: number; readonly text: string } | 'reset' | 'silence';

function* streamed(name: string, { gapsMs, end }: Behaviour & { kind: 'answer' }): Iterable<Line> {
  for (const afterMs of gapsMs) yield { afterMs, text: word(name) };
  if (end === 'whole') yield { afterMs: 0, text: ending(name) };
  if (end === 'error') yield { afterMs: 0, text: 'data: {"error":{"message":"broke"}}\n\n' };
  if (end === 'reset' || end === 'silence') yield end;
}

function* inOnePiece(
  name: string,
  { gapsMs, end }: Behaviour & { kind: 'answer' },
): Iterable<Line> {
  const [afterMs = 0] = gapsMs;
  const text = end === 'error' ? '{"error":{"message":"broke"}}' : whole(name);
  if (end === 'whole' || end === 'error') yield { afterMs, text };
  else yield { afterMs, text: text.slice(0, 20) };
  if (end === 'reset' || end === 'silence') yield end;
}

function played(
  script: Iterable<Line>,
  clock: Clock,
  signal: AbortSignal,
  close: () => void,
): ReadableStream<Uint8Array> {
  const lines = script[Symbol.iterator]();
  return new ReadableStream({
    start: (controller) => {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull: async (controller) => {
      const { value: line } = lines.next();
      if (line === 'silence') return await pause(clock, null, signal).catch(() => undefined);
      if (line === 'reset') {
        close();
        controller.error(new Error('ECONNRESET'));
      } else if (line === undefined) {
        close();
        controller.close();
      } else {
        await pause(clock, line.afterMs, signal).catch(() => undefined);
        if (!signal.aborted) controller.enqueue(new TextEncoder().encode(line.text));
      }
    },
    cancel: close,
  });
}

/**
 * A ledger in memory with one wallet and the rules of the real ledger. It answers after a delay,
 * and not at all while `isAway` is true.
 */
export class WalletLedger {
  readonly settlements: SettleCommand[] = [];
  balance: bigint;
  held = new Map<string, bigint>();
  isAway = false;
  checkpoints = 0;
  readonly #kept: (SettleCommand | VoidCommand)[] = [];
  readonly #clock: Clock;
  readonly #delayMs: number;

  constructor(clock: Clock, balance: bigint, delayMs: number) {
    this.#clock = clock;
    this.balance = balance;
    this.#delayMs = delayMs;
  }

  async apply(batch: readonly Command[]): Promise<readonly Outcome[]> {
    if (this.#delayMs > 0) await this.#clock.sleep(this.#delayMs);
    if (this.isAway) throw new GatewayError('store_unavailable', 'The store is away.');
    return batch.map((command) => this.#take(command));
  }

  /**
   * Counts a checkpoint.
   * @throws Error if the request has ended: no checkpoint may follow its end.
   */
  keepCheckpoint(holdId: string): void {
    if (!this.held.has(holdId)) throw new Error(`a checkpoint of ${holdId}, which has ended`);
    this.checkpoints += 1;
  }

  /** Stores a command while the store is unavailable, as the spool does on disk. */
  async keep(command: SettleCommand | VoidCommand): Promise<void> {
    this.#kept.push(command);
  }

  /**
   * Applies the commands that `keep` stored, as the spool does when the store is available again.
   * @throws Error for a command that is not applied.
   */
  bookKept(): void {
    for (const command of this.#kept) {
      if (command.kind === 'settle' && this.#settle(command).status === 'applied') continue;
      throw new Error(`a ${command.kind} that the ledger does not take`);
    }
  }

  #settle(command: SettleCommand): Outcome {
    if (!this.held.delete(command.id)) return { status: 'hold_resolved' };
    this.settlements.push(command);
    this.balance -= command.charge;
    return applied(command.charge, this.#free);
  }

  #take(command: Command): Outcome {
    switch (command.kind) {
      case 'hold': {
        if (this.#free < command.atLeast) {
          return { status: 'balance_too_low', available: nano(this.#free) };
        }
        const amount = command.amount < this.#free ? command.amount : nano(this.#free);
        this.held.set(command.id, amount);
        return applied(amount, this.#free);
      }
      case 'extend': {
        const before = this.held.get(command.holdId);
        if (before === undefined) return { status: 'hold_resolved' };
        if (this.#free < command.amount) {
          return { status: 'balance_too_low', available: nano(this.#free) };
        }
        this.held.set(command.holdId, before + command.amount);
        return applied(nano(before + command.amount), this.#free);
      }
      case 'settle':
        return this.#settle(command);
      default:
        throw new Error(`a request does not ${command.kind}`);
    }
  }

  get #free(): bigint {
    return [...this.held.values()].reduce((free, amount) => free - amount, this.balance);
  }
}

const applied = (amount: NanoAmount, free: bigint): Outcome => ({
  status: 'applied',
  result: { amount, available: nano(free), loss: ZERO },
});
