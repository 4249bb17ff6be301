/** Routes for the webhook of the signed-in person's account, for owners: URL, secret, log, test. */
import * as z from 'zod';
import { errorsOf } from '../../errors.ts';
import {
  type AccountWebhooks,
  MAX_URL_CHARS,
  OVERLAP_MS,
} from '../../topups/alerts/account-webhooks.ts';
import {
  DELIVERY_STATES,
  type Delivery,
  MAX_TESTS,
  type WebhookOutbox,
} from '../../topups/alerts/webhook-outbox.ts';
import { OUTCOMES } from '../../topups/alerts/webhook-outcome.ts';
import type { WebhookSender } from '../../topups/alerts/webhook-sender.ts';
import { isoTime } from '../caller/account-body.ts';
import { ROTATION } from '../caller/keys/key-schemas.ts';
import { count, time } from '../edge/answer-schema.ts';
import { checked, text } from '../edge/request-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';
import { answer } from './session-routes.ts';

const WEBHOOK = z
  .strictObject({
    on: z.boolean().meta({ description: 'Whether accounts may have webhooks on this gateway.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'The URL to which alerts are posted; null: no webhook.' }),
    created_at: time.nullable(),
    changed_at: time.nullable().meta({ description: 'When the URL or the secret was changed.' }),
    earlier_secret_until: time.nullable().meta({
      description:
        'The time until which deliveries are also signed with the previous secret; null: only the current secret signs.',
    }),
  })
  .meta({ id: 'AccountWebhook' });
const SECRET = z.strictObject({
  secret: z.string().nullable().meta({
    description: 'The secret that signs deliveries, shown only once; null: it has not changed.',
  }),
});
const CHANGE = z.strictObject({ url: text(MAX_URL_CHARS) });

const DELIVERY = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the posted alert or test.' }),
    type: z.string().meta({
      description: 'The type of the posted alert or test, such as `balance.low` or `webhook.test`.',
    }),
    state: z.enum(DELIVERY_STATES).meta({
      description: 'The state of the delivery. A `pending` delivery is retried for up to a day.',
    }),
    attempts: count,
    outcome: z
      .enum(OUTCOMES)
      .nullable()
      .meta({ description: 'The outcome of the last attempt; null: no attempt.' }),
    outcome_detail: z.string().meta({
      description:
        'The HTTP status of the answer, or what is wrong with the certificate; otherwise empty.',
    }),
    answer: z.string().meta({ description: 'The outcome as a sentence; empty: no attempt.' }),
    next_attempt_at: time.nullable(),
    created_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
const DELIVERIES = z.strictObject({ data: z.array(DELIVERY) });

const hasNone = errorsOf('not_found')('The account has no webhook.');
const tooManyTests = errorsOf('conflict')(
  `The account has sent ${MAX_TESTS} tests to its webhook in 24 hours, which is the limit. Try again tomorrow.`,
);

export type ConsoleWebhookDeps = {
  readonly webhooks: Pick<AccountWebhooks, 'get' | 'set' | 'rotate' | 'remove' | 'isOn'>;
  readonly outbox: Pick<WebhookOutbox, 'list'>;
  readonly sender: Pick<WebhookSender, 'sendTest'>;
};

export function consoleWebhookRoutes(deps: ConsoleWebhookDeps): readonly Route[] {
  const { webhooks, outbox, sender } = deps;
  return [
    consoleRoute(
      'GET /alerts/webhook',
      'owner',
      { summary: "Read the webhook of the account's alerts", response: WEBHOOK },
      async ({ person }) => answer(await webhookBody(webhooks, person.accountId)),
    ),
    consoleRoute(
      'PUT /alerts/webhook',
      'owner',
      {
        summary:
          'Set the URL of the webhook; a new webhook returns its secret, which is shown once',
        request: CHANGE,
        response: SECRET,
      },
      async (call) => {
        const { url } = checked(CHANGE, await call.readJson());
        const { accountId, id } = call.person;
        const secret = await webhooks.set(accountId, url, id);
        return answer({ secret: secret?.reveal() ?? null });
      },
    ),
    consoleRoute(
      'DELETE /alerts/webhook',
      'owner',
      { summary: 'Remove the webhook, and cancel its pending deliveries', response: WEBHOOK },
      async ({ person }) => {
        await webhooks.remove(person.accountId, person.id);
        return answer(await webhookBody(webhooks, person.accountId));
      },
    ),
    consoleRoute(
      'POST /alerts/webhook/secret',
      'owner',
      {
        summary:
          'Rotate the secret of the webhook; the old secret also signs deliveries for the time in `overlap`',
        request: ROTATION,
        response: SECRET,
      },
      async (call) => {
        const { overlap } = checked(ROTATION, await call.readJson());
        const { accountId, id } = call.person;
        const secret = await webhooks.rotate(accountId, overlap ?? OVERLAP_MS, id);
        return answer({ secret: secret.reveal() });
      },
    ),
    consoleRoute(
      'POST /alerts/webhook/test',
      'owner',
      { summary: 'Send a test to the webhook, and return the outcome', response: DELIVERY },
      async ({ person }) => {
        if ((await webhooks.get(person.accountId)) === null) throw hasNone();
        const sent = await sender.sendTest(person.accountId, person.id);
        if (sent === null) throw tooManyTests();
        return answer(deliveryBody(sent));
      },
    ),
    consoleRoute(
      'GET /alerts/webhook/deliveries',
      'owner',
      {
        summary: 'List the latest deliveries to the webhook, newest first',
        response: DELIVERIES,
      },
      async ({ person }) =>
        answer({ data: (await outbox.list(person.accountId)).map(deliveryBody) }),
    ),
  ];
}

async function webhookBody(
  webhooks: ConsoleWebhookDeps['webhooks'],
  accountId: string,
): Promise<z.infer<typeof WEBHOOK>> {
  const webhook = await webhooks.get(accountId);
  return {
    on: webhooks.isOn,
    url: webhook?.url ?? null,
    created_at: isoTime(webhook?.createdAtMs ?? null),
    changed_at: isoTime(webhook?.changedAtMs ?? null),
    earlier_secret_until: isoTime(webhook?.earlierUntilMs ?? null),
  };
}

const deliveryBody = (delivery: Delivery): z.infer<typeof DELIVERY> => ({
  id: delivery.id,
  type: TYPED.parse(JSON.parse(delivery.body)).type,
  state: delivery.state,
  attempts: delivery.attempts,
  outcome: delivery.outcome?.code ?? null,
  outcome_detail: delivery.outcome?.detail ?? '',
  answer: delivery.answer,
  next_attempt_at: delivery.state === 'pending' ? isoTime(delivery.nextAtMs) : null,
  created_at: isoTime(delivery.createdAtMs),
  ended_at: isoTime(delivery.endedAtMs),
});
const TYPED = z.object({ type: z.string() });
