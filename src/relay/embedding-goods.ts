/**
 * Sells embeddings. The maximum cost of a request is known before the call, so that amount is held.
 */
import type { Card, Channel, EmbeddingModel, Route, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import { isGiven, replaceMembers } from '../json/edit.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { NO_FACTS } from '../money/price-of.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import {
  type DeliveredEmbeddings,
  encodedData,
  readEmbeddingsAnswer,
  writeEmbeddings,
} from '../protocols/embeddings/answer.ts';
import type { EmbeddingsRequest } from '../protocols/embeddings/request.ts';
import { ignoredFieldsHeader } from '../protocols/field-names.ts';
import { readsOn } from '../protocols/quirks.ts';
import { type FieldPlan, passes, planFields } from '../protocols/request-fields.ts';
import { invalid, unsupportedParameter } from '../protocols/validation.ts';
import { type Destination, failureContext } from '../routing/route-plan.ts';
import type { RouteAttempt } from '../routing/route-search.ts';
import { reportedFailure } from '../routing/upstream-failure.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { admitEmbeddings, type EmbeddingOffer, MOST_BYTES_PER_TOKEN } from './admission.ts';
import { EmbeddingPrice } from './embedding-price.ts';
import {
  type AnswerHeaders,
  addOpenAiHeaders,
  fromFirstUsable,
  type Metered,
  type Order,
  reportedBy,
  type Sold,
  UNUSED,
  type WholeGoods,
} from './goods.ts';
import type { CallScope } from './in-flight.ts';
import { isCallersDoing, priceFor } from './outcome.ts';
import type { Settled } from './purchase.ts';
import { answerLimits, isTooLarge, readAnswerBytes } from './upstream-answer.ts';

export type EmbeddingTerms = {
  readonly request: EmbeddingsRequest;
  readonly body: ScannedObject;
  /** The id of the account that pays. It is part of the digest that replaces an end-user id. */
  readonly accountId: string;
  /** Maximum size of an upstream's answer, in bytes. */
  readonly maxAnswerBytes: number;
};

/**
 * Returns the order (`goods.ts`) for a request. Its `affinity` is null, because embeddings use no
 * prompt cache, so any route will do.
 */
export const embeddingOrder = (terms: EmbeddingTerms): Order<TokenCard, DeliveredEmbeddings> => ({
  affinity: () => null,
  admit: (catalogue, mayUse) => {
    const offer = admitEmbeddings(catalogue, terms.request, mayUse);
    checkInputs(terms.request, offer.model);
    checkDimensions(terms.request, offer.model);
    checkAnswer(terms, offer);
    return new EmbeddingGoods(terms, offer);
  },
});

/**
 * Refuses more or longer inputs than the model reads.
 * @throws GatewayError `invalid_value` or `context_length_exceeded`.
 */
function checkInputs({ inputs }: EmbeddingsRequest, model: EmbeddingModel): void {
  const { count, areTokens, longest, size } = inputs;
  const { id, contextWindow, maxInputs, maxTotalTokens } = model;
  if (count > maxInputs)
    throw invalid('input', `${id} takes at most ${maxInputs} inputs in a request, got ${count}`);
  // The gateway has no tokenizer. So it refuses only text with too many bytes for any tokenizer.
  const perToken = areTokens ? 1 : MOST_BYTES_PER_TOKEN;
  if (longest.size > contextWindow * perToken) {
    throw new GatewayError(
      'context_length_exceeded',
      `${longest.param} is longer than the ${contextWindow} tokens that ${id} can read. Split it.`,
      { param: longest.param },
    );
  }
  if (size <= maxTotalTokens * perToken) return;
  throw new GatewayError(
    'context_length_exceeded',
    `The inputs have more than ${maxTotalTokens} tokens, the maximum that ${id} accepts in a request. Send fewer inputs at once.`,
    { param: 'input' },
  );
}

/**
 * Refuses a vector length that the model does not offer.
 * @throws GatewayError `invalid_value` or `unsupported_parameter`.
 */
function checkDimensions({ dimensions }: EmbeddingsRequest, model: EmbeddingModel): void {
  const { id, dimensions: own, minDimensions } = model;
  if (dimensions === null || dimensions === own) return;
  if (minDimensions === null)
    throw unsupportedParameter(
      'dimensions',
      `embeddings of ${id} always have ${own} dimensions; omit this field`,
    );
  if (dimensions < minDimensions || dimensions > own)
    throw invalid('dimensions', `must be from ${minDimensions} to ${own} for ${id}`);
}

/** Maximum bytes that one number of a vector takes in an answer, as digits with white space. */
const FLOAT_BYTES = 24;
/** Maximum bytes that one number of a vector takes in a base64 answer. */
const BASE64_BYTES = 6;

/**
 * The routes whose servers last sent digits although base64 was requested. Official clients request
 * base64 unasked.
 */
const digitsOnly = new WeakSet<Route>();

/**
 * Refuses a request whose answer would exceed `maxAnswerBytes`: the gateway could not deliver it,
 * but the provider would charge for it.
 * @throws GatewayError `invalid_value`.
 */
function checkAnswer(
  { request, maxAnswerBytes }: EmbeddingTerms,
  { model, channels }: EmbeddingOffer,
): void {
  const { inputs, encoding, dimensions } = request;
  const isDigits = channels.some(({ routes }) => routes.some((route) => digitsOnly.has(route)));
  const perNumber = encoding === 'float' || isDigits ? FLOAT_BYTES : BASE64_BYTES;
  const most = Math.floor(maxAnswerBytes / ((dimensions ?? model.dimensions) * perNumber));
  if (inputs.count <= most) return;
  const remedy = encoding === 'float' && !isDigits ? ', or set encoding_format to "base64"' : '';
  throw invalid(
    'input',
    `the answer would exceed ${maxAnswerBytes} bytes; send at most ${most} inputs at once${remedy}`,
  );
}

class EmbeddingGoods implements WholeGoods<TokenCard, DeliveredEmbeddings> {
  readonly delivery = 'whole';
  readonly endpoint = 'embeddings';
  readonly rateDialect = 'openai';
  readonly formats = ['embeddings'] as const;
  readonly repeat = 'until_first_byte';
  readonly estimatedInput: number;
  readonly channelRequested: string | null;
  readonly offer: EmbeddingOffer;
  readonly price: EmbeddingPrice;
  readonly #terms: Omit<EmbeddingTerms, 'body'>;
  #body: ScannedObject | null;
  /** The field plan of each destination, cached because a route may be prepared several times. */
  readonly #plans = new Map<Destination<Card>, FieldPlan>();
  /** The caller's fields that were not sent to the last destination. */
  #ignored: readonly string[] = [];
  /**
   * The answer's `data`, converted to the encoding that the caller asked for; null if it already
   * has that encoding and is passed on unchanged.
   */
  #data: Uint8Array | null = null;

  constructor({ body, ...terms }: EmbeddingTerms, offer: EmbeddingOffer) {
    const { channel, inputs } = terms.request;
    this.#terms = terms;
    this.#body = body;
    this.estimatedInput = inputs.likely;
    this.channelRequested = channel;
    this.offer = offer;
    this.price = new EmbeddingPrice(offer, inputs);
  }

  /**
   * Returns `planned` without the leading routes to which one of the caller's fields may not be
   * sent.
   */
  routable(planned: readonly Destination<TokenCard>[]): readonly Destination<TokenCard>[] {
    const routes = fromFirstUsable(planned, (to) => this.prepare(to));
    this.price.sendAlso(this.#passedBytes(routes));
    return routes;
  }

  prepare(to: Destination<TokenCard>): void {
    this.#planFor(to);
  }

  bodyFor(to: Destination<TokenCard>): Uint8Array<ArrayBuffer> {
    const body = this.#unsent();
    const { request } = this.#terms;
    const plan = this.#planFor(to);
    this.#ignored = plan.ignored;
    const edits = new Map(plan.edits);
    edits.set('model', JSON.stringify(to.route.model));
    // The field `provider` is an extension of the gateway. A strict upstream would refuse it.
    if (body.members.has('provider')) edits.set('provider', null);
    // A model with a fixed vector length refuses `dimensions`, even with that length as its value.
    if (request.dimensions !== null && this.offer.model.minDimensions === null)
      edits.set('dimensions', null);
    // A field that is null is removed: strict servers refuse null, but have a default for a missing
    // field.
    for (const field of ['dimensions', 'encoding_format'])
      if (body.members.has(field) && !isGiven(body, field)) edits.set(field, null);
    for (const field of to.quirks.drop) if (body.members.has(field)) edits.set(field, null);
    return replaceMembers(body, edits);
  }

  headersFor(): UpstreamRequest['headers'] {
    return {};
  }

  amend(): boolean {
    return false;
  }

  readsOn({ quirks }: Destination<TokenCard>): boolean {
    return readsOn(quirks, this.delivery);
  }

  /** Reads the answer. @throws GatewayError when it has no embedding for each input. */
  async open(
    response: Response,
    attempt: RouteAttempt<TokenCard>,
    scope: CallScope,
  ): Promise<DeliveredEmbeddings> {
    attempt.firstByte();
    const { inputs, encoding } = this.#terms.request;
    const bytes = await readAnswerBytes(response, answerLimits(scope)).catch((thrown: unknown) => {
      // In base64, the answer would not have been too large: see `checkAnswer`.
      if (encoding === 'base64' && isTooLarge(thrown)) digitsOnly.add(attempt.to.route);
      throw thrown;
    });
    const answer = await readEmbeddingsAnswer(bytes, inputs.count, attempt.to.quirks);
    if (answer.kind === 'embeddings' && encoding === 'base64') {
      if (answer.encoding === 'base64') digitsOnly.delete(attempt.to.route);
      else digitsOnly.add(attempt.to.route);
    }
    if (answer.kind === 'error') throw reportedFailure(answer.error, failureContext(attempt.to));
    return answer;
  }

  release(): void {
    this.#body = null;
  }

  async finish(answer: DeliveredEmbeddings): Promise<void> {
    this.#data = await encodedData(answer, this.#terms.request.encoding);
  }

  /** Charges for the input. A failed request is free; a caller who disconnects pays. */
  meter(
    outcome: RequestOutcome,
    answer: DeliveredEmbeddings | null,
    sold: Sold<TokenCard>,
  ): Metered {
    const isLeft = isCallersDoing(outcome);
    if (answer === null && !isLeft) return this.unused();
    const served = answer?.served ?? NOTHING_SERVED;
    const { usage, estimated } = this.price.usage(answer?.tokens ?? null);
    return {
      ...reportedBy(served),
      ...priceFor(usage, { served }, NO_FACTS, sold),
      usage,
      images: null,
      estimated,
      finishReason: null,
      measure: estimated ? 'estimated' : isLeft ? 'read_on' : 'reported',
    };
  }

  unused(): Metered {
    return UNUSED;
  }

  addHeaders(headers: AnswerHeaders, _channel: Channel<TokenCard> | null, elapsedMs: number): void {
    const ignored = ignoredFieldsHeader(this.#ignored);
    if (ignored !== null) headers['x-ignored-fields'] = ignored;
    addOpenAiHeaders(headers, elapsedMs);
  }

  pack(answer: DeliveredEmbeddings, { receipt, cost }: Settled): Uint8Array<ArrayBuffer> {
    const { input: tokens } = receipt.usage;
    return writeEmbeddings(answer, this.#data, { model: this.offer.model.id, tokens, cost });
  }

  /**
   * Returns the plan of the fields that a destination gets.
   * @throws GatewayError for a field that no caller may send.
   */
  #planFor(to: Destination<TokenCard>): FieldPlan {
    const known = this.#plans.get(to);
    if (known !== undefined) return known;
    const { fields } = to.upstream;
    const { terms } = to.channel.card;
    const list = fields.lists.embeddings;
    const plan = planFields({
      body: this.#unsent(),
      claims: this.#terms.request.claims,
      list,
      written: list.written,
      pass: fields.pass,
      imageDetail: null,
      isTranslated: false,
      card: { model: this.offer.model.id, terms },
      accountId: this.#terms.accountId,
    });
    this.#plans.set(to, plan);
    return plan;
  }

  /** Returns the total bytes of the unknown fields that at least one of these routes passes on. */
  #passedBytes(routes: readonly Destination<TokenCard>[]): number {
    let bytes = 0;
    for (const [name, { keyStart, end }] of this.#unsent().members) {
      const isPassed = routes.some(({ upstream: { fields } }) => {
        const { class: known = null } = fields.lists.embeddings.rules.get(name) ?? {};
        return known !== 'free' && known !== 'bounded' && passes(fields.pass, name);
      });
      if (isPassed) bytes += end - keyStart;
    }
    return bytes;
  }

  #unsent(): ScannedObject {
    if (this.#body === null) throw new Error('the body was released');
    return this.#body;
  }
}
