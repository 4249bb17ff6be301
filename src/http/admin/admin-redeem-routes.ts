/** Routes for redeem codes, for administrators. Codes are shown only when they are created. */
import * as z from 'zod';
import { formatAmount } from '../../money/amount.ts';
import {
  type BatchRecord,
  type CodeRecord,
  MAX_BATCH_CODES,
  type RedeemCodes,
} from '../../topups/redeem-codes.ts';
import { isoTime } from '../caller/account-body.ts';
import { amount, CREATED, count, currency, NO_STORE, page, time } from '../edge/answer-schema.ts';
import {
  checked,
  checkedQuery,
  expiresAt,
  PAGE_QUERY,
  pageOf,
  positiveAmount,
  reason,
  search,
  text,
  walletCurrency,
} from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../edge/route.ts';

const CSV = 'text/csv';

const COUNT = `must be a whole number from 1 to ${MAX_BATCH_CODES}`;
const NEW_BATCH = z.strictObject({
  currency: walletCurrency,
  amount: positiveAmount,
  count: z.int({ error: COUNT }).min(1, { error: COUNT }).max(MAX_BATCH_CODES, { error: COUNT }),
  reason,
  expires_at: expiresAt,
});

const BATCHES_QUERY = PAGE_QUERY.extend({ search: search.optional() });
/** Maximum characters of a code: more than any code has with its separators. */
const MAX_CODE_CHARS = 100;
const ONE_CODE = z.strictObject({ code: text(MAX_CODE_CHARS) });

export const BATCH = z
  .strictObject({
    id: z.string(),
    currency,
    amount: amount.meta({ description: 'The amount that each code credits.' }),
    count,
    used: count,
    cancelled: count,
    reason: z.string(),
    created_at: time,
    expires_at: time.nullable(),
    cancelled_at: time.nullable(),
  })
  .meta({ id: 'RedeemBatch' });
export const CREATED_BATCH = BATCH.extend({ codes: z.array(z.string()) }).meta({
  id: 'CreatedRedeemBatch',
});

/** A redeem code without its text. Only a hash of the text is stored. */
export const CODE = z
  .strictObject({
    id: z.string().meta({ description: 'The SHA-256 of the code, in hexadecimal.' }),
    state: z.enum(['open', 'redeemed', 'cancelled']),
    account_id: z
      .string()
      .nullable()
      .meta({ description: 'The account that redeemed the code; null: it is not redeemed.' }),
    account_name: z.string().nullable(),
    redeemed_at: time.nullable(),
  })
  .meta({ id: 'RedeemCode' });

export type AdminRedeemDeps = {
  readonly codes: Pick<RedeemCodes, 'create' | 'get' | 'list' | 'find' | 'cancel' | 'codes'>;
};

type Handle = (deps: AdminRedeemDeps, call: AdminCall) => Promise<Response>;

export function adminRedeemRoutes(deps: AdminRedeemDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  return [
    route(
      'POST /redeem-batches',
      {
        summary: 'Create redeem codes; they are shown only once',
        request: NEW_BATCH,
        response: CREATED_BATCH,
        statuses: [CREATED],
        mediaTypes: ['application/json', CSV],
      },
      create,
    ),
    route(
      'GET /redeem-batches',
      {
        summary:
          'List the batches of redeem codes, oldest first; `search` matches a part of a reason or a complete id',
        query: BATCHES_QUERY,
        response: page(BATCH),
      },
      list,
    ),
    route(
      'GET /redeem-batches/:id',
      { summary: 'Read a batch, with the number of redeemed codes', response: BATCH },
      get,
    ),
    route(
      // The request sends the code in its body, because proxies log URLs.
      'POST /redeem-batches/find',
      { summary: 'Find the batch of a redeem code', request: ONE_CODE, response: BATCH },
      find,
    ),
    route(
      'GET /redeem-batches/:id/codes',
      {
        summary: 'List the codes of a batch, with the accounts that redeemed them',
        query: PAGE_QUERY,
        response: page(CODE),
      },
      listCodes,
    ),
    route(
      'DELETE /redeem-batches/:id',
      { summary: 'Cancel the codes of a batch that are not redeemed', response: BATCH },
      cancel,
    ),
  ];
}

const create: Handle = async ({ codes }, call) => {
  const body = checked(NEW_BATCH, await call.readJson());
  const { currency, amount, count, reason, expires_at: expiresAtMs = null } = body;
  const made = await codes.create({ currency, amount, count, reason, expiresAtMs }, call.actor);
  if (wantsCsv(call.request)) {
    const rows = ['code', ...made.codes].join('\r\n');
    return new Response(`${rows}\r\n`, {
      status: CREATED,
      headers: { ...NO_STORE, 'content-type': `${CSV}; charset=utf-8; header=present` },
    });
  }
  return Response.json(
    { ...batchBody(made.batch), codes: made.codes },
    { status: CREATED, headers: NO_STORE },
  );
};

const list: Handle = async ({ codes }, { url }) => {
  const { query } = checkedQuery(BATCHES_QUERY, url);
  const { items, next } = await codes.list(pageOf(query), query.search ?? null);
  return Response.json({ data: items.map(batchBody), next });
};

const find: Handle = async ({ codes }, call) => {
  const { code } = checked(ONE_CODE, await call.readJson());
  return Response.json(batchBody(await codes.find(code)));
};

const get: Handle = async ({ codes }, call) =>
  Response.json(batchBody(await codes.get(idOf(call))));

const listCodes: Handle = async ({ codes }, call) => {
  const { query } = checkedQuery(PAGE_QUERY, call.url);
  const { items, next } = await codes.codes(idOf(call), pageOf(query));
  return Response.json({ data: items.map(codeBody), next });
};

const codeBody = (code: CodeRecord): z.infer<typeof CODE> => ({
  id: code.id,
  state: code.state === 'claimed' ? 'redeemed' : code.state,
  account_id: code.accountId,
  account_name: code.accountName,
  redeemed_at: isoTime(code.claimedAtMs),
});

const cancel: Handle = async ({ codes }, call) =>
  Response.json(batchBody(await codes.cancel(idOf(call), call.actor)));

const wantsCsv = ({ headers }: Request): boolean =>
  (headers.get('accept') ?? '').split(',').some((type) => type.trim().startsWith(CSV));

function batchBody(batch: BatchRecord): z.infer<typeof BATCH> {
  return {
    id: batch.id,
    currency: batch.currency,
    amount: formatAmount(batch.amount),
    count: batch.count,
    used: batch.used,
    cancelled: batch.cancelled,
    reason: batch.reason,
    created_at: isoTime(batch.createdAtMs),
    expires_at: isoTime(batch.expiresAtMs),
    cancelled_at: isoTime(batch.cancelledAtMs),
  };
}
