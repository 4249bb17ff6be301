/** The administrator's API that needs no more than accounts and books; the command line speaks it. */
import { z } from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import { answerSchema, count } from '../edge/answer-schema.ts';
import type { Route } from '../edge/route.ts';
import { type AdminAccountDeps, adminAccountRoutes } from './admin-account-routes.ts';
import { adminKeyRoutes } from './admin-key-routes.ts';
import { adminRoute } from './admin-route.ts';

/** More breaches than this say nothing new; the count of all is beside them. */
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

export type AdminRouteDeps = AdminAccountDeps & { readonly ledger: Pick<Ledger, 'verify'> };

export function adminRoutes(deps: AdminRouteDeps): readonly Route[] {
  return [
    ...adminAccountRoutes(deps),
    adminRoute(
      'GET',
      '/ledger/verify',
      { summary: 'Check every invariant of the books', response: answerSchema(VERIFICATION) },
      () => verify(deps),
    ),
    ...adminKeyRoutes(deps.accounts),
  ];
}

async function verify({ ledger }: Pick<AdminRouteDeps, 'ledger'>): Promise<Response> {
  const breaches = await ledger.verify();
  return Response.json({
    ok: breaches.length === 0,
    breach_count: breaches.length,
    breaches: breaches.slice(0, MAX_BREACHES_SHOWN),
  });
}
