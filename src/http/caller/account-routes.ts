/** Routes that show an API key its limits, balance and requests, as reseller tools expect them. */

import type { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import { type SpendWindows, tightestCap } from '../../accounts/limits/spend-windows.ts';
import type { NeededScope } from '../../accounts/scopes.ts';
import { GatewayError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatAmount, type NanoAmount, nano, ZERO } from '../../money/amount.ts';
import { formatPico, inCardCurrency } from '../../money/price.ts';
import { perColumn, promptTokens, tokensOf } from '../../money/usage.ts';
import type { MemberCaps } from '../../people/memberships/member-caps.ts';
import type { RequestCost, RequestCosts } from '../../reports/request-cost.ts';
import type { LoggedRequest, RequestLog } from '../../reports/request-log.ts';
import type { Spending, Spent } from '../../reports/spending.ts';
import { NO_STORE } from '../edge/answer-schema.ts';
import {
  callerRoutes,
  type Doc,
  type KeyCall,
  type MethodAndPath,
  type Route,
} from '../edge/route.ts';
import { isoTime, limitsAndCaps, memberBudgetBody, spendBody, walletBody } from './account-body.ts';
import { CREDITS, GENERATION, OWN_KEY, type SPENT } from './account-schemas.ts';
import { requestOf } from './reports/reports.ts';
import { costBody } from './reports/request-views.ts';

export type AccountRouteDeps = {
  readonly accounts: Pick<Accounts, 'keysOf'>;
  readonly memberCaps: Pick<MemberCaps, 'capped'>;
  readonly ledger: Pick<Ledger, 'wallets'>;
  readonly requests: Pick<RequestLog, 'one' | 'archivedIn'>;
  readonly costs: Pick<RequestCosts, 'of'>;
  readonly spending: Pick<Spending, 'ofKey' | 'ofAccount'>;
};

export function accountRoutes(deps: AccountRouteDeps): readonly Route[] {
  const get = (
    at: MethodAndPath,
    scope: NeededScope,
    summary: string,
    response: z.ZodType,
    handle: (deps: AccountRouteDeps, call: KeyCall) => Promise<unknown>,
    query?: Doc['query'],
  ): readonly Route[] =>
    callerRoutes(
      at,
      scope,
      { summary, response, ...(query === undefined ? {} : { query }) },
      async (call) => Response.json({ data: await handle(deps, call) }, { headers: NO_STORE }),
    );
  return [
    ...get(
      'GET /key',
      'any',
      'Read the calling API key with its limits and spending',
      OWN_KEY,
      keyBody,
    ),
    ...get(
      'GET /credits',
      'usage',
      "Read the wallets of the calling key's account",
      CREDITS,
      creditsBody,
    ),
    ...get(
      'GET /generation',
      'usage',
      'Read the record of a request with its itemized cost, by its x-request-id',
      GENERATION,
      generation,
      { properties: { id: { type: 'string' } }, required: ['id'] },
    ),
  ];
}

async function keyBody(
  { accounts, memberCaps, spending }: AccountRouteDeps,
  { caller }: KeyCall,
): Promise<z.infer<typeof OWN_KEY>['data']> {
  const [key, spent] = await Promise.all([
    accounts.keysOf(caller.accountId).get(caller.keyId),
    spending.ofKey(caller.keyId),
  ]);
  const { accountId, createdBy } = key;
  const member =
    createdBy === null ? null : await memberCaps.capped({ accountId, personId: createdBy });
  const { day, week, month, total } = key.spend;
  return {
    label: key.masked,
    ...tightestLimit(key.spend),
    // Charges in CNY count too, as they do for the limit and in the `usage.cost` of each answer.
    usage: toNumber(total.spent),
    usage_daily: toNumber(day.spent),
    usage_weekly: toNumber(week.spent),
    usage_monthly: toNumber(month.spent),
    is_free_tier: false,
    is_management_key: key.scopes.includes('manage'),
    scopes: [...key.scopes],
    id: key.id,
    name: key.name,
    account_id: key.accountId,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoTime(key.expiresAtMs),
    last_used_at: isoTime(key.lastUsedAtMs),
    limits: limitsAndCaps(key),
    spend: spendBody(key.spend),
    member: member === null ? null : memberBudgetBody(member.spend),
    spent: spent.map(spentBody),
  };
}

/**
 * Returns the cap with the smallest remaining amount, because reseller tools support only one limit
 * per key.
 */
function tightestLimit(spend: SpendWindows) {
  const window = tightestCap(spend);
  if (window === null) return { limit: null, limit_remaining: null, limit_reset: null };
  const { cap, remaining } = spend[window];
  const names = { day: 'daily', week: 'weekly', month: 'monthly', total: null } as const;
  return {
    limit: toNumber(cap ?? undefined),
    limit_remaining: toNumber(remaining ?? undefined),
    limit_reset: names[window],
  };
}

/**
 * Returns the account's credits and usage in USD. Reseller tools compute the balance as
 * `total_credits` - `total_usage`, so this difference is always the USD balance. `total_usage` sums
 * USD charges, even refunded ones. `total_credits` covers all other movements of the USD wallet,
 * such as top-ups, refunds, and exchanges into the CNY wallet, which are subtracted.
 */
async function creditsBody(
  { ledger, spending }: AccountRouteDeps,
  { caller }: KeyCall,
): Promise<z.infer<typeof CREDITS>['data']> {
  const [wallets, spent] = await Promise.all([
    ledger.wallets(caller.accountId),
    spending.ofAccount(caller.accountId),
  ]);
  const usedUsd = spent.find(({ currency }) => currency === 'USD')?.total ?? ZERO;
  const balanceUsd = wallets.find(({ currency }) => currency === 'USD')?.balance ?? ZERO;
  return {
    total_credits: toNumber(nano(balanceUsd + usedUsd)),
    total_usage: toNumber(usedUsd),
    wallets: wallets.map(walletBody),
    spent: spent.map(spentBody),
  };
}

async function generation(deps: AccountRouteDeps, { url, caller }: KeyCall) {
  const id = url.searchParams.get('id') ?? '';
  if (id === '') {
    throw new GatewayError(
      'missing_required_parameter',
      'id is required: the x-request-id of the answer, such as /v1/generation?id=req_...',
      { param: 'id' },
    );
  }
  const request = await requestOf(deps, id, caller.accountId);
  return generationBody(request, await deps.costs.of(request));
}

/** Returns a request without its attempts, because callers must not see the names of upstreams. */
function generationBody(
  receipt: LoggedRequest,
  cost: RequestCost,
): z.infer<typeof GENERATION>['data'] {
  const { usage } = receipt;
  const prompt = promptTokens(usage);
  const completion = tokensOf(usage, 'output');
  const chargedUsd = Number(formatAmount(inCardCurrency(receipt.charge, cost.rate)));
  return {
    id: receipt.requestId,
    model: receipt.model,
    provider_name: receipt.channel,
    created_at: isoTime(receipt.startedAtMs),
    endpoint: receipt.endpoint,
    total_cost: chargedUsd,
    usage: chargedUsd,
    tokens_prompt: prompt,
    tokens_completion: completion,
    native_tokens_prompt: prompt,
    native_tokens_completion: completion,
    native_tokens_cached: tokensOf(usage, 'cache_read'),
    num_media_completion: receipt.images?.count ?? 0,
    latency: receipt.firstByteMs ?? receipt.durationMs,
    generation_time: receipt.durationMs,
    streamed: receipt.streamed,
    cancelled: receipt.outcome === 'caller_left',
    finish_reason: receipt.finishReason,
    key_id: receipt.keyId,
    outcome: receipt.outcome,
    error_code: receipt.errorCode,
    channel_requested: receipt.channelRequested,
    channel: receipt.channel,
    price_card: receipt.cardId,
    fx_rate: receipt.fxRateId,
    cost_exact: formatAmount(receipt.charge),
    cost_currency: receipt.currency,
    /** The price before currency conversion and rounding. */
    cost_unrounded: formatPico(receipt.costPico),
    cost_estimated: receipt.estimated,
    measure: receipt.measure,
    usage_buckets: perColumn(({ bucket }) => usage[bucket]),
    images:
      receipt.images === null
        ? null
        : { count: receipt.images.count, price_key: receipt.images.priceKey },
    first_byte_ms: receipt.firstByteMs,
    duration_ms: receipt.durationMs,
    cost_details: costBody(receipt, cost),
  };
}

function spentBody(spent: Spent): z.infer<typeof SPENT> {
  return {
    currency: spent.currency,
    total: formatAmount(spent.total),
    today: formatAmount(spent.today),
    this_week: formatAmount(spent.thisWeek),
    this_month: formatAmount(spent.thisMonth),
  };
}

const toNumber = (amount: NanoAmount | undefined): number => Number(formatAmount(amount ?? ZERO));
