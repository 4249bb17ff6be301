/**
 * Defines the steps of a sale that differ between text, images and embeddings. The object that does
 * these steps for one request is called the goods. `sell.ts` does all other steps.
 */
import type { RateDialect } from '../accounts/limits/rate-headers.ts';
import type { Card, Catalogue, Channel, Model } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Served } from '../money/served.ts';
import { NO_USAGE } from '../money/usage.ts';
import type { StreamDialect } from '../protocols/dialect.ts';
import type { Destination } from '../routing/route-plan.ts';
import type { RepeatRule, RouteAttempt } from '../routing/route-search.ts';
import type { UpstreamFile, UpstreamRequest, WireFormat } from '../upstreams/upstream.ts';
import type { MayUse, Offer } from './admission.ts';
import type { CallScope } from './in-flight.ts';
import type { Consumption, Metering, Price, Purchase, Settled } from './purchase.ts';
import type { OutputBudget } from './text-price.ts';
import type { OpenedStream } from './upstream-answer.ts';

/** A request as the caller wrote it, before admission. */
export interface Order<C extends Card, Answer> {
  /** Returns the key that keeps a conversation on one route; null if any route will do. */
  readonly affinity: () => string | null;
  /** Admits the request. @throws GatewayError when the request cannot be served. */
  admit(catalogue: Catalogue, mayUse: MayUse): WholeGoods<C, Answer> | StreamedGoods<C>;
}

/** The result of metering a request: its usage, its cost, and the facts that explain them. */
export type Metered = Pick<
  Consumption,
  | 'usage'
  | 'images'
  | 'costPico'
  | 'estimated'
  | 'finishReason'
  | 'facts'
  | 'upstreamId'
  | 'reportedCostPico'
  | 'measure'
>;

/** Response headers by lower-case name. */
export type AnswerHeaders = Record<string, string>;

/**
 * The properties of a sent request on which its price depends: its route, its start and end, and
 * its output as estimated from the elapsed time.
 */
export type Sold<C extends Card> = {
  readonly to: Destination<C>;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Returns the output tokens that the route has generated, estimated from the elapsed time. */
  readonly generatedTokens: (to: Destination<C>) => number;
};

/** The values of these receipt fields if the provider reported only the answer's content. */
export const NOTHING_REPORTED = { facts: null, upstreamId: null, reportedCostPico: null };

/** The metering of a request that no provider answered. */
export const UNUSED: Metered = {
  ...NOTHING_REPORTED,
  usage: NO_USAGE,
  images: null,
  costPico: 0n,
  estimated: false,
  finishReason: null,
  measure: null,
};

/**
 * Returns the receipt fields for the comparison with the provider's bill: the id and the cost of
 * the answer, as the provider reported them.
 */
export const reportedBy = ({ responseId, reportedCostPico }: Served) => ({
  ...NOTHING_REPORTED,
  upstreamId: responseId,
  reportedCostPico,
});

export interface Goods<C extends Card, Answer> {
  readonly delivery: 'whole' | 'stream';
  readonly endpoint: 'chat' | 'messages' | 'responses' | 'images' | 'embeddings';
  readonly rateDialect: RateDialect;
  /** The channel as the caller wrote it; null when the request names none. */
  readonly channelRequested: string | null;
  readonly offer: Offer<Model, C>;
  readonly price: Price<C>;
  /** The estimated input tokens, which count against rate limits; 0 for images. */
  readonly estimatedInput: number;
  /** The formats in which the request can be written, the caller's own protocol first. */
  readonly formats: readonly WireFormat[];
  readonly repeat: RepeatRule;
  /**
   * Returns `planned` without the leading routes that cannot serve the request.
   * @throws GatewayError when none can.
   */
  routable(planned: readonly Destination<C>[]): readonly Destination<C>[];
  /** Translates the request. @throws GatewayError when the route's format cannot express it. */
  prepare(to: Destination<C>): void;
  /** Returns the request body, with its output limit clamped to what the hold pays for. */
  bodyFor(to: Destination<C>): Uint8Array<ArrayBuffer>;
  /** The files of an image edit, which are sent with the body; empty after `release`. */
  readonly files?: readonly UpstreamFile[];
  headersFor(to: Destination<C>): UpstreamRequest['headers'];
  /**
   * Changes the request for a route that refused it, so that the route may accept it. Returns false
   * if nothing can be changed, or if the request was already changed for this route.
   */
  amend(to: Destination<C>, refused: GatewayError): boolean;
  /** Reads a stream to its first event, or a whole answer. @throws GatewayError if unusable. */
  open(response: Response, attempt: RouteAttempt<C>, scope: CallScope): Promise<Answer>;
  /** Frees the body once no other route can be tried, since a stream may run for another hour. */
  release(): void;
  /** Whether an answer is read to its end, rather than aborted, if its caller disconnects. */
  readsOn(to: Destination<C>): boolean;
  /** Returns the usage and its cost. @param answer the answer; null when none was delivered. */
  meter(outcome: RequestOutcome, answer: Answer | null, sold: Sold<C>): Metered;
  /** Returns the usage of a request that was never sent. */
  unused(channel: Channel<C>): Metered;
  /**
   * Adds the headers that depend on what is sold: text, images or embeddings.
   * @param channel the channel that serves; null while another channel may still serve.
   */
  addHeaders(headers: AnswerHeaders, channel: Channel<C> | null, elapsedMs: number): void;
}

/** Goods whose answer is metered and settled before it is delivered: all but streams. */
export interface WholeGoods<C extends Card, Answer> extends Goods<C, Answer> {
  readonly delivery: 'whole';
  /** Prepares the answer for delivery. If this throws, nothing is charged. */
  finish(answer: Answer): void | Promise<void>;
  /** Returns the response body, with the cost where the protocol has a field for it. */
  pack(answer: Answer, settled: Settled): string | Uint8Array<ArrayBuffer>;
}

/** Goods whose answer is metered while it is delivered: streams. */
export interface StreamedGoods<C extends Card> extends Goods<C, OpenedStream> {
  readonly delivery: 'stream';
  readonly dialect: StreamDialect;
  /**
   * Returns the budget of output that the hold pays for, at the price of the route that answered.
   */
  budget(purchase: Purchase, metering: Metering): Pick<OutputBudget, 'check' | 'cover'>;
}

/**
 * Returns `planned` without the leading routes for which `prepare` throws.
 * @throws the last GatewayError if `prepare` throws for all of them.
 */
export function fromFirstUsable<C extends Card>(
  planned: readonly Destination<C>[],
  prepare: (to: Destination<C>) => void,
): readonly Destination<C>[] {
  let refusal: GatewayError | null = null;
  for (const [at, to] of planned.entries()) {
    try {
      prepare(to);
      return planned.slice(at);
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      refusal = thrown;
    }
  }
  throw refusal ?? new Error('a plan without a destination');
}

/** Adds the headers that OpenAI's answers have. */
export function addOpenAiHeaders(headers: AnswerHeaders, elapsedMs: number): void {
  headers['openai-processing-ms'] = String(Math.round(elapsedMs));
  headers['openai-version'] = '2020-10-01';
}
