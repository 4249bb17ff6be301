/** Goods: the steps in which selling text and selling images differ. `sell.ts` does the rest. */
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

/** A request as the caller wrote it, before admission. */
export interface Order<C extends Card, Answer> {
  /** The same value for all requests of one conversation; null: any route will do. */
  readonly affinity: () => string | null;
  /** @throws GatewayError when the request may not be served. */
  admit(catalogue: Catalogue, mayUse: MayUse): WholeGoods<C, Answer> | StreamedGoods<C>;
}

/** What the request used and costs. */
export type Metered = Pick<
  Consumption,
  'usage' | 'images' | 'costPico' | 'estimated' | 'finishReason'
>;

export interface Goods<C extends Card, Answer> {
  readonly delivery: 'whole' | 'stream';
  readonly endpoint: 'chat' | 'messages' | 'images';
  readonly rateDialect: RateDialect;
  /** The channel as the caller wrote it; null when the request names none. */
  readonly channelRequested: string | null;
  readonly offer: Offer<Model, C>;
  readonly price: Price<C>;
  /** Estimated input tokens, counted against rate limits; 0 for images. */
  readonly estimatedInput: number;
  /** Formats that the request can be written in, the caller's own dialect first. */
  readonly formats: readonly WireFormat[];
  readonly repeat: RepeatRule;
  /**
   * The planned routes that the request can be written for, in the same order.
   * @throws GatewayError when there is none.
   */
  routable(planned: readonly Destination<C>[]): readonly Destination<C>[];
  /** @throws GatewayError when the request cannot be written for this route. */
  prepare(to: Destination<C>): void;
  /** The body for a prepared route. Its output is clamped to what the hold pays for. */
  bodyFor(to: Destination<C>): Uint8Array<ArrayBuffer>;
  headersFor(to: Destination<C>): UpstreamRequest['headers'];
  /**
   * Reads an answer with a success status, a stream up to its first event.
   * @throws GatewayError when the answer cannot be used.
   */
  open(response: Response, attempt: RouteAttempt<C>, scope: CallScope): Promise<Answer>;
  /** Drops the request's body once no other route can be tried: a stream may run for an hour. */
  release(): void;
  /** @param answer null when nothing was delivered. */
  meter(outcome: RequestOutcome, answer: Answer | null, channel: Channel<C>): Metered;
  /** For a request that was never sent. */
  unused(channel: Channel<C>): Metered;
  /** @param channel null while another channel may still serve. */
  addHeaders(headers: Headers, channel: Channel<C> | null, elapsedMs: number): void;
}

/** Goods that are settled before they are delivered. */
export interface WholeGoods<C extends Card, Answer> extends Goods<C, Answer> {
  readonly delivery: 'whole';
  /** Prepares the answer for delivery. If this throws, nothing is charged. */
  finish(answer: Answer): void | Promise<void>;
  /** The response body, with the cost where the dialect has a field for it. */
  pack(answer: Answer, settled: Settled): string | Uint8Array<ArrayBuffer>;
}

/** Goods that are delivered while they are metered. */
export interface StreamedGoods<C extends Card> extends Goods<C, OpenedStream> {
  readonly delivery: 'stream';
  readonly dialect: Dialect;
  /** How much output the hold pays for. Called once a route has answered, so the price is known. */
  budget(purchase: Purchase, soFar: () => Consumption): OutputBudget;
}
