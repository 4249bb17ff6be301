/** What is sold: the points in which answers in text and images differ. The rest is `sell.ts`. */
import type { RateDialect } from '../accounts/limits/rate-headers.ts';
import type { Card, Catalogue, Channel, Model } from '../catalogue/catalogue.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Dialect } from '../protocols/dialect.ts';
import type { Destination } from '../routing/route-plan.ts';
import type { RepeatRule, RouteAttempt } from '../routing/route-search.ts';
import type { UpstreamRequest, WireFormat } from '../upstreams/upstream.ts';
import type { MayUse, Offer } from './admission.ts';
import type { CallScope } from './in-flight.ts';
import type { Consumption, Price, Purchase, Settled } from './purchase.ts';
import type { OutputBudget } from './text-price.ts';
import type { OpenedStream } from './upstream-answer.ts';

/** A request as its caller wrote it. */
export interface Order<C extends Card, Answer> {
  /** The same for the requests of one conversation; null: it can go anywhere. */
  readonly affinity: () => string | null;
  /** @throws GatewayError when it may not be served, or not like this. */
  admit(catalogue: Catalogue, mayUse: MayUse): WholeGoods<C, Answer> | StreamedGoods<C>;
}

/** What the request came to, as the goods count it. */
export type Metered = Pick<
  Consumption,
  'usage' | 'images' | 'costPico' | 'estimated' | 'finishReason'
>;

export interface Goods<C extends Card, Answer> {
  readonly delivery: 'whole' | 'stream';
  readonly endpoint: 'chat' | 'messages' | 'images';
  readonly rateDialect: RateDialect;
  /** The channel as the caller wrote it; null when none was asked for. */
  readonly channelRequested: string | null;
  readonly offer: Offer<Model, C>;
  readonly price: Price<C>;
  /** Input tokens that count against rate limits, estimated; 0 where none are. */
  readonly estimatedInput: number;
  /** What the request can be written in, the caller's own dialect first. */
  readonly formats: readonly WireFormat[];
  readonly repeat: RepeatRule;
  /**
   * Those of the planned routes that can be asked, in their order.
   * @throws GatewayError when the request can be written for none.
   */
  routable(planned: readonly Destination<C>[]): readonly Destination<C>[];
  /** @throws GatewayError when the request cannot be written for this route. */
  prepare(to: Destination<C>): void;
  /** The request for a route that it is prepared for, at the price that is in force by then. */
  bodyFor(to: Destination<C>): Uint8Array<ArrayBuffer>;
  headersFor(to: Destination<C>): UpstreamRequest['headers'];
  /**
   * Takes an answer with a success status, up to the first event of a stream.
   * @throws GatewayError when it cannot be used.
   */
  open(response: Response, attempt: RouteAttempt<C>, scope: CallScope): Promise<Answer>;
  /** No route is asked any more, so nobody needs the request's body: a stream may run for an hour. */
  release(): void;
  /** @param answer null: nothing was delivered. */
  meter(outcome: RequestOutcome, answer: Answer | null, channel: Channel<C>): Metered;
  /** Of a request that was sent nowhere. */
  unused(channel: Channel<C>): Metered;
  /** @param channel null while another may serve yet. */
  addHeaders(headers: Headers, channel: Channel<C> | null, elapsedMs: number): void;
}

/** Goods that are delivered once they are paid for. */
export interface WholeGoods<C extends Card, Answer> extends Goods<C, Answer> {
  readonly delivery: 'whole';
  /** Prepares the answer for delivery. @throws GatewayError when that fails: nothing is charged then. */
  finish(answer: Answer): void | Promise<void>;
  /** The body of the response, with the cost where the dialect has a place for it. */
  pack(answer: Answer, settled: Settled): string | Uint8Array<ArrayBuffer>;
}

/** Goods that are delivered while they are metered. */
export interface StreamedGoods<C extends Card> extends Goods<C, OpenedStream> {
  readonly delivery: 'stream';
  readonly dialect: Dialect;
  /** How much output the hold pays for, once a route has answered and so the price is known. */
  budget(purchase: Purchase, soFar: () => Consumption): OutputBudget;
}
