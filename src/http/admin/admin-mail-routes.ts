/** Administrators' routes for email: the delivery log, the state of the queue, and a test email. */
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { errorsOf } from '../../errors.ts';
import { LANGUAGES } from '../../mail/letter.ts';
import { testWords } from '../../mail/letters.ts';
import { MAIL_STATES, type MailOutbox, type MailRecord } from '../../mail/mail-outbox.ts';
import { type MailSender, TAKEN_FOR_MS } from '../../mail/mail-sender.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { MailServer } from '../../mail/smtp.ts';
import { normalizedEmail } from '../../people/email.ts';
import { isoTime } from '../caller/account-body.ts';
import { count, NO_STORE, page, time } from '../edge/answer-schema.ts';
import { checked, checkedQuery, id, PAGE_QUERY, pageOf, text } from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../edge/route.ts';

const mailState = z.enum(MAIL_STATES, { error: `must be one of ${MAIL_STATES.join(', ')}` });
const MAIL_QUERY = PAGE_QUERY.extend({ state: mailState.optional(), account_id: id.optional() });

export const MAIL = z
  .strictObject({
    id: z.string(),
    kind: z.string().meta({ description: 'The kind of email, such as `invitation`.' }),
    account_id: z.string().nullable().meta({ description: 'The account that the email is about.' }),
    to: z.string().meta({ description: "The recipient's address." }),
    subject: z.string(),
    state: mailState.meta({
      description: 'The state of the email. A `queued` email is retried for up to a day.',
    }),
    attempts: count,
    answer: z.string().meta({ description: 'The last reply of the mail server, shortened.' }),
    next_attempt_at: time.nullable(),
    created_at: time,
    ended_at: time
      .nullable()
      .meta({ description: 'When the email was sent, or failed permanently; null: it is queued.' }),
    resendable: z
      .boolean()
      .meta({ description: 'Whether the email failed in the last week and can be sent again.' }),
  })
  .meta({ id: 'Mail' });

const MAIL_STATUS = z
  .strictObject({
    on: z.boolean().meta({ description: 'Whether a mail server is configured.' }),
    host: z.string().nullable(),
    port: z.int(),
    tls: z.string(),
    from: z.string().nullable(),
    queued: count.meta({ description: 'The number of emails that wait to be sent.' }),
    oldest_queued_at: time.nullable(),
    sent: count.meta({ description: 'The number of emails sent in the last 24 hours.' }),
    failed: count.meta({
      description: 'The number of emails that failed permanently in the last 24 hours.',
    }),
  })
  .meta({ id: 'MailStatus' });

const MAX_ADDRESS_CHARS = 254;
const MAIL_TEST = z.strictObject({
  to: text(MAX_ADDRESS_CHARS),
  language: z.enum(LANGUAGES, { error: 'must be en or zh' }).default('en'),
});

const mailIsOff = errorsOf('conflict')(
  'Email is off. Set mail.host and mail.from in the settings first.',
);
const queueIsFull = errorsOf('conflict')(
  'The email queue is full, because the mail server accepts no email. See `answer` in the delivery log.',
);

const isNone = errorsOf('not_found')(
  'There is no email with this id. Look up the right id in the delivery log.',
);
const notResendable = errorsOf('conflict')(
  'This email cannot be sent again: it did not fail, or it failed more than a week ago.',
);

export type AdminMailDeps = {
  readonly outbox: Pick<MailOutbox, 'list' | 'counts' | 'addTest' | 'get' | 'resend'>;
  readonly sender: Pick<MailSender, 'sendNow'>;
  readonly mailer: Pick<Mailer, 'letter'>;
  readonly server: () => MailServer | null;
  readonly clock: Pick<Clock, 'nowMs'>;
};

type Handle = (deps: AdminMailDeps, call: AdminCall) => Promise<Response>;

export function adminMailRoutes(deps: AdminMailDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  return [
    route(
      'GET /mail',
      {
        summary:
          'Read the delivery log of email, newest first; the setting `retention.mail` says how long it is kept',
        query: MAIL_QUERY,
        response: page(MAIL),
      },
      list,
    ),
    route(
      'GET /mail/status',
      {
        summary: 'Read which mail server is used, and how many emails are queued',
        response: MAIL_STATUS,
      },
      status,
    ),
    route(
      'POST /mail/test',
      {
        summary: 'Send a test email, and return the reply of the mail server',
        request: MAIL_TEST,
        response: MAIL,
      },
      sendTest,
    ),
    route(
      'POST /mail/:id/resend',
      {
        summary: 'Send a failed email again, and return the reply of the mail server',
        response: MAIL,
      },
      resend,
    ),
  ];
}

const list: Handle = async ({ outbox }, { url }) => {
  const { query } = checkedQuery(MAIL_QUERY, url);
  const filter = { state: query.state ?? null, accountId: query.account_id ?? null };
  const { items, next } = await outbox.list(filter, pageOf(query));
  return Response.json({ data: items.map(mailBody), next }, { headers: NO_STORE });
};

const status: Handle = async ({ outbox, server }) => {
  const now = server();
  const counts = await outbox.counts();
  const body: z.infer<typeof MAIL_STATUS> = {
    on: now !== null,
    host: now?.host ?? null,
    port: now?.port ?? 0,
    tls: now?.tls ?? 'none',
    from: now?.from ?? null,
    queued: counts.queued,
    oldest_queued_at: isoTime(counts.oldestQueuedAtMs),
    sent: counts.sent,
    failed: counts.failed,
  };
  return Response.json(body, { headers: NO_STORE });
};

const sendTest: Handle = async ({ outbox, sender, mailer, server, clock }, call) => {
  const { to, language } = checked(MAIL_TEST, await call.readJson());
  if (server() === null) throw mailIsOff();
  const address = { kind: 'test', to: normalizedEmail(to, 'to'), accountId: null, language };
  // Reserves the email, so that only this call sends it, not the queue. The call waits for the
  // response of the mail server.
  const reservedMs = clock.nowMs() + TAKEN_FOR_MS;
  const added = await outbox.addTest(mailer.letter(address, testWords), reservedMs, call.actor);
  const sent = added === null ? null : await sender.sendNow(added);
  if (sent === null) throw queueIsFull();
  return Response.json(mailBody(sent), { headers: NO_STORE });
};

const resend: Handle = async ({ outbox, sender, server, clock }, call) => {
  const failed = await outbox.get(idOf(call));
  if (failed === null) throw isNone();
  if (server() === null) throw mailIsOff();
  const reservedMs = clock.nowMs() + TAKEN_FOR_MS;
  if (!(await outbox.resend(failed, reservedMs, call.actor))) throw notResendable();
  const sent = await sender.sendNow(failed.id);
  if (sent === null) throw isNone();
  return Response.json(mailBody(sent), { headers: NO_STORE });
};

export const mailBody = (mail: MailRecord): z.infer<typeof MAIL> => ({
  id: mail.id,
  kind: mail.kind,
  account_id: mail.accountId,
  to: mail.to,
  subject: mail.subject,
  state: mail.state,
  attempts: mail.attempts,
  answer: mail.answer,
  next_attempt_at: mail.state === 'queued' ? isoTime(mail.nextAtMs) : null,
  created_at: isoTime(mail.createdAtMs),
  ended_at: isoTime(mail.endedAtMs),
  resendable: mail.isResendable,
});
