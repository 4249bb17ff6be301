/** Routes for an account's low-balance thresholds, for administrators. */
import type { Accounts } from '../../accounts/accounts.ts';
import {
  ALERT_THRESHOLDS,
  type AlertSettings,
  alertThresholds,
  changedThresholds,
  THRESHOLD_CHANGE,
} from '../caller/alert-thresholds.ts';
import { tagged } from '../edge/answer-schema.ts';
import { IF_MATCH } from '../edge/response-headers.ts';
import { adminRoute, type Call, idOf, type Route } from '../edge/route.ts';

export type AdminAlertDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly lowBalance: AlertSettings;
};

export function adminAlertRoutes({ accounts, lowBalance }: AdminAlertDeps): readonly Route[] {
  const response = ALERT_THRESHOLDS;
  const accountOf = async (call: Call): Promise<string> =>
    (await accounts.getAccount(idOf(call))).id;
  return [
    adminRoute(
      'GET /accounts/:id/alerts',
      { summary: "An account's own low-balance thresholds", response },
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
  ];
}
