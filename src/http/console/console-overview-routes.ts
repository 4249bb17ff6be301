/** The route of the console's start page: balances, runway and recent requests. */

import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { Ledger, Wallet } from '../../ledger/ledger.ts';
import { formatAmount } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import type { MemberCaps } from '../../people/memberships/member-caps.ts';
import type { RecentSpend, RecentUse } from '../../reports/recent-use.ts';
import type { RequestLog } from '../../reports/request-log.ts';
import { runwayOf } from '../../reports/runway.ts';
import type { LowBalance, Thresholds } from '../../topups/alerts/low-balance.ts';
import {
  ACCOUNT,
  accountBody,
  MEMBER_BUDGET,
  memberBudgetBody,
  WALLET,
  walletBody,
} from '../caller/account-body.ts';
import { textOf } from '../caller/alert-thresholds.ts';
import { requestFilter } from '../caller/reports/reports.ts';
import { REQUEST } from '../caller/reports/request-views.ts';
import { amount, count, currency } from '../edge/answer-schema.ts';
import { consoleRoute, type Route, type SessionCall } from '../edge/route.ts';

const REQUESTS_SHOWN = 6;
const REQUESTS_SINCE_MS = 7 * DAY_MS;

const WATCHED_WALLET = WALLET.extend({
  low_below: amount
    .nullable()
    .meta({ description: 'The balance below which the wallet is low; null: no threshold.' }),
  is_low: z.boolean(),
}).meta({ id: 'WatchedWallet' });
const WALLETS = z.strictObject({ data: z.array(WATCHED_WALLET) });

const SPEND_LATELY = z
  .strictObject({
    ...{ currency, today: amount, last_7_days: amount, last_30_days: amount },
    yesterday: amount,
    previous_7_days: amount.meta({
      description: 'What was spent in the seven days before `last_7_days`.',
    }),
    previous_30_days: amount.meta({
      description: 'What was spent in the 30 days before `last_30_days`.',
    }),
  })
  .meta({
    id: 'RecentSpend',
    description:
      'Spending in one currency. Days are UTC; `last_7_days` and `last_30_days` include today.',
  });

const OVERVIEW = z
  .strictObject({
    account: ACCOUNT,
    wallets: z.array(WATCHED_WALLET),
    member: MEMBER_BUDGET.nullable().meta({
      description:
        'The limits on what all API keys that you created may spend together; null: you have no limits.',
    }),
    spend: z.array(SPEND_LATELY),
    runway_days: count.nullable().meta({
      description:
        'The number of whole days until the account can no longer pay for its requests in one of the currencies, if it spends as in the last seven days; at most 3650. Null: nothing was spent in that time.',
    }),
    runway_currency: currency.nullable().meta({
      description: 'The currency of the wallet that runs out first; null: nothing was spent.',
    }),
    requests_last_7_days: count,
    failed_last_7_days: count,
    recent_requests: z.array(REQUEST.schema).meta({
      description: 'The newest requests of the last seven days, failed ones included.',
    }),
    first_call_done: z
      .boolean()
      .meta({ description: 'Whether a request of the account has ever completed.' }),
  })
  .meta({ id: 'Overview' });

export type OverviewDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly memberCaps: Pick<MemberCaps, 'capped'>;
  readonly ledger: Pick<Ledger, 'wallets'>;
  readonly lowBalance: Pick<LowBalance, 'inForce'>;
  readonly recentUse: (accountId: string) => Promise<RecentUse>;
  readonly hasSucceeded: (accountId: string) => Promise<boolean>;
  readonly requests: Pick<RequestLog, 'page'>;
  readonly catalogue: () => Pick<Catalogue, 'fx'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const consoleOverviewRoutes = (deps: OverviewDeps): readonly Route[] => [
  consoleRoute(
    'GET /wallets',
    'read_only',
    { summary: "Read the account's wallets; meant for frequent polling", response: WALLETS },
    ({ person }) => wallets(deps, person.accountId),
  ),
  consoleRoute(
    'GET /overview',
    'read_only',
    { summary: 'Read balances, runway and recent requests of the account', response: OVERVIEW },
    (call) => overview(deps, call),
  ),
];

async function wallets({ ledger, lowBalance }: OverviewDeps, accountId: string): Promise<Response> {
  const [held, lowBelow] = await Promise.all([
    ledger.wallets(accountId),
    lowBalance.inForce(accountId),
  ]);
  return Response.json({ data: held.map((wallet) => watchedWallet(wallet, lowBelow)) });
}

async function overview(deps: OverviewDeps, { person }: SessionCall): Promise<Response> {
  const { accounts, ledger, lowBalance, memberCaps, catalogue } = deps;
  const id = person.accountId;
  const [account, held, lowBelow, use, hasSucceeded, member] = await Promise.all([
    accounts.getAccount(id),
    ledger.wallets(id),
    lowBalance.inForce(id),
    deps.recentUse(id),
    deps.hasSucceeded(id),
    memberCaps.capped({ accountId: id, personId: person.id }),
  ]);
  const usdCny = catalogue().fx.get('USD/CNY') ?? null;
  const { allowExchange } = account;
  const runway = runwayOf({ wallets: held, pace: use.pace, allowExchange, usdCny });
  const body: z.infer<typeof OVERVIEW> = {
    account: accountBody(account),
    wallets: held.map((wallet) => watchedWallet(wallet, lowBelow)),
    member: member === null ? null : memberBudgetBody(member.spend),
    spend: use.spend.map(spendBody),
    runway_days: runway?.days ?? null,
    runway_currency: runway?.currency ?? null,
    requests_last_7_days: use.last7Days.requests,
    failed_last_7_days: use.last7Days.failed,
    recent_requests: await recentRequests(deps, id),
    first_call_done: hasSucceeded,
  };
  return Response.json(body);
}

async function recentRequests({ requests, clock }: OverviewDeps, accountId: string) {
  const nowMs = clock.nowMs();
  // `toMs` is exclusive, so one millisecond is added to include the current one.
  const times = { fromMs: nowMs - REQUESTS_SINCE_MS, toMs: nowMs + 1 };
  const filter = requestFilter({}, accountId, times);
  const { rows } = await requests.page(filter, REQUESTS_SHOWN, null);
  return rows.map(REQUEST.body);
}

function watchedWallet(wallet: Wallet, lowBelow: Thresholds): z.infer<typeof WATCHED_WALLET> {
  const threshold = lowBelow[wallet.currency];
  const available = wallet.balance - wallet.held - wallet.floor;
  return {
    ...walletBody(wallet),
    low_below: textOf(threshold),
    is_low: threshold !== null && available < threshold,
  };
}

const spendBody = (spend: RecentSpend): z.infer<typeof SPEND_LATELY> => ({
  currency: spend.currency,
  today: formatAmount(spend.today),
  last_7_days: formatAmount(spend.last7Days),
  last_30_days: formatAmount(spend.last30Days),
  yesterday: formatAmount(spend.yesterday),
  previous_7_days: formatAmount(spend.previous7Days),
  previous_30_days: formatAmount(spend.previous30Days),
});
