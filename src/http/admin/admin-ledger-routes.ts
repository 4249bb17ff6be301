/** Routes that verify and repair the whole ledger. */
import * as z from 'zod';
import type { Actor } from '../../accounts/account.ts';
import { DEFAULT_PAGE } from '../../accounts/page.ts';
import type { Clock } from '../../clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatAmount } from '../../money/amount.ts';
import { CAUSES, type Overrun, type Overruns } from '../../reports/overruns.ts';
import { cursorOf } from '../../reports/report-cursor.ts';
import { isoTime } from '../caller/account-body.ts';
import { OUTCOMES, OVERRUNS_QUERY } from '../caller/reports/report-query.ts';
import { requestPlace } from '../caller/reports/reports.ts';
import { amount, count, currency, page, time } from '../edge/answer-schema.ts';
import { checkedQuery } from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../edge/route.ts';

/**
 * The maximum number of listed breaches. Further breaches add no information, and `breach_count`
 * counts all of them.
 */
const MAX_BREACHES_SHOWN = 100;

export const VERIFICATION = z
  .strictObject({
    ok: z.boolean(),
    breach_count: count,
    breaches: z.array(
      z.strictObject({ invariant: z.string(), subject: z.string(), detail: z.string() }),
    ),
  })
  .meta({ id: 'LedgerVerification' });

export const WINDOWS_RESET = z
  .strictObject({
    now: time.meta({ description: 'The current time. Periods that began after it were reset.' }),
    changed: count.meta({
      description: 'The number of keys and accounts whose periods were reset.',
    }),
  })
  .meta({ id: 'WindowsReset' });

/**
 * The maximum number of overruns (charges above their holds) on a page. The limit is low, because
 * the price of each overrun is calculated again to find its cause.
 */
const MAX_OVERRUNS = 100;

const OVERRUN = z
  .strictObject({
    request_id: z.string(),
    at: time,
    account_id: z.string(),
    model: z.string(),
    channel: z.string(),
    upstream: z.string(),
    upstream_model: z.string(),
    outcome: z.enum(OUTCOMES),
    currency,
    held: amount,
    price: amount.meta({ description: 'The price: `charge` + `loss`. It is above `held`.' }),
    charge: amount,
    loss: amount.meta({ description: 'The part of the price that the wallet could not pay.' }),
    cause: z.enum(CAUSES).nullable().meta({
      description:
        'The most expensive part of the request: a usage bucket, a fee, or `images`; null: the cost is not itemized.',
    }),
    unpriced: z.array(z.string()).meta({
      description:
        'What the provider served but the price card has no price for, such as `web_fetch`.',
    }),
    careful_answers: count.meta({
      description:
        'How many more answers must cost no more than their holds before the account may run several requests at once again.',
    }),
  })
  .meta({ id: 'Overrun' });

export type AdminLedgerDeps = {
  /**
   * Resets the periods of spending limits that wrongly begin in the future. Returns the number of
   * keys and accounts whose periods were reset.
   */
  readonly resetWindows: (actor: Actor, nowMs: number) => Promise<number>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ledger: Pick<Ledger, 'verify'>;
  readonly overruns: Pick<Overruns, 'page'>;
};

export const adminLedgerRoutes = ({
  resetWindows,
  clock,
  ledger,
  overruns,
}: AdminLedgerDeps): readonly Route[] => [
  adminRoute(
    'GET /ledger/verify',
    { summary: 'Check every invariant of the ledger', response: VERIFICATION },
    () => verify(ledger),
  ),
  adminRoute(
    'GET /ledger/overruns',
    {
      summary: 'List requests that cost more than the amount held for them, newest first',
      query: OVERRUNS_QUERY,
      response: page(OVERRUN),
    },
    (call) => listOverruns(overruns, call),
  ),
  adminRoute(
    'POST /ledger/reset-windows',
    {
      summary: 'Reset spending periods that begin in the future because a clock was wrong',
      response: WINDOWS_RESET,
    },
    async ({ actor }) => {
      const nowMs = clock.nowMs();
      return Response.json({ now: isoTime(nowMs), changed: await resetWindows(actor, nowMs) });
    },
  ),
];

async function verify(ledger: AdminLedgerDeps['ledger']): Promise<Response> {
  const breaches = await ledger.verify();
  return Response.json({
    ok: breaches.length === 0,
    breach_count: breaches.length,
    breaches: breaches.slice(0, MAX_BREACHES_SHOWN),
  });
}

async function listOverruns(overruns: AdminLedgerDeps['overruns'], { url }: AdminCall) {
  const { query } = checkedQuery(OVERRUNS_QUERY, url);
  const { account_id: accountId = null, limit = DEFAULT_PAGE, after } = query;
  const scope = JSON.stringify(['overruns', accountId]);
  const place = after === undefined ? null : requestPlace(scope, after);
  const { rows, next } = await overruns.page(accountId, Math.min(limit, MAX_OVERRUNS), place);
  return Response.json({
    data: rows.map(overrunBody),
    next: next === null ? null : cursorOf(scope, [`${next.settledAtMs}`, next.requestId]),
  });
}

function overrunBody({ request, held, price, ...overrun }: Overrun): z.infer<typeof OVERRUN> {
  return {
    request_id: request.requestId,
    at: isoTime(request.settledAtMs),
    account_id: request.accountId,
    model: request.model,
    channel: request.channel,
    upstream: request.upstream,
    upstream_model: request.upstreamModel,
    outcome: request.outcome,
    currency: request.currency,
    held: formatAmount(held),
    price: formatAmount(price),
    charge: formatAmount(request.charge),
    loss: formatAmount(request.loss),
    cause: overrun.cause,
    unpriced: [...overrun.unpriced],
    careful_answers: overrun.carefulAnswers,
  };
}
