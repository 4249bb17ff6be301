/**
 * Sells requests. Read this file first. For text, images and embeddings alike, `sell` admits a
 * request, holds money, sends the request, meters the answer and settles the hold. Every path after
 * the hold settles it exactly once.
 */
import type { Caller } from '../accounts/account.ts';
import type { Limiter, Permit } from '../accounts/limits/limiter.ts';
import type { Card, Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { TraceContext } from '../protocols/trace-context.ts';
import type { GenerationRates, RouteHealth } from '../routing/route-health.ts';
import { type Destination, planRoutes } from '../routing/route-plan.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { mayUseChannel } from './admission.ts';
import type { FailureWatch } from './failed-attempt.ts';
import type { AnswerHeaders, Goods, Order, StreamedGoods } from './goods.ts';
import { CallScope, deadlinesFor, type InFlight, type RelayLimits } from './in-flight.ts';
import { Purchase, type Till } from './purchase.ts';
import { type Held, Sale, StreamSale } from './sale.ts';
import { StreamRelay } from './stream-relay.ts';
import { orTimeout } from './upstream-answer.ts';

/** The dependencies that all sales share. */
export type Shop = FailureWatch & {
  readonly clock: Clock;
  /** Returns a random number in [0, 1), by which a route is chosen. */
  readonly draw: () => number;
  /**
   * Returns the catalogue of the caller's price list.
   * @throws GatewayError `config_mismatch` while other nodes have other prices or more price lists.
   */
  readonly catalogue: (caller: Pick<Caller, 'priceList'>) => Catalogue;
  readonly limiter: Pick<Limiter, 'admit'>;
  readonly till: Till;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealth & GenerationRates;
  readonly limits: RelayLimits;
  readonly inFlight: InFlight;
  /**
   * Called for every stream that ends with an error event. Its HTTP status, 200, does not show the
   * failure.
   */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

/** The sender of the request. */
export type Buyer = {
  readonly requestId: string;
  /** The trace context, which upstreams receive as `traceparent`. */
  readonly trace: TraceContext;
  readonly caller: Caller;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Returns a new record of the headers that every response of this kind has. */
  readonly headers: (kind: 'json' | 'stream') => AnswerHeaders;
  /** Called once, after the purchase, with true when money was charged or may have been. */
  readonly onCharged: ((isCharged: boolean) => void) | null;
};

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Sells one request. @throws GatewayError for every failure before the first byte of an answer. */
export async function sell<C extends Card, Answer>(
  shop: Shop,
  buyer: Buyer,
  order: Order<C, Answer>,
): Promise<Response> {
  // Admit: check model, channel, price, routes and rate limits.
  const goods = order.admit(shop.catalogue(buyer.caller), mayUseChannel(buyer.caller));
  const { model, channels } = goods.offer;
  const planned = planRoutes({
    channels,
    upstreams: shop.upstreams(),
    formats: goods.formats,
    affinity: order.affinity,
    health: shop.health,
    draw: shop.draw,
  });
  const routes = goods.routable(planned);
  const admitting = shop.limiter.admit(buyer.caller, {
    model: model.id,
    channel: channels[0].name,
    tokens: goods.estimatedInput,
  });
  const permit = admitting instanceof Promise ? await admitting : admitting;

  // Hold: reserve the expected price before any upstream is called.
  const holding = hold(shop, buyer, goods, permit);
  const held = holding instanceof Promise ? await holding : holding;

  // Send, meter, settle. A stream is metered while it is delivered. Any other answer is metered
  // before it is delivered.
  if (goods.delivery === 'stream') return await sellStream(shop, buyer, held, goods, routes);
  const sale = new Sale(held, goods);
  try {
    const answer = await sale.send(routes);
    const finishing = goods.finish(answer);
    if (finishing !== undefined) await finishing;
    const settled = await sale.settle('completed', null, answer);
    const headers = buyer.headers('json');
    sale.addHeaders(headers, 'application/json', goods.price.channel);
    const { exact, currency, estimated } = settled.cost;
    headers['x-cost'] = `${exact} ${currency}`;
    if (estimated !== null) headers['x-estimated'] = 'true';
    return new Response(goods.pack(answer, settled), { headers });
  } catch (thrown) {
    throw await sale.fail(thrown);
  } finally {
    held.scope.close();
  }
}

/** Holds the money. On failure, ends the rate-limit permit. @throws as `Purchase.begin`. */
function hold<C extends Card>(
  shop: Shop,
  { requestId, trace, caller, signal, onCharged }: Buyer,
  { offer, price }: Pick<Goods<C, never>, 'offer' | 'price'>,
  permit: Permit,
): Held | Promise<Held> {
  const { clock, inFlight, health, till, onAttemptFailed } = shop;
  const limits = deadlinesFor(shop.limits, offer.model.timeouts);
  // The request counts as in flight before the money is held, so that it also ends if its key is
  // revoked while the money is being held.
  const scope = new CallScope({ clock, inFlight, requestId, caller, signal, limits });
  const held = { permit, scope, health, caller, trace, onAttemptFailed };
  try {
    const { currency, rate, exchange } = offer.payment;
    const { amount, atLeast, worstCase } = price.firstHold;
    const purchase = Purchase.begin(till, {
      requestId,
      caller,
      currency,
      rate,
      exchange,
      amount,
      atLeast,
      worstCase,
      price,
      onCharged,
    });
    return purchase instanceof Promise ? heldLater(purchase, held) : heldBy(purchase, held);
  } catch (thrown) {
    throw refused(thrown, held);
  }
}

type BeforeHold = Omit<Held, 'purchase'>;

async function heldLater(purchase: Promise<Purchase>, held: BeforeHold): Promise<Held> {
  try {
    return heldBy(await purchase, held);
  } catch (thrown) {
    throw refused(thrown, held);
  }
}

function heldBy(purchase: Purchase, held: BeforeHold): Held {
  const { permit, scope, health, caller, trace, onAttemptFailed } = held;
  return { purchase, permit, scope, health, caller, trace, onAttemptFailed };
}

function refused(thrown: unknown, { permit, scope }: BeforeHold): unknown {
  permit.end(null);
  scope.close();
  return thrown;
}

/**
 * Relays a stream. The status line waits for the first event, so that an early failure gets its own
 * status. After a timeout the 200 is sent anyway, since clients give up on a silent connection.
 */
async function sellStream<C extends Card>(
  { clock, inFlight, onBrokenStream }: Shop,
  { headers: common }: Buyer,
  held: Held,
  goods: StreamedGoods<C>,
  routes: readonly Destination<C>[],
): Promise<Response> {
  const { scope } = held;
  const { dialect, offer } = goods;
  const model = offer.model.id;
  const sale = new StreamSale(held, goods);
  try {
    const opening = sale.send(routes).catch((thrown: unknown) => {
      throw scope.reasonOf(thrown);
    });
    const opened = await orTimeout(clock, opening, scope.limits.firstEventHoldMs);
    const isSilent = opened === 'timeout';
    const parts = { scope, inFlight, sale, dialect, model, opening, isSilent, onBrokenStream };
    const relay = new StreamRelay(parts);
    // A function that is made here and kept by the scope would keep the whole request, with its
    // body, in memory until the stream ends.
    scope.streams(relay);
    const headers = common('stream');
    sale.addHeaders(headers, EVENT_STREAM, sale.decidedChannel(routes));
    headers['cache-control'] = 'no-cache, no-transform';
    headers['x-accel-buffering'] = 'no';
    return new Response(relay.body(), { headers });
  } catch (thrown) {
    throw await sale.fail(thrown);
  } finally {
    scope.close();
  }
}
