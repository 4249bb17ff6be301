/** Maps a refused hold or extension to an error for the caller. */
import { GatewayError } from '../errors.ts';
import type { CapOwner, Outcome } from '../ledger/ledger.ts';
import { type Currency, formatDecimal, type NanoAmount, nano, ZERO } from '../money/amount.ts';

/**
 * The hold that a request asks for. If it is refused, the 402 response states how much is needed,
 * how much is available, and what the available amount would pay for.
 */
export type Asked = {
  readonly requestId: string;
  readonly currency: Currency;
  readonly atLeast: NanoAmount;
  /**
   * The maximum cost of the request. Usually, the hold is smaller. But all of it must be held while
   * the account is restricted because a recent answer cost more than its hold.
   */
  readonly worstCase: NanoAmount;
  readonly price: {
    readonly affordable: (funds: NanoAmount) => Readonly<Record<string, number>>;
  };
};

const OWNERS: Readonly<Record<CapOwner, string>> = {
  key: 'this API key',
  member: 'the member who created this API key',
  account: 'the account',
};
/**
 * Omits trailing zeros. opencode and pi take the digits 500 anywhere in an error, such as in
 * `0.005000000`, for the status 500, and repeat the request for a minute.
 */
const shortAmount = (amount: NanoAmount): string => formatDecimal(amount, 9, 2);

const WINDOWS = { day: 'daily', week: 'weekly', month: 'monthly', total: 'total' } as const;

/** Returns the error for a refused hold. @param outcome the ledger's answer. */
export function holdRefusal(outcome: Outcome | undefined, asked: Asked): GatewayError {
  switch (outcome?.status) {
    case 'balance_too_low':
      return balanceTooLow(outcome, asked);
    case 'cap_reached': {
      const { owner, window, available } = outcome;
      return new GatewayError(
        'spend_limit_reached',
        `The ${WINDOWS[window]} spending limit of ${OWNERS[owner]} leaves ${shortAmount(available)} ${asked.currency}, and this request needs at least ${shortAmount(asked.atLeast)} ${asked.currency}. Raise the limit, wait until it resets, or send a smaller request.`,
        { extra: { limit: `${owner}_${window}`, ...shortage(available, asked) } },
      );
    }
    case 'one_at_a_time':
      return new GatewayError(
        'one_request_at_a_time',
        `${AFTER_OVERRUN}, so for now the account can run only one request at a time, and one is already running. Wait until it ends, then retry. This restriction ends after several answers that cost no more than the amount held for them.`,
        { retryAfterSeconds: BUSY_SECONDS },
      );
    case 'worst_case_too_low':
      return worstCaseTooLow(outcome.available, asked);
    case 'key_inactive':
    case 'account_inactive':
    case 'account_unknown':
      return revoked(outcome.status);
    case 'epoch_over':
      return leaseOver('The gateway is renewing its lease. Retry the request.');
    case undefined:
    case 'applied':
    case 'already_applied':
    case 'id_reused':
    case 'hold_unknown':
    case 'hold_resolved':
      return new GatewayError(
        'internal_error',
        'The gateway failed to hold money for this request.',
        { cause: new Error(`hold ${asked.requestId}: ${outcome?.status ?? 'no outcome'}`) },
      );
  }
}

/** Returns the error that ends a stream whose hold could not be extended. */
export function extendRefusal(outcome: Outcome | undefined): GatewayError {
  switch (outcome?.status) {
    case 'balance_too_low':
      if (outcome.isPartial === true) {
        return new GatewayError(
          'insufficient_balance',
          `The balance ran out during the answer. Part of the balance may be reserved by an unresponsive node of this gateway, for at most ${RESERVED_SECONDS} seconds. Retry after that.`,
          { retryAfterSeconds: RESERVED_SECONDS },
        );
      }
      return new GatewayError(
        'insufficient_balance',
        'The balance ran out during the answer. Top up and retry.',
      );
    case 'cap_reached': {
      const { owner, window } = outcome;
      return new GatewayError(
        'spend_limit_reached',
        `The ${WINDOWS[window]} spending limit of ${OWNERS[owner]} was reached during the answer.`,
        { extra: { limit: `${owner}_${window}` } },
      );
    }
    case 'key_inactive':
    case 'account_inactive':
    case 'account_unknown':
      return revoked(outcome.status);
    case 'epoch_over':
    case 'hold_resolved':
    case 'hold_unknown':
      return leaseOver('The gateway lost its hold for this request. Retry it.');
    case undefined:
    case 'applied':
    case 'already_applied':
    case 'id_reused':
    case 'one_at_a_time':
    case 'worst_case_too_low':
      return new GatewayError(
        'internal_error',
        'The gateway failed to hold more money for this request.',
        { cause: new Error(`extension: ${outcome?.status ?? 'no outcome'}`) },
      );
  }
}

/** Returns `refused`, reworded if the reason is that the fallback channel is too expensive. */
export function tooExpensive(refused: GatewayError, channel: string): GatewayError {
  if (refused.code !== 'insufficient_balance' && refused.code !== 'spend_limit_reached')
    return refused;
  const allows = refused.code === 'insufficient_balance' ? 'balance' : 'spending limit';
  return new GatewayError(
    refused.code,
    `The requested channel is unavailable, and the fallback ${channel} costs more than the ${allows} allows. Retry shortly, or send a smaller request.`,
    { extra: refused.extra },
  );
}

const REVOKED = {
  key_inactive: [
    'invalid_api_key',
    'This API key is revoked, disabled or expired. If it is disabled, enable it in the console; otherwise create a new one.',
  ],
  key_disabled: [
    'invalid_api_key',
    'This API key is disabled. Enable it in the console, or use another one.',
  ],
  account_inactive: [
    'not_allowed',
    'The account of this API key is suspended. Contact the administrator of this gateway.',
  ],
  account_unknown: ['invalid_api_key', 'The account of this API key no longer exists.'],
} as const;

export function revoked(status: keyof typeof REVOKED): GatewayError {
  const [code, message] = REVOKED[status];
  return new GatewayError(code, message);
}

/**
 * The `retry-after` when part of the balance may be reserved by a node that does not respond. After
 * this time, that node's lease has ended, and so have its reservations.
 */
const RESERVED_SECONDS = 15;
/**
 * The `retry-after` for an account limited to one request at a time. It is about the duration of a
 * short answer.
 */
const BUSY_SECONDS = 5;
const AFTER_OVERRUN = 'A recent answer cost more than the amount held for it';

/** Returns the error when the wallet or a spending limit does not cover the worst case. */
function worstCaseTooLow(available: NanoAmount, asked: Asked): GatewayError {
  const { currency, worstCase } = asked;
  const fields = {
    currency,
    available: shortAmount(available),
    required: shortAmount(worstCase),
  };
  return new GatewayError(
    'insufficient_balance',
    `${AFTER_OVERRUN}, so the maximum cost of this request must be held: ${fields.required} ${currency}, and ${fields.available} ${currency} is available. Top up, raise the spending limit, or ask for less output. This restriction ends after several answers that cost no more than the amount held for them.`,
    { extra: fields },
  );
}

function balanceTooLow(
  { available, isPartial }: Extract<Outcome, { status: 'balance_too_low' }>,
  asked: Asked,
): GatewayError {
  const { currency, atLeast } = asked;
  const fields = shortage(available, asked);
  const needs = `it needs at least ${shortAmount(atLeast)} ${currency} and ${fields.available} ${currency} is available`;
  if (isPartial === true) {
    return new GatewayError(
      'insufficient_balance',
      `The ${currency} wallet cannot afford this request now: ${needs}. Part of the balance may be reserved by an unresponsive node of this gateway, for at most ${RESERVED_SECONDS} seconds. Retry after that.`,
      { extra: fields, retryAfterSeconds: RESERVED_SECONDS },
    );
  }
  return new GatewayError(
    'insufficient_balance',
    `The ${currency} wallet cannot afford this request: ${needs}. Top up, or send a smaller request.`,
    { extra: fields },
  );
}

function shortage(free: NanoAmount, { currency, atLeast, price }: Asked) {
  const available = nano(free < ZERO ? ZERO : free);
  return {
    currency,
    available: shortAmount(available),
    required: shortAmount(atLeast),
    ...price.affordable(available),
  };
}

/**
 * Returns the error for a gateway process whose lease in the store has ended. Without a lease, it
 * must not hold money. The process takes a new lease by itself.
 */
const leaseOver = (message: string): GatewayError =>
  new GatewayError('store_unavailable', message, {
    retryAfterSeconds: 1,
    cause: new Error('the lease of this node has ended'),
  });
