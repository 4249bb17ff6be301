/** Derives a request's outcome, billable usage and effect on the health of its route. */
import type { ChatModel } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { NOTHING_SERVED } from '../money/served.ts';
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

/** Returns the effect on the route's health of an answer that started. */
export function attemptResultOf(
  outcome: RequestOutcome,
  error: GatewayError | null,
): AttemptResult {
  switch (outcome) {
    case 'completed':
      return { kind: 'success' };
    case 'upstream_error':
    case 'upstream_timeout':
    case 'upstream_truncated': {
      if (error instanceof TookTooLong) return { kind: 'unknown' };
      // The upstream refused the request after it had started to answer.
      if (error !== null && error.status < 500) return { kind: 'unknown' };
      const cause = error?.cause instanceof Error ? error.cause.message : null;
      return { kind: 'failure', code: error?.code ?? outcome, cause };
    }
    default:
      // The caller disconnected, the money ran out, the key was revoked, or the gateway failed.
      return { kind: 'unknown' };
  }
}

export type ModelLimits = Pick<ChatModel, 'contextWindow' | 'maxOutput'>;

/** What the caller pays for. `estimated` is true when the gateway estimated some of the counts. */
export type BillableUsage = Pick<Consumption, 'usage' | 'estimated' | 'measure'>;

/** The facts of an answer that never started. */
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

/** The most rounds of tools and compactions that are billed. No provider allows more. */
const MAX_ROUNDS = 16;

/**
 * Returns what the caller pays for: the upstream's own count, also when it is zero, or else an
 * estimate. Without a count, a failure before any output is free, unless the caller disconnected.
 */
export function billableUsage(
  outcome: RequestOutcome,
  facts: AnswerFacts,
  basis: HoldBasis,
  limits: ModelLimits,
): BillableUsage {
  const { outputBytes } = facts;
  const usage =
    facts.usage !== null && isBelievable(facts.usage, basis, limits) ? facts.usage : null;
  const estimate = (): BillableUsage => ({
    usage: estimateUsage(basis, outputBytes),
    estimated: true,
    measure: 'estimated',
  });
  if (outcome === 'completed') {
    return usage === null ? estimate() : { usage, estimated: false, measure: 'reported' };
  }
  if (!paysForInput(outcome) && outputBytes === 0) return NOTHING_USED;
  if (usage === null) return estimate();
  // A count from before the end is right about the input only, so the relayed output is counted.
  const missing = estimateUsage(basis, outputBytes).output - tokensOf(usage, 'output');
  const output = usage.output + Math.max(missing, 0);
  return { usage: { ...usage, output }, estimated: true, measure: 'estimated' };
}

/** A caller who ends a running request pays for its input: the upstream charges for it. */
const paysForInput = (outcome: RequestOutcome): boolean =>
  outcome === 'caller_left' || outcome === 'revoked';

function isBelievable(usage: Usage, { choices }: HoldBasis, limits: ModelLimits): boolean {
  return (
    promptTokens(usage) <= MAX_ROUNDS * limits.contextWindow &&
    tokensOf(usage, 'output') <= MAX_ROUNDS * limits.maxOutput * choices
  );
}
