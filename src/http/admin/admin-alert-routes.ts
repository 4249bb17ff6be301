/** When an account's wallets count as low. */
import { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { LowBalance, Thresholds } from '../../accounts/alerts/low-balance.ts';
import { formatAmount, type NanoAmount, parseAmount } from '../../money/amount.ts';
import { amount, answerSchema } from '../answer-schema.ts';
import type { Call, Route } from '../route.ts';
import { checked, jsonSchema } from './admin-schemas.ts';

/** A thousand million: no wallet holds as much, and a tenth more still fits the store. */
const MAX_THRESHOLD = 1_000_000_000n * 1_000_000_000n;
const THRESHOLD =
  'must be a decimal string of at most 1000000000 such as "5", "0" for no alert, or null for the configured threshold';
const threshold = z
  .string({ error: THRESHOLD })
  .transform((text): NanoAmount | null => parseAmount(text))
  .refine(
    (amount): amount is NanoAmount => amount !== null && amount >= 0n && amount <= MAX_THRESHOLD,
    { error: THRESHOLD },
  )
  .nullable()
  .optional();
const CHANGES = z.strictObject({ USD: threshold, CNY: threshold });

/** Null: the threshold of the configuration holds. */
const THRESHOLDS = z
  .strictObject({ USD: amount.nullable(), CNY: amount.nullable() })
  .meta({ id: 'AlertThresholds' });

export type AdminAlertDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly lowBalance: Pick<LowBalance, 'thresholds' | 'setThresholds'>;
};

export function adminAlertRoutes({ accounts, lowBalance }: AdminAlertDeps): readonly Route[] {
  const path = '/admin/v1/accounts/:id/alerts';
  const common = { path, auth: 'admin', dialect: 'openai' } as const;
  const accountOf = async (call: Call): Promise<string> =>
    (await accounts.getAccount(call.params['id'] ?? '')).id;
  return [
    {
      ...common,
      method: 'GET',
      doc: {
        summary: "An account's own low-balance thresholds",
        tag: 'admin',
        response: answerSchema(THRESHOLDS),
      },
      handle: async (call: Call) =>
        Response.json(thresholdsBody(await lowBalance.thresholds(await accountOf(call)))),
    },
    {
      ...common,
      method: 'PUT',
      doc: {
        summary: "Set an account's own low-balance thresholds",
        tag: 'admin',
        request: jsonSchema(CHANGES),
        response: answerSchema(THRESHOLDS),
      },
      handle: async (call: Call) => {
        const { USD, CNY } = checked(CHANGES, await call.readJson());
        const changes = {
          ...(USD === undefined ? {} : { USD }),
          ...(CNY === undefined ? {} : { CNY }),
        };
        const account = await accountOf(call);
        return Response.json(
          thresholdsBody(await lowBalance.setThresholds(account, changes, 'admin')),
        );
      },
    },
  ];
}

const thresholdsBody = (of: Thresholds) => ({ USD: textOf(of.USD), CNY: textOf(of.CNY) });

const textOf = (amount: NanoAmount | null): string | null =>
  amount === null ? null : formatAmount(amount);
