/** Routes for an account's low-balance thresholds and its webhook, for administrators. */
import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { AccountWebhooks } from '../../topups/alerts/account-webhooks.ts';
import { isoTime } from '../caller/account-body.ts';
import {
  ALERT_THRESHOLDS,
  type AlertSettings,
  alertThresholds,
  changedThresholds,
  THRESHOLD_CHANGE,
} from '../caller/alert-thresholds.ts';
import { answer } from '../console/session-routes.ts';
import { tagged, time } from '../edge/answer-schema.ts';
import { IF_MATCH } from '../edge/response-headers.ts';
import { adminRoute, type Call, idOf, type Route } from '../edge/route.ts';

export type AdminAlertDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly lowBalance: AlertSettings;
  readonly webhooks: Pick<AccountWebhooks, 'get' | 'remove'>;
};

const WEBHOOK = z
  .strictObject({
    host: z.string().nullable().meta({
      description:
        'The host to which alerts are posted; null: no webhook. Path and query are left out, since they may contain a token.',
    }),
    created_at: time.nullable(),
    changed_at: time.nullable(),
  })
  .meta({ id: 'WebhookOfAccount' });

export function adminAlertRoutes(deps: AdminAlertDeps): readonly Route[] {
  const { accounts, lowBalance, webhooks } = deps;
  const response = ALERT_THRESHOLDS;
  const accountOf = async (call: Call): Promise<string> =>
    (await accounts.getAccount(idOf(call))).id;
  return [
    adminRoute(
      'GET /accounts/:id/alerts',
      { summary: "Read an account's own low-balance thresholds", response },
      async (call) => tagged(await alertThresholds(lowBalance, await accountOf(call))),
    ),
    adminRoute(
      'PUT /accounts/:id/alerts',
      {
        summary: "Set an account's own low-balance thresholds",
        headers: IF_MATCH,
        request: THRESHOLD_CHANGE,
        response,
      },
      async (call) => {
        const account = await accountOf(call);
        return tagged(await changedThresholds(lowBalance, account, call, call.actor));
      },
    ),
    adminRoute(
      'GET /accounts/:id/webhook',
      {
        summary: "Read the host to which an account's own webhook posts alerts",
        response: WEBHOOK,
      },
      async (call) => answer(await webhookOf(webhooks, await accountOf(call))),
    ),
    adminRoute(
      'DELETE /accounts/:id/webhook',
      {
        summary: "Remove an account's webhook, and cancel its pending deliveries",
        response: WEBHOOK,
      },
      async (call) => {
        const account = await accountOf(call);
        await webhooks.remove(account, call.actor);
        return answer(await webhookOf(webhooks, account));
      },
    ),
  ];
}

async function webhookOf(
  webhooks: AdminAlertDeps['webhooks'],
  accountId: string,
): Promise<z.infer<typeof WEBHOOK>> {
  const webhook = await webhooks.get(accountId);
  return {
    host: webhook === null ? null : new URL(webhook.url).host,
    created_at: isoTime(webhook?.createdAtMs ?? null),
    changed_at: isoTime(webhook?.changedAtMs ?? null),
  };
}
