/** Routes that concern the whole ledger: verification and backup. */
import { z } from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Backups } from '../../store/backups.ts';
import { isoTime } from '../caller/account-body.ts';
import { CREATED, count, time } from '../edge/answer-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../edge/route.ts';

/** The most breaches to list, because more add no information; `breach_count` counts all. */
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

export const BACKUP = z
  .strictObject({
    file: z.string().meta({ description: 'Path on the server.' }),
    bytes: count,
    taken_at: time.meta({ description: 'It holds everything that was acknowledged before.' }),
  })
  .meta({ id: 'Backup' });

export type AdminLedgerDeps = {
  readonly ledger: Pick<Ledger, 'verify'>;
  readonly backups: Pick<Backups, 'create'>;
};

export const adminLedgerRoutes = ({ ledger, backups }: AdminLedgerDeps): readonly Route[] => [
  adminRoute(
    'GET /ledger/verify',
    { summary: 'Check every invariant of the ledger', response: VERIFICATION },
    () => verify(ledger),
  ),
  adminRoute(
    'POST /backup',
    {
      summary:
        'Back up the running ledger to a new file in the folder `backups` of the data folder',
      response: BACKUP,
      statuses: [CREATED],
    },
    (call) => backUp(backups, call),
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

async function backUp(
  backups: AdminLedgerDeps['backups'],
  { actor }: AdminCall,
): Promise<Response> {
  const { file, bytes, takenAtMs } = await backups.create(actor);
  return Response.json({ file, bytes, taken_at: isoTime(takenAtMs) }, { status: CREATED });
}
