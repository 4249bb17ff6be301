/** Counts the tokens of a request. Counting is free, so nothing is held or settled. */
import type { Caller } from '../accounts/account.ts';
import type { Limiter } from '../accounts/limits/limiter.ts';
import { NO_LIMITS } from '../accounts/limits/limits.ts';
import {
  type Card,
  type Channel,
  type ChatModel,
  findModel,
  type Timeouts,
} from '../catalogue/catalogue.ts';
import { nextTurn } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { asJsonObject } from '../json/object.ts';
import type { AttemptRecord, Ledger } from '../ledger/ledger.ts';
import { ignoredFieldsHeader } from '../protocols/field-names.ts';
import type { MediaInput } from '../protocols/inputs/media-input.ts';
import { requestSize } from '../protocols/inputs/request-size.ts';
import { type SentHeaders, sentHeaders } from '../protocols/messages/betas.ts';
import { COUNTED_FIELDS } from '../protocols/messages/fields.ts';
import { messagesBody } from '../protocols/messages/translator.ts';
import { type Claim, type FieldPlan, fieldList, planFields } from '../protocols/request-fields.ts';
import type { RouteHealth } from '../routing/route-health.ts';
import { type Destination, planRoutes, randomFraction } from '../routing/route-plan.ts';
import { type RouteAttempt, RouteSearch } from '../routing/route-search.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { type ChannelOptions, channelsFor, mayUseChannel } from './admission.ts';
import { reportFailed } from './failed-attempt.ts';
import type { AnswerHeaders } from './goods.ts';
import { CallScope, deadlinesFor } from './in-flight.ts';
import { likelyInput } from './input-bound.ts';
import { addAnswerHeaders, isLongToSend, withAttempts } from './sale.ts';
import type { Buyer, Shop } from './sell.ts';
import type { TextOrderTerms } from './text-goods.ts';
import { readAnswerBytes } from './upstream-answer.ts';

/** Maximum bytes of an upstream's answer, which is `{"input_tokens": 7}` and little else. */
const MAX_COUNT_BYTES = 64 * 1024;

type CountShop = Omit<Shop, 'till' | 'onBrokenStream'>;

/** Rules for counting: it is free, but it uses up the operator's rate limit at the provider. */
export type CountRules = {
  /** Limits the count requests of each key, separately from its other requests. */
  readonly limiter: Pick<Limiter, 'admit'>;
  readonly perMinute: number;
  readonly wallets: Ledger['wallets'];
};

export type CountCall = Pick<Buyer, 'requestId' | 'caller' | 'signal'> &
  Pick<TextOrderTerms, 'body' | 'headers' | 'affinity'> & {
    readonly request: ChannelOptions & {
      readonly model: string;
      readonly claims: readonly Claim[];
    };
    readonly inputs: readonly MediaInput[];
  };

/**
 * Answers a count request.
 * @throws GatewayError for the same reasons as `sell`, except that `insufficient_balance` means
 *   that the wallets are empty.
 */
export async function countTokens(
  shop: CountShop,
  rules: CountRules,
  call: CountCall,
): Promise<Response> {
  const { clock, inFlight } = shop;
  const { requestId, request, caller, signal } = call;
  const model = findModel(shop.catalogue(caller), request.model);
  if (model.kind !== 'chat') {
    throw new GatewayError(
      'wrong_endpoint',
      `${model.id} is not a chat model, so its tokens are not counted here.`,
      { param: 'model' },
    );
  }
  const channels = channelsFor(model, request, mayUseChannel(caller));
  const [channel] = channels;
  const rate = { model: model.id, channel: channel.name, tokens: 0 };
  const key = { ...NO_LIMITS, requestsPerMinute: rules.perMinute };
  const counting = { ...caller, limits: { key, account: NO_LIMITS } };
  (await rules.limiter.admit(counting, rate)).end(null);
  const permit = await shop.limiter.admit(caller, rate);
  const limits = deadlinesFor(shop.limits, model.timeouts);
  const scope = new CallScope({ clock, inFlight, requestId, caller, signal, limits });
  try {
    await requireFunds(rules, caller, model);
    const upstreams = shop.upstreams();
    const hasCounter = channels.some(({ routes }) =>
      routes.some(({ upstream }) => upstreams.get(upstream)?.formats.has('count_tokens') === true),
    );
    const counted = hasCounter ? await count(shop, call, channels, model.timeouts, scope) : null;
    return counted ?? estimate(call, channel);
  } finally {
    scope.close();
    permit.end(null);
  }
}

/**
 * Refuses a caller without money, because free counts use up the operator's rate limit.
 * @throws GatewayError `insufficient_balance` when the wallets that may pay are empty.
 */
async function requireFunds(
  { wallets }: CountRules,
  { accountId, allowExchange }: Caller,
  { settlement }: ChatModel,
): Promise<void> {
  const owned = await wallets(accountId);
  const mayPay = (currency: string): boolean =>
    currency === settlement || (allowExchange && currency === 'USD');
  if (owned.some((each) => mayPay(each.currency) && each.balance > each.floor)) return;
  throw new GatewayError(
    'insufficient_balance',
    `Counting tokens is free, but needs a wallet that is not empty. Top up the ${settlement} wallet.`,
  );
}

/**
 * Returns an estimate. It is used if no upstream can count, because callers need a number to plan
 * with.
 */
function estimate(call: CountCall, channel: Channel<Card>): Response {
  const headers = headersOf(call, channel, []);
  headers['x-estimated'] = 'true';
  const counts = { input_tokens: likelyInput(requestSize(call.body, call.inputs)) };
  return new Response(JSON.stringify(counts), { headers });
}

/**
 * Returns the health of routes without recording attempts: many healthy servers cannot count
 * tokens, so a failed count must not open their circuit breaker.
 */
const withoutTrials = (health: RouteHealth): RouteHealth => ({
  fitness: (route) => health.fitness(route),
  begin: () => ({ firstByte: () => undefined, end: () => undefined }),
});

/**
 * Returns an upstream's count; null when no upstream could count.
 * @throws GatewayError for an invalid request.
 */
async function count(
  shop: CountShop,
  call: CountCall,
  channels: readonly Channel<Card>[],
  timeouts: Timeouts,
  scope: CallScope,
): Promise<Response | null> {
  const { clock } = shop;
  const health = withoutTrials(shop.health);
  const destinations = planRoutes({
    channels,
    upstreams: shop.upstreams(),
    formats: ['count_tokens'],
    affinity: call.affinity,
    health,
    draw: () => randomFraction(clock),
  });
  const { signal } = scope;
  const rules = { health, times: scope, repeat: 'until_first_byte', signal } as const;
  const search = new RouteSearch(destinations, rules);
  const { idleTimeoutMs } = scope.limits;
  const limits = { clock, idleTimeoutMs, maxAnswerBytes: MAX_COUNT_BYTES };
  for (let attempt = search.next(); attempt !== null; attempt = search.next()) {
    try {
      const sent = judged(call, attempt.to);
      const request = countRequest(call, attempt, sent, timeouts);
      if (isLongToSend(request.body)) await nextTurn();
      const response = await attempt.send(request);
      const counts = countIn(await readAnswerBytes(response, limits));
      search.answered(attempt);
      const { channel } = attempt.to;
      const headers = headersOf(call, channel, search.attempts);
      const ignored = ignoredFieldsHeader(sent.ignored);
      if (ignored !== null) headers['x-ignored-fields'] = ignored;
      return new Response(counts, { headers });
    } catch (thrown) {
      search.failed(attempt, thrown);
      reportFailed(shop, call.requestId, search, attempt, thrown);
    }
  }
  if (search.failure.status < 500) throw withAttempts(search.failure, search.attempts);
  return null;
}

const countRequest = (
  { body, caller }: CountCall,
  { to, signal, abort }: RouteAttempt<Card>,
  { plan, headers }: Judged,
  { connectMs, firstByteMs }: Timeouts,
): UpstreamRequest => ({
  format: 'count_tokens',
  body: messagesBody(body, {
    model: to.route.model,
    quirks: to.quirks,
    clampedOutput: null,
    plan,
  }),
  stream: false,
  headers,
  scope: caller.accountId,
  traceparent: null,
  connectMs,
  firstByteMs,
  signal,
  abort,
});

type Judged = SentHeaders & { readonly plan: FieldPlan };

const COUNTED = fieldList(COUNTED_FIELDS);

/**
 * Plans the fields and headers that an upstream gets.
 * @throws GatewayError for a field that the price card does not sell or that no caller may send.
 */
function judged({ body, caller, request, headers }: CountCall, to: Destination<Card>): Judged {
  const { card } = to.channel;
  if (card.unit !== 'token') throw new Error('the card of a chat model has no token prices');
  const { pass } = to.upstream.fields;
  const plan = planFields({
    body,
    claims: request.claims,
    list: COUNTED,
    // The gateway adds no fields to the request, because such fields only limit costs, and counting
    // is free.
    written: [],
    pass,
    imageDetail: null,
    isTranslated: false,
    card: { model: card.model, terms: card.terms },
    accountId: caller.accountId,
  });
  // `sentHeaders` drops a beta header that asks for a longer context window than the model is sold
  // with. Counting is free, so any context window is allowed here.
  const open = { admits: card.terms.admits, contextWindow: Number.POSITIVE_INFINITY };
  const sent = sentHeaders(headers, open, pass);
  return { plan, headers: sent.headers, ignored: [...plan.ignored, ...sent.ignored] };
}

function headersOf(
  { request }: CountCall,
  channel: Channel<Card>,
  attempts: readonly AttemptRecord[],
): AnswerHeaders {
  const headers: AnswerHeaders = {};
  addAnswerHeaders(headers, {
    requested: request.channel,
    channel,
    attempts,
    limits: {},
    contentType: 'application/json',
  });
  return headers;
}

/**
 * Returns the answer with only its counts, because other fields may reveal the provider.
 * @throws GatewayError when the answer has no count.
 */
function countIn(bytes: Uint8Array): string {
  const answer = asJsonObject(parsed(bytes));
  const count = answer?.['input_tokens'];
  if (!isCount(count)) {
    throw new GatewayError('upstream_failed', 'The provider returned no token count.');
  }
  // `original_input_tokens` is the count before the context edits that the caller asked for.
  const edits = asJsonObject(answer?.['context_management']);
  const original = edits?.['original_input_tokens'];
  return JSON.stringify({
    input_tokens: count,
    ...(isCount(original) ? { context_management: { original_input_tokens: original } } : {}),
  });
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new GatewayError('upstream_failed', 'The provider did not return JSON.', { cause });
  }
}
