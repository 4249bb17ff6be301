/**
 * Sends changes of wallets, and refunds. The API carries out only the first of several requests
 * with the same idempotency key.
 */
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { useTexts } from '#i18n/texts.ts';
import { type Currency, useAccountsChanged } from './account-queries.ts';
import { BOUGHT, type OrderKind, orderAmount, SOLD } from './order.ts';
import { orderTexts } from './order-texts.ts';

/** The form's values, named after the API's parameters. */
export type OrderForm = {
  readonly amount: string;
  readonly currency: Currency;
  readonly reason: string;
  /** The reference of a credit in another system, such as an invoice number. */
  readonly reference: string;
};

export type Booked = {
  readonly available: string;
  readonly currency: Currency;
  readonly already_applied: boolean;
};

/**
 * Sends a change of a wallet.
 * @param id the idempotency key of the ledger entry.
 */
export function sendOrder(
  accountId: string,
  kind: OrderKind,
  form: OrderForm,
  id: string,
): Promise<Booked> {
  const { currency, reference } = form;
  const path = { params: { path: { id: accountId } } };
  const order = { id, reason: form.reason.trim(), amount: orderAmount(kind, form.amount) ?? '' };
  switch (kind) {
    case 'credit': {
      const named = reference.trim() === '' ? {} : { reference: reference.trim() };
      const body = { ...order, currency, ...named };
      return answerOf(api.POST('/admin/v1/accounts/{id}/credits', { ...path, body }));
    }
    case 'adjust': {
      const body = { ...order, currency };
      return answerOf(api.POST('/admin/v1/accounts/{id}/adjustments', { ...path, body }));
    }
    case 'exchange': {
      const body = { ...order, from: SOLD, to: BOUGHT };
      return answerOf(api.POST('/admin/v1/accounts/{id}/exchanges', { ...path, body }));
    }
    case 'credit_limit': {
      const body = { ...order, currency };
      return answerOf(api.POST('/admin/v1/accounts/{id}/credit-limit', { ...path, body }));
    }
  }
}

/**
 * Refunds a request.
 * @param amount `all`, or a decimal string.
 */
export const refundRequest = (
  requestId: string,
  amount: string,
  reason: string,
  id: string,
): Promise<Booked> =>
  answerOf(
    api.POST('/admin/v1/requests/{id}/refund', {
      params: { path: { id: requestId } },
      body: { id, amount, reason },
    }),
  );

/**
 * Returns an error handler for changes of wallets and for refunds. If the API refuses a used
 * idempotency key with other values, an earlier attempt succeeded and its response was lost. So the
 * handler refreshes the balance and explains this to the person.
 */
export function useReused(): (error: unknown) => Promise<never> {
  const t = useTexts(orderTexts);
  const changed = useAccountsChanged();
  return async (error) => {
    if (!(error instanceof ApiError && error.code === 'conflict' && error.param === 'id'))
      throw error;
    await changed();
    throw new Error(t('reused'), { cause: error });
  };
}
