/** Accounts, keys and wallets as the APIs show them. Times are ISO 8601 in UTC. */
import * as z from 'zod';
import type { AccountRecord, KeyRecord } from '../../accounts/account.ts';
import { accountTag, keyTag } from '../../accounts/account-change.ts';
import { capsBody, capText, limitsBody } from '../../accounts/limits/limits.ts';
import {
  capsOf,
  type SpendWindow,
  type SpendWindows,
} from '../../accounts/limits/spend-windows.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import type { Wallet } from '../../ledger/ledger.ts';
import { formatAmount, nano } from '../../money/amount.ts';
import { amount, count, currency, etag, time } from '../edge/answer-schema.ts';

/** A wallet. `available` is what new requests can hold: balance, minus holds, plus credit limit. */
export const WALLET = z
  .strictObject({
    currency,
    balance: amount,
    held: amount,
    credit_limit: amount,
    available: amount,
  })
  .meta({ id: 'Wallet' });

const texts = z.array(z.string()).readonly().nullable();
export const LIMITS = z
  .strictObject({
    spend: z.strictObject({
      day: amount.nullable(),
      week: amount.nullable(),
      month: amount.nullable(),
      total: amount.nullable(),
    }),
    requests_per_minute: count.nullable(),
    tokens_per_minute: count.nullable(),
    concurrency: count.nullable(),
    models: texts,
    channels: texts,
    ip_ranges: texts,
  })
  .meta({ id: 'Limits', description: 'The limits. Null: no limit. Caps on spending are in USD.' });

const SPEND_WINDOW = z
  .strictObject({ spent: amount, remaining: amount.nullable(), resets_at: time.nullable() })
  .meta({
    id: 'SpendWindow',
    description: 'What was spent in a period, and what may still be spent, in USD.',
  });
export const SPEND = z
  .strictObject({
    day: SPEND_WINDOW,
    week: SPEND_WINDOW,
    month: SPEND_WINDOW,
    total: SPEND_WINDOW,
  })
  .meta({ id: 'Spend' });

const { day, week, month } = LIMITS.shape.spend.shape;
/** A member's spending limits, and what the member's keys have spent together. */
export const MEMBER_BUDGET = z
  .strictObject({
    limits: z.strictObject({ spend: z.strictObject({ day, week, month }) }).meta({
      description: 'The spending limits in USD. Null: no limit.',
    }),
    spend: z.strictObject({ day: SPEND_WINDOW, week: SPEND_WINDOW, month: SPEND_WINDOW }).meta({
      description:
        'What was spent with all API keys that the member created in the account, including revoked keys.',
    }),
  })
  .meta({
    id: 'MemberBudget',
    description: 'The spending limits of a member on all their API keys together.',
  });

export const ACCOUNT = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: z.enum(['active', 'suspended']),
    allow_exchange: z.boolean().meta({
      description: 'Whether the USD wallet pays for requests in CNY when the CNY wallet cannot.',
    }),
    price_list: z.string().nullable().meta({
      description: 'The price list whose prices the account pays; null: the public prices.',
    }),
    created_at: time,
    expires_at: time.nullable(),
    limits: LIMITS,
    spend: SPEND,
    etag,
  })
  .meta({ id: 'Account' });
export const ACCOUNT_WITH_WALLETS = ACCOUNT.extend({ wallets: z.array(WALLET) }).meta({
  id: 'AccountWithWallets',
});

export const KEY_SCOPES = z.array(z.enum(SCOPES)).meta({
  description:
    'What the key may do. `inference`: send requests to models. `usage`: read balance, requests and statements. `top_up`: redeem codes and pay by card. `manage`: create, change and revoke all keys of the account.',
});
export const KEY = z
  .strictObject({
    id: z.string(),
    account_id: z.string(),
    name: z.string(),
    masked: z.string().meta({
      description: 'The first and last characters of the secret.',
      examples: ['sk-mg-abcd...wxyz'],
    }),
    status: z.enum(['active', 'disabled', 'revoked']).meta({
      description:
        'active: the key is accepted. disabled: it is refused until it is enabled again. revoked: it is refused permanently.',
    }),
    created_at: time,
    expires_at: time.nullable(),
    revoked_at: time
      .nullable()
      .meta({ description: 'When the key was revoked; null: it is not revoked.' }),
    last_used_at: time.nullable(),
    previous_secret_until: time.nullable().meta({
      description:
        'When the previous secret, which the last rotation replaced, stops working; null: no previous secret works.',
    }),
    purpose: z.enum(['playground']).nullable().meta({
      description:
        '`playground`: the console uses this key for playground requests of the person in `created_by`; if `created_by` is null, it is an old key that all people of the account share. Null: an ordinary key.',
    }),
    scopes: KEY_SCOPES,
    created_by: z.string().nullable().meta({
      description:
        'The id of the person who created the key. This person can change the key as an owner can, unless the key has a `purpose`.',
    }),
    created_by_name: z.string().nullable().meta({
      description:
        'The name of the person in `created_by`; null: `created_by` is null, or the person was removed.',
    }),
    limits: LIMITS,
    spend: SPEND,
    etag,
  })
  .meta({ id: 'Key' });
export const CREATED_KEY = KEY.extend({
  secret: z.string().meta({ description: 'The secret of the key. It is shown only once.' }),
}).meta({ id: 'CreatedKey' });

export function walletBody(wallet: Wallet): z.infer<typeof WALLET> {
  return {
    currency: wallet.currency,
    balance: formatAmount(wallet.balance),
    held: formatAmount(wallet.held),
    credit_limit: formatAmount(nano(-wallet.floor)),
    available: formatAmount(nano(wallet.balance - wallet.held - wallet.floor)),
  };
}

export function accountBody(account: AccountRecord): z.infer<typeof ACCOUNT> {
  return {
    id: account.id,
    name: account.name,
    status: account.status,
    allow_exchange: account.allowExchange,
    price_list: account.priceList,
    created_at: isoTime(account.createdAtMs),
    expires_at: isoTime(account.expiresAtMs),
    limits: limitsAndCaps(account),
    spend: spendBody(account.spend),
    etag: accountTag(account),
  };
}

export function keyBody(key: KeyRecord): z.infer<typeof KEY> {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    masked: key.masked,
    status: key.status,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoTime(key.expiresAtMs),
    revoked_at: isoTime(key.revokedAtMs),
    last_used_at: isoTime(key.lastUsedAtMs),
    previous_secret_until: isoTime(key.previousSecretUntilMs),
    purpose: key.purpose,
    scopes: [...key.scopes],
    created_by: key.createdBy,
    created_by_name: key.createdByName,
    limits: limitsAndCaps(key),
    spend: spendBody(key.spend),
    etag: keyTag(key),
  };
}

/** Returns the limits and caps in the same fields as a PATCH body. */
export const limitsAndCaps = (of: Pick<KeyRecord, 'limits' | 'spend'>) => ({
  spend: capsBody(capsOf(of.spend)),
  ...limitsBody(of.limits),
});

export function memberBudgetBody(of: SpendWindows): z.infer<typeof MEMBER_BUDGET> {
  const { total: _cap, ...caps } = capsBody(capsOf(of));
  const { total: _spent, ...spend } = spendBody(of);
  return { limits: { spend: caps }, spend };
}

export function spendBody(spend: SpendWindows) {
  const body = ({ spent, remaining, resetsAtMs }: SpendWindow) => ({
    spent: formatAmount(spent),
    remaining: capText(remaining),
    resets_at: isoTime(resetsAtMs),
  });
  return {
    day: body(spend.day),
    week: body(spend.week),
    month: body(spend.month),
    total: body(spend.total),
  };
}

export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
