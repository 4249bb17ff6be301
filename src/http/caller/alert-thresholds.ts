/** Low-balance thresholds of an account, with the same body for people and administrators. */
import * as z from 'zod';
import type { Actor } from '../../accounts/account.ts';
import { GatewayError } from '../../errors.ts';
import { formatAmount, type NanoAmount } from '../../money/amount.ts';
import {
  type LowBalance,
  type Thresholds,
  thresholdsTag,
} from '../../topups/alerts/low-balance.ts';
import { amount, etag } from '../edge/answer-schema.ts';
import { checked, decimalAmount } from '../edge/request-schema.ts';
import { ifMatchOf } from '../edge/response-headers.ts';
import type { Call } from '../edge/route.ts';

/**
 * Maximum threshold. The alert can be sent again only above 110 % of the threshold, so the store
 * must be able to hold that amount too.
 */
const MAX_THRESHOLD = 1_000_000_000n * 1_000_000_000n;
const THRESHOLD =
  'must be a decimal string of at most 1000000000 such as "5", "0" for no alert, or null for the configured threshold';
const threshold = decimalAmount(THRESHOLD, (value) => value >= 0n && value <= MAX_THRESHOLD)
  .nullable()
  .optional();
export const THRESHOLD_CHANGE = z.strictObject({ USD: threshold, CNY: threshold });

const OF_EACH = z.strictObject({ USD: amount.nullable(), CNY: amount.nullable() });
export const ALERT_THRESHOLDS = z
  .strictObject({
    ...OF_EACH.shape,
    in_force: OF_EACH.meta({ description: 'The thresholds in force. Null: no alert.' }),
    etag,
  })
  .meta({
    id: 'AlertThresholds',
    description:
      'The low-balance thresholds of the account. Null: the configured threshold applies.',
  });

export type AlertSettings = Pick<LowBalance, 'thresholds' | 'inForce' | 'setThresholds'>;

export async function alertThresholds(
  alerts: AlertSettings,
  accountId: string,
): Promise<z.infer<typeof ALERT_THRESHOLDS>> {
  const [own, inForce] = await Promise.all([
    alerts.thresholds(accountId),
    alerts.inForce(accountId),
  ]);
  return { ...ofEach(own), in_force: ofEach(inForce), etag: thresholdsTag(own) };
}

/**
 * Sets the thresholds in the request body. Returns the account's thresholds in both currencies.
 * @throws GatewayError `missing_required_parameter` for a body without a threshold.
 */
export async function changedThresholds(
  alerts: AlertSettings,
  accountId: string,
  call: Call,
  actor: Actor,
): Promise<z.infer<typeof ALERT_THRESHOLDS>> {
  const { USD, CNY } = checked(THRESHOLD_CHANGE, await call.readJson());
  if (USD === undefined && CNY === undefined) throw nothingSet();
  const changes = { ...(USD === undefined ? {} : { USD }), ...(CNY === undefined ? {} : { CNY }) };
  await alerts.setThresholds(accountId, changes, actor, ifMatchOf(call.request));
  return await alertThresholds(alerts, accountId);
}

const nothingSet = (): GatewayError =>
  new GatewayError(
    'missing_required_parameter',
    'The body sets no threshold. Send USD, CNY, or both.',
    { param: 'USD' },
  );

const ofEach = (of: Thresholds) => ({ USD: textOf(of.USD), CNY: textOf(of.CNY) });

export const textOf = (value: NanoAmount | null): string | null =>
  value === null ? null : formatAmount(value);
