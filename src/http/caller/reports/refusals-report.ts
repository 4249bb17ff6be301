/** The reports on refused requests: the list, a single request, and the counts. */
import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import { dateOf } from '../../../money/calendar.ts';
import { cursorOf } from '../../../reports/report-cursor.ts';
import type { AttemptFailure } from '../../../telemetry/refused/attempt-failures.ts';
import type { Refusal, RefusalLog } from '../../../telemetry/refused/refusal-log.ts';
import { count, date, NO_STORE, next, span, time } from '../../edge/answer-schema.ts';
import { checkedQuery } from '../../edge/request-schema.ts';
import type { Call } from '../../edge/route.ts';
import { isoTime } from '../account-body.ts';
import { type Reader, respond } from './report-list.ts';
import {
  ALL_REFUSAL_COUNTS_QUERY,
  ALL_REFUSALS_QUERY,
  daysOf,
  REFUSAL_COUNTS_QUERY,
  REFUSALS_QUERY,
  readQuery,
  timesOf,
} from './report-query.ts';
import { type Rows, viewsOf } from './report-view.ts';
import { MAX_ID_CHARS, requestPlace, spanOf } from './reports.ts';

const string = z.string();
const { text, figure, view } = viewsOf<Refusal>();
const OWN_FIELDS = {
  id: text(string, ({ requestId }) => requestId),
  at: figure(time, ({ atMs }) => isoTime(atMs)),
  key_id: text(string, ({ keyId }) => keyId),
  endpoint: text(
    z.union([
      z.enum(['chat', 'messages', 'responses', 'images', 'embeddings', 'count_tokens']),
      string,
    ]),
    ({ endpoint }) => endpoint,
  ),
  model: text(
    string
      .nullable()
      .meta({ description: 'The id of the model; null: the body could not be read.' }),
    ({ model }) => model,
  ),
  status: figure(
    z.int().meta({ description: 'The HTTP status of the answer.' }),
    (it) => it.status,
  ),
  code: text(string.meta({ description: 'The code of the error.' }), ({ code }) => code),
  message: text(
    string.meta({ description: 'The error message that the caller received, without the prompt.' }),
    ({ message }) => message,
  ),
};
export const REFUSAL = view({ id: 'Refusal' }, OWN_FIELDS);
export const ADMIN_REFUSAL = view(
  { id: 'AdminRefusal' },
  { ...OWN_FIELDS, account_id: text(string, ({ accountId }) => accountId) },
);
const SAMPLE = 'The refused requests. If very many are refused, only a sample is listed.';
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ data: z.array(item).meta({ description: SAMPLE }), next, ...span });
export const REFUSAL_PAGE = pageOf(REFUSAL.schema);
export const ADMIN_REFUSAL_PAGE = pageOf(ADMIN_REFUSAL.schema);
export const ONE_REFUSAL = z.strictObject({ data: REFUSAL.schema });
export const PROVIDER_ERRORS = z
  .array(
    z
      .strictObject({
        attempt: count.meta({
          description:
            'The number of the attempt, from 1. 0: the answer broke off after it had begun.',
        }),
        at: time,
        upstream: string.nullable(),
        model: string.nullable(),
        code: string.meta({ description: 'The code of the error.' }),
        answer: string.meta({
          description: "The provider's answer, shortened, with API keys masked.",
        }),
      })
      .meta({ id: 'ProviderError' }),
  )
  .meta({
    description: 'How the providers answered the failed attempts. Callers never see these answers.',
  });
export const ONE_ADMIN_REFUSAL = z.strictObject({
  data: ADMIN_REFUSAL.schema
    .extend({ provider_errors: PROVIDER_ERRORS })
    .meta({ id: 'AdminRefusalDetails' }),
});

export const providerErrors = (failures: readonly AttemptFailure[]) =>
  failures.map(({ attempt, atMs, upstream, model, code, answer }) => ({
    ...{ attempt, at: isoTime(atMs), code, answer },
    // Attempt number 0 stands for an answer that broke off. Its upstream and model are null here,
    // because the record of the request names them.
    ...(attempt === 0 ? { upstream: null, model: null } : { upstream, model }),
  }));
export const REFUSAL_COUNTS = z.strictObject({
  data: z.array(
    z
      .strictObject({
        date,
        code: string.meta({ description: 'The code of the error.' }),
        requests: count.meta({
          description:
            'The number of refused requests with this code, including those that are not listed.',
        }),
      })
      .meta({ id: 'RefusalCount' }),
  ),
  from: date,
  to: date,
});

export type RefusalDeps = {
  readonly refusals: Pick<RefusalLog, 'page' | 'one' | 'counts'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

/**
 * Answers with refused requests.
 * @param accountId the account to list; null for the account in the query, or for all accounts if
 *   the query names none.
 */
export async function refusalsReport(
  { refusals, clock }: RefusalDeps,
  call: Call,
  accountId: string | null,
  { columns, body }: Rows<Refusal>,
  reader: Reader,
): Promise<Response> {
  const schema: z.ZodType<z.infer<typeof ALL_REFUSALS_QUERY>> =
    accountId === null ? ALL_REFUSALS_QUERY : REFUSALS_QUERY;
  const { query, shape, scope } = readQuery(schema, call);
  const times = timesOf(query, clock.nowMs());
  const filter = {
    accountId: accountId ?? query.account_id ?? null,
    ...times,
    idPrefix: query.id ?? null,
    keyId: query.key_id ?? null,
    model: query.model ?? null,
    code: query.code ?? null,
  };
  const page = async (limit: number, after: string | null) => {
    const found = after === null ? null : requestPlace(scope, after);
    const place = found === null ? null : { ...found, atMs: found.settledAtMs };
    const { rows, next: end } = await refusals.page(filter, limit, place);
    return {
      rows: rows.map(body),
      next: end === null ? null : cursorOf(scope, [`${end.atMs}`, end.requestId]),
      beside: spanOf(times),
    };
  };
  return await respond({ name: 'refusals', columns, page }, shape, reader);
}

/**
 * Returns one refused request.
 * @param accountId the account of the caller; null for any account.
 * @throws GatewayError `not_found`.
 */
export async function refusalOf(
  { refusals }: Pick<RefusalDeps, 'refusals'>,
  { params }: Call,
  accountId: string | null,
): Promise<Refusal> {
  const id = params['id'] ?? '';
  const refusal = id.length > MAX_ID_CHARS ? null : await refusals.one(id, accountId);
  if (refusal !== null) return refusal;
  const whose = accountId === null ? '' : ' of this account';
  throw new GatewayError('not_found', `No refused request${whose} with this id is stored.`, {
    param: 'id',
  });
}

export async function refusalCounts(
  { refusals, clock }: RefusalDeps,
  { url }: Call,
  accountId: string | null,
): Promise<Response> {
  const schema: z.ZodType<z.infer<typeof ALL_REFUSAL_COUNTS_QUERY>> =
    accountId === null ? ALL_REFUSAL_COUNTS_QUERY : REFUSAL_COUNTS_QUERY;
  const { query } = checkedQuery(schema, url);
  const { fromDay, toDay } = daysOf(query, clock.nowMs());
  const counts = await refusals.counts(accountId ?? query.account_id ?? null, fromDay, toDay);
  const data = counts.map(({ day, code, requests }) => ({
    ...{ date: dateOf(day), code, requests: Number(requests) },
  }));
  const beside = { from: dateOf(fromDay), to: dateOf(toDay) };
  return Response.json({ data, ...beside }, { headers: NO_STORE });
}
