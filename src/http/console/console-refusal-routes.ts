/** The route that finds requests of the signed-in person's account that were refused. */
import { z } from 'zod';
import type { Refusals } from '../../telemetry/refusals.ts';
import { isoTime } from '../caller/account-body.ts';
import { REFUSALS_QUERY } from '../caller/reports/report-query.ts';
import { NO_STORE, time } from '../edge/answer-schema.ts';
import { checkedQuery } from '../edge/request-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

const string = z.string();
const KEPT =
  'The newest 200 of the account, without prompts. They are in the memory of the node that refused them, until it stops.';
const REFUSED = z.strictObject({
  data: z
    .array(
      z
        .strictObject({
          id: string,
          at: time,
          key_id: string,
          endpoint: z.enum([
            'chat',
            'messages',
            'responses',
            'images',
            'embeddings',
            'count_tokens',
          ]),
          model: string.nullable().meta({ description: 'Null if the body could not be read.' }),
          status: z.int(),
          code: string,
          message: string,
        })
        .meta({ id: 'Refusal' }),
    )
    .meta({ description: KEPT }),
});

export const consoleRefusalRoutes = (refusals: Pick<Refusals, 'of'>): readonly Route[] => [
  consoleRoute(
    'GET /refusals',
    'read_only',
    {
      summary: 'Requests that ended with an error before anything was charged, newest first',
      query: REFUSALS_QUERY,
      response: REFUSED,
    },
    async ({ person, url }) => {
      const { query } = checkedQuery(REFUSALS_QUERY, url);
      const data = refusals
        .of(person.accountId, query.id ?? null)
        .map(({ requestId, atMs, keyId, ...refusal }) => ({
          ...{ id: requestId, at: isoTime(atMs), key_id: keyId },
          ...refusal,
        }));
      return Response.json({ data }, { headers: NO_STORE });
    },
  ),
];
