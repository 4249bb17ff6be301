/** Routes that concern the whole ledger: verification, repair and backup. */
import { z } from 'zod';
import type { Actor } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';
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

export const WINDOWS_RESET = z
  .strictObject({
    now: time.meta({ description: 'The time by which windows were in the future.' }),
    changed: count.meta({ description: 'The number of keys and accounts.' }),
  })
  .meta({ id: 'WindowsReset' });

export type AdminLedgerDeps = {
  /** Resets spending windows in the future, and returns how many keys and accounts have changed. */
  readonly resetWindows: (actor: Actor, nowMs: number) => Promise<number>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ledger: Pick<Ledger, 'verify'>;
  readonly backups: Pick<Backups, 'create'>;
};

export const adminLedgerRoutes = ({
  resetWindows,
  clock,
  ledger,
  backups,
}: AdminLedgerDeps): readonly Route[] => [
  adminRoute(
    'GET /ledger/verify',
    { summary: 'Check every invariant of the ledger', response: VERIFICATION },
    () => verify(ledger),
  ),
  adminRoute(
    'POST /ledger/reset-windows',
    {
      summary: 'Reset spending windows that begin in the future, after a clock was wrong',
      response: WINDOWS_RESET,
    },
    async ({ actor }) => {
      const nowMs = clock.nowMs();
      return Response.json({ now: isoTime(nowMs), changed: await resetWindows(actor, nowMs) });
    },
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
