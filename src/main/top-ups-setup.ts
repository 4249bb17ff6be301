/** Opens top-ups by redeem code and by payment card, and the alerts. */
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isProxied } from '../config/runtime.ts';
import type { Card } from '../http/caller/top-up-answers.ts';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lowBalanceWords } from '../mail/letters.ts';
import { type NanoAmount, parseAmount } from '../money/amount.ts';
import type { OwnerMail } from '../people/mail/owner-mail.ts';
import type { People } from '../people/people.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { Log } from '../telemetry/log.ts';
import { AccountWebhooks } from '../topups/alerts/account-webhooks.ts';
import { AlertLog } from '../topups/alerts/alert-log.ts';
import { type Alert, AlertOutbox, alertIdOf, alertOf } from '../topups/alerts/alert-outbox.ts';
import { AlertSender } from '../topups/alerts/alert-sender.ts';
import { CallerAlerts } from '../topups/alerts/caller-alerts.ts';
import { LowBalance } from '../topups/alerts/low-balance.ts';
import { OverrunAlerts } from '../topups/alerts/overrun-alerts.ts';
import { ReceiptLetters } from '../topups/alerts/receipt-letters.ts';
import { watchBalances } from '../topups/alerts/watched-ledger.ts';
import { WebhookOutbox } from '../topups/alerts/webhook-outbox.ts';
import { WebhookSender } from '../topups/alerts/webhook-sender.ts';
import { bonusesOf } from '../topups/bonuses.ts';
import {
  type AmountLimits,
  CardPayments,
  type PaymentProblem,
  RETURN_PATH,
} from '../topups/card-payments.ts';
import { RedeemCodes } from '../topups/redeem-codes.ts';
import { StripeProvider } from '../topups/stripe-provider.ts';
import { TopUpOrders } from '../topups/top-up-orders.ts';
import { Egress } from '../upstreams/egress.ts';
import { loadConsoleKey } from './secrets.ts';

export type TopUps = {
  readonly codes: RedeemCodes;
  /** Card payments; null if no payment provider is configured. */
  readonly card: Card | null;
  readonly lowBalance: LowBalance;
  readonly overruns: OverrunAlerts;
  /**
   * Stores and sends an alert from another part of the gateway.
   * @returns false if the alert is already stored.
   */
  readonly raise: (alert: Alert) => Promise<boolean>;
  readonly alertLog: AlertLog;
  readonly callerAlerts: Pick<CallerAlerts, 'look'>;
  /** The webhooks to which accounts receive their alerts. */
  readonly accountHooks: AccountHooks;
  /** Applies commands to the ledger, and reports each changed balance to the low-balance alerts. */
  readonly ledger: Pick<Ledger, 'apply'>;
  /** Resolves when the running balance checks have ended. After that, no more alerts are sent. */
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string;
};
type Letters = Pick<People, 'ownerMail'>;

/** The webhooks of accounts, the queue of their deliveries, and the sender of these deliveries. */
export type AccountHooks = {
  readonly webhooks: AccountWebhooks;
  readonly outbox: WebhookOutbox;
  readonly sender: WebhookSender;
};

export async function setUpTopUps(
  deps: Deps,
  { sql, ledger: unwatched }: Pick<Database, 'sql' | 'ledger'>,
  { ownerMail }: Letters,
  current: CardParts['current'],
): Promise<TopUps> {
  const { config, clock, log, publicUrl } = deps;
  const outbox = new AlertOutbox(sql);
  const keptMs = (): number => current().retention.alerts;
  const sender = alertSender(deps, outbox, keptMs);
  const accountHooks = openAccountHooks(deps, sql, keptMs);
  const wake = (): void => {
    sender.wake();
    accountHooks.sender.wake();
  };
  const { low_balance: defaults } = config.alerts;
  const letters = lowBalanceLetters(deps, ownerMail);
  const lowBalance = new LowBalance({
    sql,
    clock,
    defaults: { USD: nullable(defaults.USD), CNY: nullable(defaults.CNY) },
    onLow: ({ id, body }) => {
      log.warn({ alert: body }, 'low balance');
      wake();
      letters.low(id, body);
    },
    onFailure: (thrown) =>
      log.warn(
        { err: thrown },
        'could not check whether a balance is low; it is checked again when it next changes',
      ),
  });
  const overruns = new OverrunAlerts({
    outbox,
    clock,
    onAlert: ({ body }) => {
      log.warn({ alert: body }, 'an answer cost more than the amount held for it');
      sender.wake();
    },
    onFailure: (thrown) =>
      log.warn(
        { err: thrown },
        'could not store an alert about an answer that cost more than the amount held for it',
      ),
  });
  const receipts = new ReceiptLetters({
    ownerMail,
    publicUrl,
    onFailure: (err) => log.warn({ err }, 'could not queue the receipt email for a top-up'),
  });
  const ledger = watchBalances(unwatched, lowBalance, receipts);
  const onProblem = async (trouble: PaymentProblem): Promise<void> => {
    log.error({ ...trouble }, 'a payment needs manual review');
    await outbox.add(problemAlert(trouble, clock.nowMs()));
    sender.wake();
  };
  const raise = async (alert: Alert): Promise<boolean> => {
    const isNew = await outbox.add(alert);
    if (isNew) wake();
    return isNew;
  };
  const callerAlerts = new CallerAlerts({
    ...{ sql, clock, publicUrl, ownerMail, raise },
    onFailure: (err) => log.warn({ err }, 'could not check for new alerts; retrying'),
  });
  return {
    codes: new RedeemCodes({ sql, ledger, clock }),
    card: await openCard(deps, {
      ...{ sql, onProblem, current },
      ledger: { ...ledger, wallets: (id) => unwatched.wallets(id), inMemory: unwatched.inMemory },
    }),
    lowBalance,
    overruns,
    raise,
    alertLog: new AlertLog(sql),
    callerAlerts,
    accountHooks,
    ledger,
    close: async () => {
      await callerAlerts.stop();
      await lowBalance.settled();
      await letters.settled();
      await overruns.settled();
      await receipts.settled();
      await sender.stop();
      await accountHooks.sender.stop();
    },
  };
}

/** Emails the owners of an account when its balance is low. */
function lowBalanceLetters({ log, publicUrl }: Deps, ownerMail: OwnerMail) {
  const running = new Set<Promise<void>>();
  return {
    low: (id: string, body: string): void => {
      const { account_id: accountId, ...wallet } = LOW_BALANCE.parse(JSON.parse(body));
      const work = ownerMail
        .send(accountId, 'alert', id, lowBalanceWords(wallet, `${publicUrl}/console/billing`))
        .catch((err: unknown) => log.warn({ err }, 'queueing an email about a low balance failed'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    settled: async (): Promise<void> => void (await Promise.all(running)),
  };
}

const LOW_BALANCE = z.object({
  account_id: z.string(),
  currency: z.string(),
  available: z.string(),
  threshold: z.string(),
});

function alertSender(
  { config, clock, log }: Deps,
  outbox: AlertOutbox,
  keptMs: () => number,
): AlertSender {
  const { webhook_url: url, webhook_secret: secret, allow_private: allowPrivate } = config.alerts;
  const egressOf = (baseUrl: string): Egress =>
    new Egress({
      name: 'alerts.webhook_url',
      baseUrl,
      allowPrivate,
      isProxied: isProxied(baseUrl),
      clock,
    });
  return new AlertSender({
    outbox,
    clock,
    webhook: url === null || secret === null ? null : { url, secret, egress: egressOf(url) },
    keptMs,
    onFailure: (what, cause) => log.warn({ err: cause }, what),
    onGivenUp: (body) =>
      log.error({ alert: body }, 'gave up on an alert after a day of webhook failures'),
  });
}

function openAccountHooks(
  { config, clock, log }: Deps,
  sql: SqlExecutor,
  keptMs: () => number,
): AccountHooks {
  const { account_webhooks: reach } = config.alerts;
  const secret = loadConsoleKey(config, clock);
  const webhooks = new AccountWebhooks({ sql, clock, secret, reach });
  const outbox = new WebhookOutbox(sql, clock, keptMs);
  const sender = new WebhookSender({
    ...{ outbox, webhooks, clock },
    network: { allowPrivate: reach === 'private' },
    onFailure: (what, err) => log.warn({ err }, what),
  });
  return { webhooks, outbox, sender };
}

type CardParts = Pick<Database, 'sql'> &
  Pick<ConstructorParameters<typeof CardPayments>[0], 'onProblem' | 'ledger'> & {
    /** Returns the settings in force. */
    readonly current: () => Pick<Config, 'top_ups' | 'retention'>;
  };

async function openCard(
  { config, clock, publicUrl }: Deps,
  { sql, ledger, onProblem, current }: CardParts,
): Promise<Card | null> {
  const settings = config.payments.stripe;
  if (settings === undefined) return null;
  const orders = new TopUpOrders(sql);
  const provider = await StripeProvider.load(settings, clock, publicUrl + RETURN_PATH);
  const { min, max } = settings;
  const limits: AmountLimits = {
    USD: { min: amountOf(min.USD), max: amountOf(max.USD) },
    CNY: { min: amountOf(min.CNY), max: amountOf(max.CNY) },
  };
  const bonuses = () => bonusesOf(current().top_ups.bonuses);
  const shared = { orders, ledger, clock, provider, limits, bonuses };
  return { orders, payments: new CardPayments({ ...shared, onProblem }) };
}

/**
 * Returns an alert about a payment problem. Its id is derived from the event's id, so that a
 * repeated event adds no second alert.
 */
function problemAlert(
  { type, eventId, accountId, orderId, detail }: PaymentProblem,
  nowMs: number,
) {
  const fields = { type, event_id: eventId, account_id: accountId, order_id: orderId, detail };
  return alertOf(alertIdOf(type, eventId, detail), fields, nowMs);
}

const nullable = (text: string | null): NanoAmount | null =>
  text === null ? null : amountOf(text);

/** Parses an amount from the configuration, which has already validated it. */
function amountOf(text: string): NanoAmount {
  const amount = parseAmount(text);
  if (amount === null)
    throw new Error(`${text} is not an amount, although the configuration was checked`);
  return amount;
}
