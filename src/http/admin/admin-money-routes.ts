/**
 * Administrators' routes that move money. Each command is audited, and is booked only once per id.
 */
import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Clock, newId } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { Applied, Command, Ledger, Outcome } from '../../ledger/ledger.ts';
import { type Currency, formatAmount, type NanoAmount, nano } from '../../money/amount.ts';
import type { LoggedRequest, RequestLog } from '../../reports/request-log.ts';
import { requestOf } from '../caller/reports/reports.ts';
import { conversionBody } from '../caller/reports/request-views.ts';
import { amount, CREATED, currency } from '../edge/answer-schema.ts';
import {
  checked,
  id,
  POSITIVE,
  paymentAmount,
  positiveAmount,
  reason,
  text,
  walletCurrency,
} from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../edge/route.ts';

const MAX_REFERENCE_CHARS = 100;

/**
 * The fields of every command. A client may choose the `id`. A repeated command with the same id is
 * not booked again.
 */
const ORDER = { id: id.optional(), reason } as const;
const NEW_CREDIT = z.strictObject({
  amount: positiveAmount,
  currency: walletCurrency,
  reason,
  /** The id of the credit in another system, such as an invoice number. */
  reference: text(MAX_REFERENCE_CHARS).optional(),
  id: ORDER.id,
});
const SIGNED =
  'must be a decimal string other than zero of at most nine decimals, such as "-2.5" or "10"';
const NEW_ADJUSTMENT = z.strictObject({
  ...ORDER,
  currency: walletCurrency,
  amount: paymentAmount(
    SIGNED,
    (value) => value !== 0n,
    ' in either direction; split larger amounts',
  ),
});
const NEW_EXCHANGE = z.strictObject({
  ...ORDER,
  from: walletCurrency,
  to: walletCurrency,
  /** The amount to buy, in the currency `to`. */
  amount: positiveAmount,
});
const ZERO_OR_MORE =
  'must be a decimal string of zero or more with at most nine decimals, such as "50"';
const NEW_CREDIT_LIMIT = z.strictObject({
  ...ORDER,
  currency: walletCurrency,
  amount: paymentAmount(ZERO_OR_MORE, (value) => value >= 0n, ''),
});
const NEW_REFUND = z.strictObject({
  ...ORDER,
  /** The amount to refund. `all` means the part of the charge that has not been refunded yet. */
  amount: z.union([z.literal('all'), positiveAmount], { error: `${POSITIVE}, or "all"` }),
});

export const APPLIED = {
  id: z.string(),
  amount,
  currency,
  available: amount.meta({
    description:
      'The amount that new requests could spend from the wallet right after the booking. A repeat returns the amount of the first time.',
  }),
  already_applied: z.boolean().meta({
    description:
      'Whether an earlier request with this id already booked the command. If true, this request booked nothing.',
  }),
} as const;
const OF_ACCOUNT = { ...APPLIED, account_id: z.string() } as const;
const CREDIT = z.strictObject(OF_ACCOUNT).meta({ id: 'Credit' });
const ADJUSTMENT = z
  .strictObject({ kind: z.literal('adjust'), ...OF_ACCOUNT })
  .meta({ id: 'Adjustment' });
const CREDIT_LIMIT = z
  .strictObject({ kind: z.literal('credit_limit'), ...OF_ACCOUNT })
  .meta({ id: 'CreditLimit' });
export const RATE = z.strictObject({ id: z.string(), from: currency, to: currency, rate: amount });
const EXCHANGE = z
  .strictObject({ kind: z.literal('exchange'), ...OF_ACCOUNT, rate: RATE })
  .meta({ id: 'Exchange' });
const REFUND = z
  .strictObject({ kind: z.literal('refund'), ...APPLIED, request_id: z.string() })
  .meta({ id: 'Refund' });

export type AdminMoneyDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly requests: Pick<RequestLog, 'one' | 'refundUnder' | 'archivedIn'>;
  readonly catalogue: () => Pick<Catalogue, 'fx'>;
  readonly clock: Clock;
};

type Handle = (deps: AdminMoneyDeps, call: AdminCall) => Promise<Response>;

export function adminMoneyRoutes(deps: AdminMoneyDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, { ...doc, statuses: [200, CREATED] }, (call) => handle(deps, call));
  return [
    route(
      'POST /accounts/:id/credits',
      {
        summary: 'Credit a wallet; a repeat with the same id books nothing',
        request: NEW_CREDIT,
        response: CREDIT,
      },
      credit,
    ),
    route(
      'POST /accounts/:id/adjustments',
      {
        summary:
          'Adjust a wallet by a positive or negative amount; a repeat with the same id books nothing',
        request: NEW_ADJUSTMENT,
        response: ADJUSTMENT,
      },
      onWallet('adjust', 'adj', NEW_ADJUSTMENT),
    ),
    route(
      'POST /accounts/:id/exchanges',
      {
        summary: 'Exchange money between the wallets of an account, at the rate in force',
        request: NEW_EXCHANGE,
        response: EXCHANGE,
      },
      exchange,
    ),
    route(
      'POST /accounts/:id/credit-limit',
      {
        summary: 'Set how far below zero a wallet may go',
        request: NEW_CREDIT_LIMIT,
        response: CREDIT_LIMIT,
      },
      onWallet('credit_limit', 'lim', NEW_CREDIT_LIMIT),
    ),
    route(
      'POST /requests/:id/refund',
      {
        summary: 'Refund the charge of a request, or part of it',
        request: NEW_REFUND,
        response: REFUND,
      },
      refund,
    ),
  ];
}

const credit: Handle = async (deps, call) => {
  const { id, reason, reference, ...body } = checked(NEW_CREDIT, await call.readJson());
  const account = await deps.accounts.getAccount(idOf(call));
  return await order(deps, {
    kind: 'credit',
    id: id ?? newId(deps.clock, 'crd'),
    accountId: account.id,
    ...body,
    source: 'top_up',
    // The ledger stores the reason and the reference in a single text.
    reason: reference === undefined ? reason : `${reason} (reference: ${reference})`,
    ...now(deps, call),
  });
};

const onWallet =
  (
    kind: 'adjust' | 'credit_limit',
    prefix: 'adj' | 'lim',
    schema: typeof NEW_ADJUSTMENT | typeof NEW_CREDIT_LIMIT,
  ): Handle =>
  async (deps, call) => {
    const { id = newId(deps.clock, prefix), ...body } = checked(schema, await call.readJson());
    const account = await deps.accounts.getAccount(idOf(call));
    return await order(deps, { kind, id, accountId: account.id, ...body, ...now(deps, call) });
  };

const exchange: Handle = async (deps, call) => {
  const body = checked(NEW_EXCHANGE, await call.readJson());
  const account = await deps.accounts.getAccount(idOf(call));
  if (body.from === body.to) {
    throw new GatewayError('invalid_value', '`to` must differ from `from`.', {
      param: 'to',
    });
  }
  const rate = deps.catalogue().fx.get(`${body.from}/${body.to}`);
  if (rate === undefined) throw noRate(body.from, body.to);
  return await order(deps, {
    kind: 'exchange',
    id: body.id ?? newId(deps.clock, 'exc'),
    accountId: account.id,
    rate,
    amount: body.amount,
    reason: body.reason,
    ...now(deps, call),
  });
};

const refund: Handle = async (deps, call) => {
  const body = checked(NEW_REFUND, await call.readJson());
  const request = await requestOf(deps, idOf(call), null);
  const amount = body.amount === 'all' ? await allOf(deps, request, body.id) : body.amount;
  if (amount <= 0n) throw nothingLeft();
  return await order(
    deps,
    {
      kind: 'refund',
      id: body.id ?? newId(deps.clock, 'ref'),
      requestId: request.requestId,
      amount,
      reason: body.reason,
      ...now(deps, call),
    },
    request.currency,
  );
};

/**
 * Returns the amount of a refund of `all`. This is the part of the charge that has not been
 * refunded yet. If the refund with this id is already booked, returns the booked amount, so that a
 * repeated request has the same amount.
 */
async function allOf(
  { requests }: AdminMoneyDeps,
  { requestId, charge, refunded }: LoggedRequest,
  id: string | undefined,
): Promise<NanoAmount> {
  const first = id === undefined ? null : await requests.refundUnder(id, requestId);
  return first ?? nano(charge - refunded);
}

type Order = Extract<
  Command,
  { kind: 'credit' | 'adjust' | 'exchange' | 'credit_limit' | 'refund' }
>;

/**
 * Books a command and returns the response with its result.
 * @param refunded the currency of the refunded request; null for a command that is no refund.
 */
async function order(
  { ledger }: AdminMoneyDeps,
  command: Order,
  refunded: Currency | null = null,
): Promise<Response> {
  const [outcome] = await ledger.apply([command]);
  const currency = currencyOf(command, refunded);
  if (outcome?.status === 'applied' || outcome?.status === 'already_applied') {
    const status = outcome.status === 'applied' ? CREATED : 200;
    return Response.json(orderBody(command, currency, outcome), { status });
  }
  throw refusal(command, currency, outcome);
}

function currencyOf(command: Order, refunded: Currency | null): Currency {
  if (command.kind === 'exchange') return command.rate.quote;
  return command.kind === 'refund' ? (refunded ?? 'USD') : command.currency;
}

function orderBody(
  command: Order,
  currency: Currency,
  { status, result }: { readonly status: string; readonly result: Applied },
) {
  return {
    id: command.id,
    ...(command.kind === 'credit' ? {} : { kind: command.kind }),
    ...(command.kind === 'refund'
      ? { request_id: command.requestId }
      : { account_id: command.accountId }),
    amount: formatAmount(result.amount),
    currency,
    ...(command.kind === 'exchange' ? { rate: conversionBody(command.rate) } : {}),
    available: formatAmount(result.available),
    already_applied: status === 'already_applied',
  };
}

function refusal(command: Order, currency: Currency, outcome: Outcome | undefined): GatewayError {
  if (outcome?.status === 'balance_too_low' && command.kind !== 'credit') {
    if (outcome.isPartial === true) return outOfReach();
    return tooLow(command, `${formatAmount(outcome.available)} ${currency}`);
  }
  if (outcome?.status === 'id_reused') {
    return new GatewayError(
      'conflict',
      'id was used for another ledger command. Send a new id, or repeat the first request unchanged.',
      { param: 'id' },
    );
  }
  return new GatewayError(
    'internal_error',
    'The ledger did not book this command. Repeat the request with the same id; if it fails again, see the log of the gateway.',
    {
      cause: new Error(`The ledger answered ${command.kind} with ${outcome?.status ?? 'nothing'}.`),
    },
  );
}

const outOfReach = (): GatewayError =>
  new GatewayError(
    'store_unavailable',
    'Nothing was booked. Part of the balance may be reserved by an unresponsive node of this gateway, for at most 15 seconds. After that, repeat the request with the same id.',
    { retryAfterSeconds: 15 },
  );

function tooLow({ kind }: Exclude<Order, { kind: 'credit' }>, available: string): GatewayError {
  const problem = {
    adjust: `amount would take the wallet below its credit limit; at most ${available} can be debited. Debit that or less, or credit the wallet first.`,
    exchange: `amount costs more than the wallet in \`from\` can pay; at most ${available} can be bought. Buy that or less, or credit the wallet first.`,
    credit_limit: `amount is below the credit already drawn; the limit can be lowered by at most ${available}. Set a higher limit, or credit the wallet first.`,
    refund: `amount exceeds what can still be refunded for this request: ${available}. Refund that or less, or send "all".`,
  }[kind];
  return new GatewayError('conflict', problem, { param: 'amount' });
}

const nothingLeft = (): GatewayError =>
  new GatewayError(
    'conflict',
    'Nothing can be refunded for this request: it was not charged, or was already refunded. To pay money back for another reason, use an adjustment or a credit.',
    { param: 'amount' },
  );

/** Returns the error for a missing exchange rate. Only a rate from USD to CNY can be configured. */
function noRate(from: Currency, to: Currency): GatewayError {
  const remedy =
    from === 'USD'
      ? 'Set `fx` in the configuration'
      : 'Exchange from USD, or correct both wallets by adjustments';
  const message = `The configuration has no rate ${from}/${to}. ${remedy}.`;
  return new GatewayError('invalid_value', message, { param: from === 'USD' ? 'to' : 'from' });
}

const now = ({ clock }: AdminMoneyDeps, { actor }: AdminCall) => ({ actor, atMs: clock.nowMs() });
