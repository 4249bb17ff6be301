/** Routes that move the receipts of past months to files. */
import * as z from 'zod';
import type { ReceiptArchive } from '../../../ledger/archive/receipt-archive.ts';
import { CREATED, count } from '../../edge/answer-schema.ts';
import { checked } from '../../edge/request-schema.ts';
import { adminRoute, type Route } from '../../edge/route.ts';

const month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'write a month such as 2025-01')
  .meta({ description: 'A UTC month, such as `2025-01`.' });

export const ARCHIVE_MONTHS = z
  .strictObject({
    data: z.array(
      z.strictObject({
        month: z.string().meta({ description: 'A UTC month, such as 2025-01.' }),
        requests: count,
        archived: count.meta({
          description:
            'The number of requests of the month whose receipts were moved from the database to a file.',
        }),
      }),
    ),
  })
  .meta({ id: 'ArchiveMonths' });

const ARCHIVE_ORDER = z.strictObject({ month }).meta({ id: 'ArchiveOrder' });

export const ARCHIVE = z
  .strictObject({
    file: z.string().nullable().meta({
      description:
        'The path of the file on the server; null: no receipt of the month could be archived.',
    }),
    bytes: count,
    sha256: z
      .string()
      .nullable()
      .meta({ description: 'The SHA-256 of the file, in hexadecimal; null: there is no file.' }),
    receipts: count,
  })
  .meta({ id: 'ReceiptArchive' });

export const archiveRoutes = (
  archive: Pick<ReceiptArchive, 'months' | 'archive'>,
): readonly Route[] => [
  adminRoute(
    'GET /ledger/archives',
    {
      summary:
        'List the months whose receipts may be archived, oldest first: all except the current month and the 13 before it',
      response: ARCHIVE_MONTHS,
    },
    async () => {
      const months = await archive.months();
      return Response.json({
        data: months.map(({ requests, archived, ...of }) => ({
          ...of,
          requests: Number(requests),
          archived: Number(archived),
        })),
      });
    },
  ),
  adminRoute(
    'POST /ledger/archives',
    {
      summary:
        'Write the receipts of a month to a file in the folder `archives`, and delete them from the database',
      request: ARCHIVE_ORDER,
      response: ARCHIVE,
      statuses: [CREATED],
    },
    async (call) => {
      const order = checked(ARCHIVE_ORDER, await call.readJson());
      const made = await archive.archive(order.month, call.actor);
      const body = { ...made, receipts: Number(made.receipts) };
      return Response.json(body, { status: CREATED });
    },
  ),
];
