/**
 * What the caller pays for (decisions: who pays for what broke). Pure.
 *
 * The upstream's own count wins, zero included. Without one, a failure before any output is free, and what
 * was delivered is estimated and marked so, as is the input of a caller who left.
 */
import type { RequestOutcome } from '../ledger/ledger.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../money/usage.ts';
import type { AnswerFacts } from '../protocols/dialect.ts';
import { estimateUsage, type HoldBasis } from './hold-size.ts';

/** `contextWindow` and `maxOutput` in tokens. */
export type ModelLimits = { readonly contextWindow: number; readonly maxOutput: number };

export type Chargeable = {
  readonly usage: Usage;
  /** Whether the counts, or some of them, are ours. */
  readonly estimated: boolean;
};

export const NOTHING_USED: Chargeable = { usage: NO_USAGE, estimated: false };

/**
 * One request may read its context and write several times over: rounds of tools that the upstream runs
 * itself, and compactions. A count of more rounds than any maker allows is a fault, and no bill.
 */
const MAX_ROUNDS = 16;

export function chargeable(
  outcome: RequestOutcome,
  facts: AnswerFacts,
  basis: HoldBasis,
  limits: ModelLimits,
): Chargeable {
  const { outputBytes } = facts;
  const usage =
    facts.usage !== null && isBelievable(facts.usage, basis, limits) ? facts.usage : null;
  const estimate = (): Chargeable => ({
    usage: estimateUsage(basis, outputBytes),
    estimated: true,
  });
  if (outcome === 'completed') return usage === null ? estimate() : { usage, estimated: false };
  if (!paysForInput(outcome) && outputBytes === 0) return NOTHING_USED;
  if (usage === null) return estimate();
  // A count that came before the end covers the input; the output is counted by what went by.
  const output = Math.max(usage.output, estimateUsage(basis, outputBytes).output);
  return { usage: { ...usage, output }, estimated: true };
}

/** Whoever ended the request while it ran pays for what was read already, as an upstream would charge it. */
const paysForInput = (outcome: RequestOutcome): boolean =>
  outcome === 'caller_left' || outcome === 'revoked';

function isBelievable(usage: Usage, { choices }: HoldBasis, limits: ModelLimits): boolean {
  return (
    promptTokens(usage) <= MAX_ROUNDS * limits.contextWindow &&
    tokensOf(usage, 'output') <= MAX_ROUNDS * limits.maxOutput * choices
  );
}
