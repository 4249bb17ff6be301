/** A copy of the books for safe keeping, made while they are in use. */
import { z } from 'zod';
import type { Backups } from '../../store/backups.ts';
import { isoTime } from '../caller/account-body.ts';
import { answerSchema, count, time } from '../edge/answer-schema.ts';
import type { Route } from '../edge/route.ts';

const CREATED = 201;

export const BACKUP = z
  .strictObject({
    file: z.string().meta({ description: 'Where it is on the server, which names it.' }),
    bytes: count,
    taken_at: time.meta({ description: 'All that was acknowledged before is in it.' }),
  })
  .meta({ id: 'Backup' });

export function adminBackupRoutes(backups: Pick<Backups, 'create'>): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/admin/v1/backup',
      auth: 'admin',
      dialect: 'openai',
      doc: {
        tag: 'admin',
        statuses: [CREATED],
        summary: 'Copy the books, in use, to a new file in the folder `backups` of the data folder',
        response: answerSchema(BACKUP),
      },
      handle: async ({ actor }) => {
        const { file, bytes, takenAtMs } = await backups.create(actor);
        const body = { file, bytes, taken_at: isoTime(takenAtMs) };
        return Response.json(body, { status: CREATED });
      },
    },
  ];
}
