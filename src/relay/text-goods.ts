/** Sells text: chat completions, Messages and Responses, streaming or not. */
import type { RateDialect } from '../accounts/limits/rate-headers.ts';
import type { Channel, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { NO_FACTS } from '../money/price-of.ts';
import type { AnswerFacts, Dialect, TextAnswer, TextFormat } from '../protocols/dialect.ts';
import { ignoredFieldsHeader } from '../protocols/field-names.ts';
import type { RequestSize } from '../protocols/inputs/request-size.ts';
import { sentHeaders } from '../protocols/messages/betas.ts';
import { readsOn } from '../protocols/quirks.ts';
import type { FieldPlan } from '../protocols/request-fields.ts';
import type { ResponseStream } from '../protocols/responses/response-stream.ts';
import type { PreparedRequest } from '../protocols/translator.ts';
import { type Destination, failureContext } from '../routing/route-plan.ts';
import type { RouteAttempt } from '../routing/route-search.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { admitText, type ChatOffer, type TextRequest, withSoldTools } from './admission.ts';
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
import type { Consumption, Purchase, Settled } from './purchase.ts';
import { type SentAsk, sentFields } from './sent-fields.ts';
import type { TextEndpoint } from './text-endpoints.ts';
import { holdBasis, type OutputBudget, TextPrice, worstCase } from './text-price.ts';
import {
  answerContext,
  answerLimits,
  type OpenedStream,
  openAnswer,
  openLimits,
  openStream,
  tierIn,
} from './upstream-answer.ts';

export type TextOrderTerms = {
  readonly endpoint: TextEndpoint;
  readonly request: TextRequest;
  readonly body: ScannedObject;
  readonly size: RequestSize;
  readonly stream: boolean;
  /** The account that pays. Equal end-user ids of two accounts get different digests. */
  readonly accountId: string;
  /** The headers that are forwarded to an upstream of the same protocol. */
  readonly headers: Readonly<Record<string, string>>;
  readonly affinity: () => string | null;
  /** Called when no other route can be tried. */
  readonly releaseBody: () => void;
};

export const textOrder = (terms: TextOrderTerms): Order<TokenCard, TextAnswer> => ({
  affinity: terms.affinity,
  admit: (catalogue, mayUse) => {
    const { request, size, stream } = terms;
    const offer = admitText(catalogue, request, size.textBytes, mayUse);
    return stream ? new StreamedText(terms, offer) : new WholeText(terms, offer);
  },
});

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
  /** The inputs, other than the body and the destination, that decide which fields are sent. */
  readonly #ask: Omit<SentAsk, 'body'>;
  readonly #releaseBody: () => void;
  /** Whether all output can be counted while it streams. */
  readonly #isWatched: boolean;
  #body: ScannedObject | null;
  /** The prepared request for each upstream protocol. */
  readonly #prepared = new Map<string, PreparedRequest>();
  /** The caller's fields that are sent to each destination. */
  readonly #plans = new Map<Destination<TokenCard>, FieldPlan>();
  /** The service tier in the headers of the last answer; null if they name none. */
  protected tier: string | null = null;
  /** The destinations that get the request without encrypted reasoning. */
  readonly #amended: Destination<TokenCard>[] = [];
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
    const { claims, extras } = request;
    this.#ask = {
      endpoint: endpoint.name,
      request: { claims, extras },
      modelId: offer.model.id,
      hasImages: request.inputs.some(({ modality }) => modality === 'image'),
      accountId: terms.accountId,
      estimatedInput: basis.likelyInput,
    };
    this.#releaseBody = terms.releaseBody;
    this.#body = terms.body;
  }

  /** Skips leading routes that cannot express the request, or whose card does not sell it. */
  routable(planned: readonly Destination<TokenCard>[]): readonly Destination<TokenCard>[] {
    const wrongFormats: string[] = [];
    let refusal: GatewayError | null = null;
    for (const [at, to] of planned.entries()) {
      if (wrongFormats.includes(to.format)) continue;
      let isPlanned = false;
      try {
        this.#planFor(to);
        isPlanned = true;
        this.preparedFor(to);
        const routes =
          at === 0
            ? planned
            : planned.slice(at).filter(({ format }) => !wrongFormats.includes(format));
        if (routes.some((route) => this.readsOn(route))) this.price.holdWhole();
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
    this.#planFor(to);
    this.preparedFor(to);
  }

  bodyFor(to: Destination<TokenCard>): Uint8Array<ArrayBuffer> {
    const { clampedOutput } = this.price;
    const { model } = to.route;
    const plan = this.#planFor(to);
    this.#ignored = plan.ignored;
    const isRepeated = this.#amended.includes(to);
    const { quirks } = to;
    return this.preparedFor(to).bodyFor({ model, quirks, clampedOutput, plan, isRepeated });
  }

  /** Leaves out encrypted reasoning that the route's account cannot read, once for each route. */
  amend(to: Destination<TokenCard>, { code }: GatewayError): boolean {
    if (code !== 'invalid_encrypted_content' || to.format !== 'responses') return false;
    if (this.#amended.includes(to)) return false;
    this.#amended.push(to);
    return true;
  }

  headersFor(to: Destination<TokenCard>): UpstreamRequest['headers'] {
    if (to.isTranslated) return {};
    const { admits } = to.channel.card.terms;
    const sold = { admits, contextWindow: this.offer.model.contextWindow };
    const { headers, ignored } = sentHeaders(this.#headers, sold, to.upstream.fields.pass);
    if (ignored.length > 0) this.#ignored = [...this.#planFor(to).ignored, ...ignored];
    return headers;
  }

  /**
   * Whether to read the answer to its end after the caller left. This is always so with server
   * tools, because their uses are billed but reported only at the end.
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
    this.#body = null;
    this.#prepared.clear();
    this.#releaseBody();
  }

  meter(outcome: RequestOutcome, answer: Answer | null, sold: Sold<TokenCard>): Metered {
    const { to, generatedTokens } = sold;
    const reported = answer === null ? NOTHING_DELIVERED : this.factsOf(answer);
    const progress = {
      isWhole: answer !== null && this.isWhole(answer),
      generatedTokens: this.#isWatched ? null : generatedTokens,
    };
    const { basis, clampedOutput } = this.price;
    const facts = withTier(believed(reported, basis, this.offer.model), this.tier);
    const asked = clampedOutput === null ? basis : { ...basis, outputCap: clampedOutput };
    const billable = billableUsage(outcome, facts, progress, asked);
    const requested = this.#plans.get(to)?.requested ?? NO_FACTS;
    const price =
      billable === NOTHING_USED ? FREE : priceFor(billable.usage, facts, requested, sold);
    return {
      usage: billable.usage,
      estimated: billable.estimated,
      measure: billable.measure,
      costPico: price.costPico,
      facts: price.facts,
      images: null,
      finishReason: facts.finishReason,
      upstreamId: facts.served.responseId,
      reportedCostPico: facts.served.reportedCostPico,
    };
  }

  unused(): Metered {
    return UNUSED;
  }

  addHeaders(headers: AnswerHeaders, channel: Channel<TokenCard> | null, elapsedMs: number): void {
    const { price, endpoint } = this;
    const clampedOutput = channel === null ? null : price.clampedOutput;
    addTextHeaders(headers, { clampedOutput, ignored: this.#ignored, endpoint, elapsedMs });
  }

  protected abstract factsOf(answer: Answer): AnswerFacts;

  /**
   * Returns the plan of the fields that a destination gets.
   * @throws GatewayError for a field that the card does not sell or that no caller may send.
   */
  #planFor(to: Destination<TokenCard>): FieldPlan {
    const known = this.#plans.get(to);
    if (known !== undefined) return known;
    if (this.#body === null) throw new Error('the body was released');
    const sent = sentFields(to, { ...this.#ask, body: this.#body });
    this.#plans.set(to, sent);
    return sent;
  }

  /** Whether the upstream has ended the answer. */
  protected abstract isWhole(answer: Answer): boolean;

  protected preparedFor({ format }: Destination<TokenCard>): PreparedRequest {
    const known = this.#prepared.get(format);
    if (known !== undefined) return known;
    const translator = this.#endpoint.translators.get(format as TextFormat);
    if (translator === undefined || this.#body === null)
      throw new Error(`no translator from ${this.endpoint} to ${format}, or the body was released`);
    const request = translator.prepare(this.#body, this.offer.model, this.delivery === 'stream');
    this.#prepared.set(format, request);
    return request;
  }
}

type TextHeaders = {
  /** The output limit that was sent instead of the caller's; null if it is the caller's. */
  readonly clampedOutput: number | null;
  readonly ignored: readonly string[];
  readonly endpoint: TextFormat;
  readonly elapsedMs: number;
};

function addTextHeaders(headers: AnswerHeaders, of: TextHeaders): void {
  const { clampedOutput, endpoint, elapsedMs } = of;
  if (clampedOutput !== null) headers['x-max-output-tokens'] = String(clampedOutput);
  const ignored = ignoredFieldsHeader(of.ignored);
  if (ignored !== null) headers['x-ignored-fields'] = ignored;
  if (endpoint === 'messages') return;
  addOpenAiHeaders(headers, elapsedMs);
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
    const read = (bytes: Uint8Array<ArrayBuffer>) =>
      this.preparedFor(to).readAnswer(bytes, answerContext(to, scope));
    return openAnswer(response, read, answerLimits(scope), () => failureContext(to));
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
  /** The state of a stream to a Responses caller. */
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

  budget(purchase: Purchase, soFar: () => Consumption): OutputBudget {
    return this.price.budget(purchase, soFar);
  }

  protected factsOf({ pass }: OpenedStream): AnswerFacts {
    return pass.facts;
  }

  protected isWhole({ pass }: OpenedStream): boolean {
    return pass.ended;
  }
}

/**
 * Whether all output can be counted while it streams, so that the hold can grow with it. Hidden
 * thinking is billed but cannot be counted.
 */
const isCountable = (request: TextRequest, { model }: ChatOffer): boolean =>
  !request.mayThinkUnseen && !model.thinksUnseen;
