/**
 * A request is a purchase. This is the file to read first: the caller is known already (`http/edge`);
 * here the request is admitted, held, sent, metered and settled, whether it buys text or images.
 *
 *   admit -> hold -> send -> meter -> settle
 *
 * Every way out after the hold settles it, once.
 */
import type { Caller } from '../accounts/account.ts';
import type { Limiter, Permit } from '../accounts/limits/limiter.ts';
import type { Card, Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { NanoAmount } from '../money/amount.ts';
import type { TraceContext } from '../protocols/trace-context.ts';
import type { RouteHealth } from '../routing/health.ts';
import { type Destination, planRoutes, randomFraction } from '../routing/route-plan.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { mayUseChannel } from './admission.ts';
import { deadlinesFor, orTimeout, type RelayLimits } from './deadlines.ts';
import type { Goods, Order, StreamedGoods } from './goods.ts';
import { CallScope, type InFlight } from './in-flight.ts';
import { Purchase, type Till } from './purchase.ts';
import { type Held, Sale, StreamSale } from './sale.ts';
import { StreamRelay } from './stream-relay.ts';
import type { OpenedStream } from './upstream-answer.ts';

/** Where requests are sold: what every sale needs and no sale changes. */
export type Shop = {
  readonly clock: Clock;
  readonly catalogue: () => Catalogue;
  readonly limiter: Pick<Limiter, 'admit'>;
  readonly till: Till;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealth;
  readonly limits: RelayLimits;
  readonly inFlight: InFlight;
  /** Called for every stream that ended with an error event: its status line said 200. */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

/** Whose request it is. */
export type Buyer = {
  readonly requestId: string;
  /** Sent to upstreams as `traceparent`. */
  readonly trace: TraceContext;
  readonly caller: Caller;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** Called once when the purchase is over: whether money was taken, or nobody can tell. */
  readonly onCharged: ((isCharged: boolean) => void) | null;
};

/** @throws GatewayError for everything that fails before the first byte of an answer. */
export async function sell<C extends Card, Answer>(
  shop: Shop,
  buyer: Buyer,
  order: Order<C, Answer>,
): Promise<Response> {
  // Admit: may it be served, by which routes, at which price, and now?
  const goods = order.admit(shop.catalogue(), mayUseChannel(buyer.caller));
  const { model, channels } = goods.offer;
  const planned = planRoutes({
    channels,
    upstreams: shop.upstreams(),
    formats: goods.formats,
    affinity: order.affinity,
    health: shop.health,
    draw: () => randomFraction(shop.clock),
  });
  const routes = goods.routable(planned);
  const permit = shop.limiter.admit(buyer.caller, {
    model: model.id,
    channel: channels[0].name,
    tokens: goods.estimatedInput,
  });

  // Hold: what it may cost, before any upstream is called.
  const held = await hold(shop, buyer, goods, permit);

  // Send, meter, settle. A stream is metered while it is delivered, anything else before.
  if (goods.delivery === 'stream') return await sellStream(shop, buyer, held, goods, routes);
  const sale = new Sale(held, goods);
  try {
    const answer = await sale.send(routes);
    await goods.finish(answer);
    const settled = await sale.settle('completed', null, answer);
    const headers = sale.headers('application/json', goods.price.channel);
    headers.set('x-cost', `${settled.cost.exact} ${settled.cost.currency}`);
    return new Response(goods.pack(answer, settled), { headers });
  } catch (thrown) {
    throw await sale.fail(thrown);
  } finally {
    held.scope.close();
  }
}

/** @throws GatewayError as `Purchase.begin` does: the permit is given back then. */
async function hold<C extends Card>(
  shop: Shop,
  { requestId, trace, caller, signal, onCharged }: Buyer,
  { offer, price }: Pick<Goods<C, never>, 'offer' | 'price'>,
  permit: Permit,
): Promise<Held> {
  const { clock, inFlight, health, till } = shop;
  const limits = deadlinesFor(shop.limits, offer.model.timeouts);
  // It can be ended from outside already: a key may be revoked while its hold is still asked for.
  const scope = new CallScope({ clock, inFlight, requestId, caller, signal, limits });
  try {
    const { amount, atLeast } = price.firstHold;
    const affordable = (funds: NanoAmount) => price.affordable(funds);
    const { currency, rate, exchange } = offer.payment;
    const terms = { requestId, caller, currency, rate, exchange, amount, atLeast, affordable };
    const purchase = await Purchase.begin(till, { ...terms, onCharged });
    return { purchase, permit, scope, health, caller, trace };
  } catch (thrown) {
    permit.end(null);
    scope.close();
    throw thrown;
  }
}

/**
 * The status line waits a while for the upstream, so that a failure has a status of its own. Then it
 * goes out all the same, since clients give up on a connection that says nothing.
 */
async function sellStream<C extends Card>(
  { clock, inFlight, onBrokenStream }: Shop,
  { signal }: Buyer,
  held: Held,
  goods: StreamedGoods<C>,
  routes: readonly Destination<C>[],
): Promise<Response> {
  const { scope } = held;
  const { dialect } = goods;
  const sale = new StreamSale(held, goods);
  try {
    const opening = openingOf(sale, scope, routes);
    await orTimeout(clock, opening, scope.limits.firstEventHoldMs);
    const relay = new StreamRelay({ scope, inFlight, sale, dialect, opening, onBrokenStream });
    signal.addEventListener('abort', () => relay.abandon(), { once: true });
    const headers = sale.headers('text/event-stream; charset=utf-8', sale.decidedChannel(routes));
    headers.set('cache-control', 'no-cache, no-transform');
    headers.set('x-accel-buffering', 'no');
    return new Response(relay.body(), { headers });
  } catch (thrown) {
    throw await sale.fail(thrown);
  } finally {
    scope.close();
  }
}

/** @throws GatewayError when no route gave a stream: the reason, where it was aborted. */
async function openingOf<C extends Card>(
  sale: StreamSale<C>,
  scope: CallScope,
  routes: readonly Destination<C>[],
): Promise<OpenedStream> {
  try {
    return await sale.send(routes);
  } catch (thrown) {
    throw scope.reasonOf(thrown);
  }
}
