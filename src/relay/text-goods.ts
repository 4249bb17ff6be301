/** Sells text: chat completions, Messages and Responses, streaming or not. */
import type { RateDialect } from '../accounts/limits/rate-headers.ts';
import type { Channel, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { AnswerFacts, Dialect, TextAnswer, TextFormat } from '../protocols/dialect.ts';
import { ignoredFieldsHeader } from '../protocols/field-names.ts';
import type { RequestSize } from '../protocols/inputs/request-size.ts';
import { sentHeaders } from '../protocols/messages/betas.ts';
import { readsOn } from '../protocols/quirks.ts';
import type { FieldPlan } from '../protocols/request-fields.ts';
import type { ResponseStream } from '../protocols/responses/response-stream.ts';
import type { PreparedRequest } from '../protocols/translator.ts';
import { reportedName } from '../protocols/usage-object.ts';
import type { Destination } from '../routing/route-plan.ts';
import type { RouteAttempt } from '../routing/route-search.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import {
  admitText,
  type ChatOffer,
  hasImages,
  isCountable,
  type TextRequest,
  withSoldTools,
} from './admission.ts';
import {
  type AnswerHeaders,
  addOpenAiHeaders,
  type Goods,
  type Metered,
  type Order,
  type Sold,
  type StreamedGoods,
  UNUSED,
  type WholeGoods,
} from './goods.ts';
import type { CallScope } from './in-flight.ts';
import {
  believed,
  billableUsage,
  FREE,
  NOTHING_DELIVERED,
  NOTHING_USED,
  priceFor,
  withTier,
} from './outcome.ts';
import type { Metering, Purchase, Settled } from './purchase.ts';
import { type SentAsk, sentFields } from './sent-fields.ts';
import type { TextEndpoint } from './text-endpoints.ts';
import { holdBasis, type OutputBudget, TextPrice, worstCase } from './text-price.ts';
import {
  answerContext,
  answerLimits,
  type OpenedStream,
  openLimits,
  openStream,
  readAnswer,
  tierIn,
  usable,
} from './upstream-answer.ts';

export type TextOrderTerms = {
  readonly endpoint: TextEndpoint;
  readonly request: TextRequest;
  readonly body: ScannedObject;
  readonly size: RequestSize;
  readonly stream: boolean;
  /** The id of the account that pays. It is part of the digest that replaces an end-user id. */
  readonly accountId: string;
  /** The headers that are forwarded to an upstream of the same protocol. */
  readonly headers: Readonly<Record<string, string>>;
  readonly affinity: () => string | null;
  /** The caller's HTTP request, whose body is released when no other route can be tried. */
  readonly call: { readonly releaseBody: () => void };
};

/** The headers of callers whose protocol forwards none. */
export const NO_HEADERS: TextOrderTerms['headers'] = {};

export const textOrder = (terms: TextOrderTerms): Order<TokenCard, TextAnswer> => ({
  affinity: terms.affinity,
  admit: (catalogue, mayUse) => {
    const { request, size, stream } = terms;
    const offer = admitText(catalogue, request, size.textBytes, mayUse);
    return stream ? new StreamedText(terms, offer) : new WholeText(terms, offer);
  },
});

/** The field plan and the state of sending the request to one destination. */
type Sending = {
  readonly to: Destination<TokenCard>;
  readonly plan: FieldPlan;
  /** The request in the destination's format; null before it is prepared and after `release`. */
  prepared: PreparedRequest | null;
  /** Whether the request was refused and is sent again, without earlier reasoning. */
  isRepeated: boolean;
};

abstract class TextGoods<Answer> implements Goods<TokenCard, Answer> {
  abstract readonly delivery: 'whole' | 'stream';
  readonly endpoint: TextFormat;
  readonly rateDialect: RateDialect;
  readonly channelRequested: string | null;
  readonly formats: readonly TextFormat[];
  readonly repeat = 'until_first_byte';
  readonly offer: ChatOffer;
  readonly price: TextPrice;
  readonly estimatedInput: number;
  readonly #endpoint: TextEndpoint;
  readonly #headers: TextOrderTerms['headers'];
  /** The request and the values that decide which of its fields are sent; null after `release`. */
  #ask: SentAsk | null;
  #call: TextOrderTerms['call'] | null;
  /** Whether all output can be counted while it streams. */
  readonly #isWatched: boolean;
  /** One entry per destination considered. There are few, so a linear search is fast. */
  readonly #sendings: Sending[] = [];
  /** The service tier in the headers of the last answer; null if they name none. */
  protected tier: string | null = null;
  /** The caller's fields that were not sent to the last destination. */
  #ignored: readonly string[] = [];

  constructor(terms: TextOrderTerms, offer: ChatOffer) {
    const { endpoint, size, stream } = terms;
    const request = withSoldTools(terms.request, offer);
    this.endpoint = endpoint.name;
    this.rateDialect = endpoint.rateDialect;
    this.channelRequested = request.channel;
    this.formats = endpoint.formats;
    this.offer = offer;
    const basis = holdBasis(request, size, offer);
    this.#isWatched = stream && isCountable(request, offer);
    this.price = new TextPrice({
      channel: offer.channels[0],
      basis,
      isWatched: this.#isWatched,
      worstCase: worstCase(basis, offer),
    });
    this.estimatedInput = basis.likelyInput;
    this.#endpoint = endpoint;
    this.#headers = terms.headers;
    this.#ask = {
      body: terms.body,
      endpoint: endpoint.name,
      request,
      modelId: offer.model.id,
      hasImages: hasImages(request),
      accountId: terms.accountId,
      estimatedInput: basis.likelyInput,
    };
    this.#call = terms.call;
  }

  /** Skips leading routes that cannot express the request, or whose price card does not sell it. */
  routable(planned: readonly Destination<TokenCard>[]): readonly Destination<TokenCard>[] {
    const wrongFormats: string[] = [];
    const isExpressible = ({ format }: Destination) => !wrongFormats.includes(format);
    let refusal: GatewayError | null = null;
    for (const [at, to] of planned.entries()) {
      if (!isExpressible(to)) continue;
      let isPlanned = false;
      try {
        this.#sendingTo(to);
        isPlanned = true;
        this.preparedFor(to);
        const routes = at === 0 ? planned : planned.slice(at).filter(isExpressible);
        for (const route of routes) if (this.readsOn(route)) this.price.holdWhole();
        return routes;
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown;
        refusal = thrown;
        if (isPlanned) wrongFormats.push(to.format);
      }
    }
    throw refusal ?? new Error('a plan without a destination');
  }

  prepare(to: Destination<TokenCard>): void {
    this.preparedFor(to);
  }

  bodyFor(to: Destination<TokenCard>): Uint8Array<ArrayBuffer> {
    const { clampedOutput } = this.price;
    const { model } = to.route;
    const { plan, isRepeated } = this.#sendingTo(to);
    this.#ignored = plan.ignored;
    const { quirks } = to;
    return this.preparedFor(to).bodyFor({ model, quirks, clampedOutput, plan, isRepeated });
  }

  /** If the route cannot read earlier reasoning, omits it from the next attempt, once. */
  amend(to: Destination<TokenCard>, { code }: GatewayError): boolean {
    if (code !== 'invalid_encrypted_content' || to.format === 'chat') return false;
    const sending = this.#sendingTo(to);
    if (sending.isRepeated) return false;
    sending.isRepeated = true;
    return true;
  }

  headersFor(to: Destination<TokenCard>): UpstreamRequest['headers'] {
    if (to.isTranslated || this.#headers === NO_HEADERS) return NO_HEADERS;
    const { admits } = to.channel.card.terms;
    const sold = { admits, contextWindow: this.offer.model.contextWindow };
    const { headers, ignored } = sentHeaders(this.#headers, sold, to.upstream.fields.pass);
    if (ignored.length > 0) this.#ignored = [...this.#ignored, ...ignored];
    return headers;
  }

  /**
   * Whether to read the answer to its end after the caller has disconnected. With server tools this
   * is always true, because their uses are billed but reported only at the end.
   */
  readsOn({ quirks }: Destination<TokenCard>): boolean {
    const { serverTools } = this.price.basis.extras;
    return serverTools.length > 0 || readsOn(quirks, this.delivery);
  }

  abstract open(
    response: Response,
    attempt: RouteAttempt<TokenCard>,
    scope: CallScope,
  ): Promise<Answer>;

  release(): void {
    this.#ask = null;
    for (const sending of this.#sendings) sending.prepared = null;
    this.#call?.releaseBody();
    this.#call = null;
  }

  meter(outcome: RequestOutcome, answer: Answer | null, sold: Sold<TokenCard>): Metered {
    const reported = answer === null ? NOTHING_DELIVERED : this.factsOf(answer);
    const progress = {
      isWhole: answer !== null && this.isWhole(answer),
      generatedTokens: this.#isWatched ? null : () => sold.generatedTokens(sold.to),
    };
    const { basis, clampedOutput } = this.price;
    const facts = withTier(believed(reported, basis, this.offer.model), this.tier);
    const asked = clampedOutput === null ? basis : { ...basis, outputCap: clampedOutput };
    const billable = billableUsage(outcome, facts, progress, asked);
    const { requested } = this.#sendingTo(sold.to).plan;
    const price =
      billable === NOTHING_USED ? FREE : priceFor(billable.usage, facts, requested, sold);
    return {
      usage: billable.usage,
      estimated: billable.estimated,
      measure: billable.measure,
      costPico: price.costPico,
      facts: price.facts,
      images: null,
      finishReason: reportedName(facts.finishReason),
      upstreamId: facts.served.responseId,
      reportedCostPico: facts.served.reportedCostPico,
    };
  }

  unused(): Metered {
    return UNUSED;
  }

  addHeaders(headers: AnswerHeaders, channel: Channel<TokenCard> | null, elapsedMs: number): void {
    const clampedOutput = channel === null ? null : this.price.clampedOutput;
    addSentHeaders(headers, clampedOutput, this.#ignored);
    if (this.endpoint !== 'messages') addOpenAiHeaders(headers, elapsedMs);
  }

  protected abstract factsOf(answer: Answer): AnswerFacts;

  /** Decides which fields a destination gets. @throws GatewayError for a field it may not get. */
  #sendingTo(to: Destination<TokenCard>): Sending {
    for (const sending of this.#sendings) if (sending.to === to) return sending;
    if (this.#ask === null) throw new Error('the body was released');
    const plan = sentFields(to, this.#ask);
    const made: Sending = { to, plan, prepared: null, isRepeated: false };
    this.#sendings.push(made);
    return made;
  }

  /** Whether the upstream has ended the answer. */
  protected abstract isWhole(answer: Answer): boolean;

  /** Translates the request. @throws GatewayError when the format cannot express it. */
  protected preparedFor(to: Destination<TokenCard>): PreparedRequest {
    const sending = this.#sendingTo(to);
    sending.prepared ??= this.#preparedAs(to.format);
    return sending.prepared;
  }

  #preparedAs(format: Destination['format']): PreparedRequest {
    // Destinations of the same format share the prepared request.
    for (const { to, prepared } of this.#sendings)
      if (to.format === format && prepared !== null) return prepared;
    const translator = this.#endpoint.translators.get(format as TextFormat);
    if (translator === undefined || this.#ask === null)
      throw new Error(`no translator from ${this.endpoint} to ${format}, or the body was released`);
    return translator.prepare(this.#ask.body, this.offer.model, this.delivery === 'stream');
  }
}

/** @param clampedOutput the gateway's output limit, if it is below the caller's; otherwise null. */
function addSentHeaders(
  headers: AnswerHeaders,
  clampedOutput: number | null,
  ignoredFields: readonly string[],
): void {
  if (clampedOutput !== null) headers['x-max-output-tokens'] = String(clampedOutput);
  const ignored = ignoredFieldsHeader(ignoredFields);
  if (ignored !== null) headers['x-ignored-fields'] = ignored;
}

export class WholeText extends TextGoods<TextAnswer> implements WholeGoods<TokenCard, TextAnswer> {
  readonly delivery = 'whole';

  open(
    response: Response,
    attempt: RouteAttempt<TokenCard>,
    scope: CallScope,
  ): Promise<TextAnswer> {
    const { to } = attempt;
    this.tier = tierIn(response, to);
    attempt.firstByte();
    return readAnswer(response, answerLimits(scope), (bytes) =>
      usable(this.preparedFor(to).readAnswer(bytes, answerContext(to, scope)), to),
    );
  }

  finish(): void {}

  pack(answer: TextAnswer, { cost }: Settled): string {
    return answer.write({ model: this.offer.model.id, cost });
  }

  protected factsOf({ facts }: TextAnswer): AnswerFacts {
    return facts;
  }

  protected isWhole(): boolean {
    return true;
  }
}

export class StreamedText extends TextGoods<OpenedStream> implements StreamedGoods<TokenCard> {
  readonly delivery = 'stream';
  readonly dialect: Dialect;
  readonly #includeUsage: boolean;
  /** The state of a stream to a Responses caller; null for other protocols. */
  readonly #response: ResponseStream | null;

  constructor(terms: TextOrderTerms, offer: ChatOffer) {
    super(terms, offer);
    const { endpoint, request, body } = terms;
    this.#includeUsage = request.includeUsage;
    this.#response = endpoint.beginStream(body);
    this.dialect = this.#response ?? endpoint.dialect;
  }

  override routable(planned: readonly Destination<TokenCard>[]): readonly Destination<TokenCard>[] {
    const routes = super.routable(planned);
    if (routes.every(({ isTranslated }) => isTranslated)) this.#response?.allowOwnEvents();
    return routes;
  }

  async open(
    response: Response,
    attempt: RouteAttempt<TokenCard>,
    scope: CallScope,
  ): Promise<OpenedStream> {
    const { to } = attempt;
    this.tier = tierIn(response, to);
    const pass = this.preparedFor(to).openStream({
      ...answerContext(to, scope),
      model: this.offer.model.id,
      includeUsage: this.#includeUsage,
      maxEventBytes: scope.limits.maxEventBytes,
      estimatedInput: this.estimatedInput,
      response: this.#response,
    });
    return await openStream(response, pass, openLimits(to, this.offer, scope), () =>
      attempt.firstByte(),
    );
  }

  budget(purchase: Purchase, metering: Metering): OutputBudget {
    return this.price.budget(purchase, metering);
  }

  protected factsOf({ pass }: OpenedStream): AnswerFacts {
    return pass.facts;
  }

  protected isWhole({ pass }: OpenedStream): boolean {
    return pass.ended;
  }
}
