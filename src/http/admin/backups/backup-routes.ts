/** Routes that back up the ledger, and list the backups. */
import * as z from 'zod';
import type { BackupState } from '../../../backups/backup-record.ts';
import type { BackupSchedule } from '../../../backups/backup-schedule.ts';
import type { Backups } from '../../../backups/backups.ts';
import type { StoredBackup } from '../../../backups/place.ts';
import { isoTime } from '../../caller/account-body.ts';
import { CREATED, count, time } from '../../edge/answer-schema.ts';
import { checkedQuery } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';

/** Maximum number of backups to list. Retention keeps far fewer. */
const MAX_LISTED = 1000;

const file = z.string().meta({
  description: 'The path on the server, or `s3://bucket/key`, as `modelgate restore` accepts it.',
});
const takenAt = time.meta({
  description: 'The backup contains every change that was acknowledged before this time.',
});
const encrypted = z.boolean().meta({
  description:
    'Whether the backup is encrypted. An encrypted backup also contains the key files of the data folder.',
});

export const BACKUP = z
  .strictObject({
    file,
    bytes: count,
    taken_at: takenAt,
    breach_count: count.meta({
      description:
        'The number of rows in the backup that breach an invariant of the ledger; 0: the ledger is sound.',
    }),
    encrypted,
  })
  .meta({ id: 'Backup' });

const BACKUP_QUERY = z.strictObject({
  local: z.enum(['true', 'false']).default('false').meta({
    description:
      'If `true`, the backup is written unencrypted to the data folder, and the setting `backups` is ignored.',
  }),
});

export const BACKUPS = z
  .strictObject({
    place: z.string().meta({ description: 'The folder of backups, or `s3://bucket/prefix`.' }),
    encrypted: z.boolean().meta({ description: 'Whether new backups are encrypted.' }),
    every_ms: count
      .nullable()
      .meta({ description: 'Milliseconds between scheduled backups; null: none are scheduled.' }),
    last_good_at: time.nullable().meta({
      description:
        'The newest sound backup contains all changes up to this time; null: no backup is sound.',
    }),
    failure: z
      .strictObject({
        at: time,
        reason: z.string(),
        count: count.meta({ description: 'The number of failures since the last sound backup.' }),
        next_at: time.meta({ description: 'When the backup is retried.' }),
      })
      .nullable()
      .meta({ description: 'The failure of the last scheduled backup; null: no failure.' }),
    data: z.array(
      z.strictObject({
        file,
        bytes: count,
        taken_at: takenAt,
        database: z.enum(['sqlite', 'postgres']),
        encrypted,
        sound: z.boolean().meta({
          description: 'Whether the ledger in the backup is sound: no invariant is broken.',
        }),
        installation: z
          .string()
          .meta({ description: 'The id of the installation that was backed up.' }),
        of_this_installation: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Backups' });

export type BackupRoutesDeps = {
  readonly backups: Pick<Backups, 'create' | 'list' | 'place' | 'isEncrypted' | 'origin'>;
  readonly schedule: Pick<BackupSchedule, 'refreshed'>;
  readonly everyMs: number | null;
};

export const backupRoutes = ({
  backups,
  schedule,
  everyMs,
}: BackupRoutesDeps): readonly Route[] => [
  adminRoute(
    'POST /backup',
    {
      summary: 'Back up the running ledger to the place in the setting `backups`',
      query: BACKUP_QUERY,
      response: BACKUP,
      statuses: [CREATED],
    },
    (call) => backUp(backups, call),
  ),
  adminRoute(
    'GET /backups',
    {
      summary: 'List the backups at the place in the setting `backups`, newest first',
      response: BACKUPS,
    },
    async () => {
      const [listed, origin, state] = await Promise.all([
        backups.list(),
        backups.origin(),
        schedule.refreshed(),
      ]);
      return Response.json({
        place: backups.place.address,
        encrypted: backups.isEncrypted,
        every_ms: everyMs,
        last_good_at: state.good === null ? null : isoTime(state.good.atMs),
        failure: failureBody(state),
        data: listed.slice(0, MAX_LISTED).map((each) => listedBody(each, origin)),
      });
    },
  ),
];

const failureBody = ({ failed }: BackupState): z.infer<typeof BACKUPS>['failure'] =>
  failed === null
    ? null
    : {
        at: isoTime(failed.atMs),
        reason: failed.why,
        count: failed.count,
        next_at: isoTime(failed.dueAtMs),
      };

async function backUp(
  backups: BackupRoutesDeps['backups'],
  { actor, url }: AdminCall,
): Promise<Response> {
  const { query } = checkedQuery(BACKUP_QUERY, url);
  const made = await backups.create(actor, query.local === 'true' ? 'local' : 'configured');
  const body: z.infer<typeof BACKUP> = {
    file: made.file,
    bytes: made.bytes,
    taken_at: isoTime(made.takenAtMs),
    breach_count: made.breaches,
    encrypted: made.isEncrypted,
  };
  return Response.json(body, { status: CREATED });
}

const listedBody = (
  { address, bytes, takenAtMs, engine, isSealed, isSound, origin: installation }: StoredBackup,
  origin: string,
): z.infer<typeof BACKUPS>['data'][number] => ({
  file: address,
  bytes,
  taken_at: isoTime(takenAtMs),
  database: engine,
  encrypted: isSealed,
  sound: isSound,
  installation,
  of_this_installation: installation === origin,
});
