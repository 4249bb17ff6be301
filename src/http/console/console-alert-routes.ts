/** Routes for the low-balance thresholds of the signed-in person's account. */

import {
  ALERT_THRESHOLDS,
  type AlertSettings,
  alertThresholds,
  changedThresholds,
  THRESHOLD_CHANGE,
} from '../caller/alert-thresholds.ts';
import { tagged } from '../edge/answer-schema.ts';
import { IF_MATCH } from '../edge/response-headers.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export const consoleAlertRoutes = (lowBalance: AlertSettings): readonly Route[] => [
  consoleRoute(
    'GET /alerts',
    'read_only',
    { summary: "The account's low-balance thresholds", response: ALERT_THRESHOLDS },
    async ({ person }) => tagged(await alertThresholds(lowBalance, person.accountId)),
  ),
  consoleRoute(
    'PUT /alerts',
    'owner',
    {
      summary: "Set the account's low-balance thresholds",
      headers: IF_MATCH,
      request: THRESHOLD_CHANGE,
      response: ALERT_THRESHOLDS,
    },
    async (call) => {
      const { accountId, id } = call.person;
      return tagged(await changedThresholds(lowBalance, accountId, call, id));
    },
  ),
];
