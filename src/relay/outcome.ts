/** Derives a request's outcome, billable usage and effect on the health of its route. */
import type { ChatModel, Route, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { costPico } from '../money/price.ts';
import { type FactValues, factsOf, priceOf } from '../money/price-of.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import { factsJson } from '../money/terms-json.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../money/usage.ts';
import type { AnswerFacts } from '../protocols/dialect.ts';
import type { AttemptResult } from '../routing/route-health.ts';
import type { Consumption } from './purchase.ts';
import { estimateUsage, type HoldBasis } from './text-price.ts';

export const callerLeft = (): GatewayError =>
  new GatewayError('caller_left', 'The caller closed the connection.');

/** Thrown when the whole request took too long. This does not count against the route. */
export class TookTooLong extends GatewayError {
  constructor() {
    super('upstream_timeout', 'The answer took longer than the gateway allows.');
  }
}

/** Returns the outcome of a failed request, as the receipt records it. */
export function outcomeOf(error: GatewayError): RequestOutcome {
  switch (error.code) {
    case 'caller_left':
      return 'caller_left';
    case 'shutting_down':
      return 'shutdown';
    case 'upstream_timeout':
      return 'upstream_timeout';
    case 'upstream_truncated':
      return 'upstream_truncated';
    case 'insufficient_balance':
    case 'spend_limit_reached':
      return 'length';
    case 'invalid_api_key':
    case 'not_allowed':
      return 'revoked';
    case 'internal_error':
    case 'store_unavailable':
      return 'gateway_error';
    default:
      return 'upstream_error';
  }
}

const SUCCESS: AttemptResult = { kind: 'success' };

/** Returns how an answer that started affects the health of its route. */
export function attemptResultOf(
  outcome: RequestOutcome,
  error: GatewayError | null,
): AttemptResult {
  switch (outcome) {
    case 'completed':
      return SUCCESS;
    case 'upstream_error':
    case 'upstream_timeout':
    case 'upstream_truncated': {
      if (error instanceof TookTooLong) return { kind: 'unknown' };
      // The upstream refused this request after it had started to answer, so the route works.
      if (error !== null && error.status < 500) return { kind: 'unknown' };
      const cause = error?.cause instanceof Error ? error.cause.message : null;
      return { kind: 'failure', code: error?.code ?? outcome, cause };
    }
    default:
      // A disconnect, too little money, a revoked key and a gateway error are not the fault of the
      // route.
      return { kind: 'unknown' };
  }
}

export type ModelLimits = Pick<ChatModel, 'contextWindow' | 'maxOutput'>;

/**
 * The usage that the caller pays for. `estimated` is true when the gateway estimated some counts.
 */
export type BillableUsage = Pick<Consumption, 'usage' | 'estimated' | 'measure'>;

/** The `AnswerFacts` of an answer that never started. */
export const NOTHING_DELIVERED: AnswerFacts = {
  usage: null,
  served: NOTHING_SERVED,
  outputBytes: 0,
  finishReason: null,
  error: null,
};

export const NOTHING_USED: BillableUsage = {
  usage: NO_USAGE,
  estimated: false,
  measure: null,
};

/**
 * Maximum number of billed model runs that tools and compactions cause in one request. No provider
 * allows more.
 */
export const MAX_ROUNDS = 16;

/** The progress of an upstream in generating an answer. */
export type Progress = {
  /** Whether the upstream has ended the answer, so that its token count is final. */
  readonly isWhole: boolean;
  /**
   * Returns the output tokens, estimated from the elapsed time and the route's generation rate.
   * Null when all output can be counted as it arrives.
   */
  readonly generatedTokens: (() => number) | null;
};

/**
 * Returns the usage that the caller pays for. It is the upstream's final count if there is one,
 * even if that count is zero. Otherwise the usage is estimated, except that it is zero for a
 * failure before any output. A caller who ends a running request pays for its input and for all
 * generated output, seen or hidden.
 */
export function billableUsage(
  outcome: RequestOutcome,
  facts: AnswerFacts,
  { isWhole, generatedTokens }: Progress,
  basis: HoldBasis,
): BillableUsage {
  const { outputBytes, usage } = facts;
  const isLeft = isCallersDoing(outcome);
  const isFinal = isWhole && (isLeft || outputBytes > 0);
  const isCounted = usage !== null && facts.outputUncounted !== true;
  if (isCounted && (outcome === 'completed' || isFinal))
    return { usage, estimated: false, measure: isLeft ? 'read_on' : 'reported' };
  if (outcome !== 'completed' && !isLeft && outputBytes === 0) return NOTHING_USED;
  const seen = estimateUsage(basis, outputBytes);
  const most = basis.outputCap * basis.choices;
  const generated = isLeft && generatedTokens !== null ? generatedTokens() * basis.choices : 0;
  const output = Math.max(seen.output, Math.min(generated, most));
  // Counts that the upstream reported before the end of the answer are final for the input only.
  // For the output, the higher of count and estimate is used.
  const counted = usage ?? { ...seen, output: 0 };
  const missing = Math.max(output - tokensOf(counted, 'output'), 0);
  return {
    usage: { ...counted, output: counted.output + missing },
    estimated: true,
    measure: output > seen.output ? 'estimated_by_time' : 'estimated',
  };
}

/** Whether the caller ended the request. The upstream may still charge for it. */
export const isCallersDoing = (outcome: RequestOutcome): boolean =>
  outcome === 'caller_left' || outcome === 'revoked';

/**
 * Returns `facts`, but without token counts and extra model runs (`rounds`) if the counts are
 * implausibly high.
 */
export function believed(
  facts: AnswerFacts,
  { choices }: Pick<HoldBasis, 'choices'>,
  limits: ModelLimits,
): AnswerFacts {
  const { usage, served } = facts;
  const isBelievable =
    usage === null ||
    (promptTokens(usage) <= MAX_ROUNDS * limits.contextWindow &&
      tokensOf(usage, 'output') <= MAX_ROUNDS * limits.maxOutput * choices);
  return isBelievable ? facts : { ...facts, usage: null, served: { ...served, rounds: [] } };
}

/**
 * Returns `facts` with the tier from a response header; unchanged if `tier` is null. The header is
 * preferred, because it names the tier that served the request. The body may only repeat the tier
 * that was requested.
 */
export const withTier = (facts: AnswerFacts, tier: string | null): AnswerFacts =>
  tier === null ? facts : { ...facts, served: { ...facts.served, tier } };

export const FREE = { costPico: 0n, facts: null };

type AnsweredBy = {
  readonly to: {
    readonly channel: { readonly card: Pick<TokenCard, 'terms' | 'rates'> };
    readonly route: Pick<Route, 'model'>;
  };
  readonly startedAtMs: number;
  readonly endedAtMs: number;
};

/** Returns the price of an answer, and the facts, if any, on which the price depends. */
export function priceFor(
  usage: Usage,
  { served }: Pick<AnswerFacts, 'served'>,
  requested: FactValues,
  { to, startedAtMs, endedAtMs }: AnsweredBy,
): Pick<Consumption, 'costPico' | 'facts'> {
  const { terms, rates } = to.channel.card;
  const known = factsOf(terms, usage, {
    served,
    requested,
    model: served.model,
    sentModel: to.route.model,
    uses: served.uses,
    rounds: served.rounds,
    startMs: startedAtMs,
    endMs: endedAtMs,
  });
  if (known === null) return { costPico: costPico(usage, rates), facts: null };
  const priced = priceOf(terms, usage, known);
  return { costPico: priced.costPico, facts: factsJson(known, priced) };
}
