/** Routes for the alerts of the signed-in person's account: thresholds, log, email and a test. */
import * as z from 'zod';
import { errorsOf } from '../../errors.ts';
import { LANGUAGES } from '../../mail/letter.ts';
import { testWords } from '../../mail/letters.ts';
import { MAIL_STATES, type MailOutbox } from '../../mail/mail-outbox.ts';
import { type MailSender, TAKEN_FOR_MS } from '../../mail/mail-sender.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { MailPreferences } from '../../people/mail/mail-preferences.ts';
import type { AlertLog, LoggedAlert } from '../../topups/alerts/alert-log.ts';
import { isoTime } from '../caller/account-body.ts';
import {
  ALERT_THRESHOLDS,
  type AlertSettings,
  alertThresholds,
  changedThresholds,
  THRESHOLD_CHANGE,
} from '../caller/alert-thresholds.ts';
import { tagged, time } from '../edge/answer-schema.ts';
import { checked, trueOrFalse } from '../edge/request-schema.ts';
import { IF_MATCH } from '../edge/response-headers.ts';
import { consoleRoute, type Route, type SessionCall } from '../edge/route.ts';
import { answer } from './session-routes.ts';

const fact = z.string().nullable();
const ALERT = z
  .strictObject({
    id: z.string(),
    type: z.string().meta({
      description: 'The type of alert: `balance.low`, `budget.reached` or `key.expiring`.',
    }),
    created_at: time,
    /** The name of the key that the alert is about; null if it is not about a key. */
    key_name: fact,
    member_id: fact.meta({
      description:
        'The id of the member whose spending limit the alert is about; null: the alert is not about a member.',
    }),
    member_name: fact.meta({
      description:
        'The name of that member; null: the member has left, or the alert is not about a member.',
    }),
    currency: fact,
    available: fact,
    threshold: fact,
    /** The period of the spending cap: `day`, `week`, `month` or `total`. */
    window: fact,
    percent: fact,
    spent: fact,
    cap: fact,
    expires_at: fact,
    /** The emails about the alert, each with its recipient. */
    letters: z.array(z.strictObject({ to: z.string(), state: z.string() })),
  })
  .meta({ id: 'AccountAlert' });
const ALERTS = z.strictObject({ data: z.array(ALERT) });

/** The email settings of the signed-in person. */
const PREFERENCE = z
  .strictObject({
    language: z.enum(LANGUAGES, { error: 'must be en or zh' }),
    /**
     * Whether the person gets alerts by email. Owners get the account's alerts and receipts; other
     * people get alerts about their own spending limit.
     */
    alerts: trueOrFalse,
  })
  .meta({ id: 'MailPreferenceChange' });
const PREFERENCE_ANSWER = PREFERENCE.extend({
  /** Whether this gateway sends email. */
  on: z.boolean(),
}).meta({ id: 'MailPreference' });
const TESTED = z.strictObject({ to: z.string(), state: z.enum(MAIL_STATES) });

/** Maximum test emails of an account in 24 hours. */
const MAX_TESTS = 10;
const mailIsOff = errorsOf('conflict')(
  'This gateway sends no email. Ask its operator to set up a mail server.',
);
const tooManyTests = errorsOf('conflict')(
  `The account has sent ${MAX_TESTS} test emails in 24 hours, which is the limit. Try again tomorrow.`,
);

export type ConsoleAlertDeps = {
  readonly lowBalance: AlertSettings;
  readonly alertLog: Pick<AlertLog, 'of'>;
  readonly preferences: Pick<MailPreferences, 'of' | 'set'>;
  readonly mail: {
    readonly outbox: Pick<MailOutbox, 'addTest' | 'countOf'>;
    readonly sender: Pick<MailSender, 'sendNow'>;
    readonly mailer: Pick<Mailer, 'letter' | 'isOn'>;
  };
  readonly clock: { readonly nowMs: () => number };
};

export const consoleAlertRoutes = (deps: ConsoleAlertDeps): readonly Route[] => [
  consoleRoute(
    'GET /alerts',
    'read_only',
    { summary: "Read the account's low-balance thresholds", response: ALERT_THRESHOLDS },
    async ({ person }) => tagged(await alertThresholds(deps.lowBalance, person.accountId)),
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
      return tagged(await changedThresholds(deps.lowBalance, accountId, call, id));
    },
  ),
  consoleRoute(
    'GET /alerts/log',
    'read_only',
    { summary: "List the account's latest alerts, newest first", response: ALERTS },
    async ({ person }) => {
      const data = (await deps.alertLog.of(person.accountId)).map(alertBody);
      return answer({ data } satisfies z.infer<typeof ALERTS>);
    },
  ),
  consoleRoute(
    'GET /profile/mail',
    'read_only',
    { summary: 'Read your email settings', response: PREFERENCE_ANSWER },
    async ({ person }) =>
      answer({ ...(await deps.preferences.of(person.id)), on: deps.mail.mailer.isOn }),
  ),
  consoleRoute(
    'PUT /profile/mail',
    'read_only',
    { summary: 'Change your email settings', request: PREFERENCE, response: PREFERENCE_ANSWER },
    async (call) => {
      const preference = checked(PREFERENCE, await call.readJson());
      await deps.preferences.set(call.person.id, preference);
      return answer({ ...preference, on: deps.mail.mailer.isOn });
    },
  ),
  consoleRoute(
    'POST /alerts/test',
    'owner',
    { summary: 'Send a test email to yourself', response: TESTED },
    (call) => sendTest(deps, call),
  ),
];

async function sendTest(deps: ConsoleAlertDeps, { person }: SessionCall): Promise<Response> {
  const { mail, preferences, clock } = deps;
  const { outbox, sender, mailer } = mail;
  if (!mailer.isOn) throw mailIsOff();
  if ((await outbox.countOf('test', person.accountId)) >= MAX_TESTS) throw tooManyTests();
  const { language } = await preferences.of(person.id);
  const address = { kind: 'test', to: person.email, accountId: person.accountId, language };
  const letter = mailer.letter(address, testWords);
  const id = await outbox.addTest(letter, clock.nowMs() + TAKEN_FOR_MS, person.id);
  const sent = id === null ? null : await sender.sendNow(id);
  const body: z.infer<typeof TESTED> = { to: person.email, state: sent?.state ?? 'failed' };
  return answer(body);
}

function alertBody({ id, createdAtMs, fields, letters }: LoggedAlert): z.infer<typeof ALERT> {
  const of = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    id,
    type: of('type') ?? '',
    created_at: isoTime(createdAtMs),
    key_name: of('key_name'),
    member_id: of('member_id'),
    member_name: of('member_name'),
    currency: of('currency'),
    available: of('available'),
    threshold: of('threshold'),
    window: of('window'),
    percent: of('percent'),
    spent: of('spent'),
    cap: of('cap'),
    expires_at: of('expires_at'),
    letters: letters.map(({ to, state }) => ({ to, state })),
  };
}
