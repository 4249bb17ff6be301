/** The setting `alerts`: the threshold of low balances, and the webhook that receives alerts. */
import * as z from 'zod';
import { isPrivateHost, isWebhookUrl } from '../address.ts';
import { decimal } from '../price-schema.ts';
import { sharedSecret } from '../values.ts';
import { built } from './on-demand.ts';

/**
 * A wallet's balance is low if it is below this amount, unless the account has its own threshold.
 * Null means that no balance is low.
 */
const threshold = built(() => decimal(9, '5').nullable().default(null));
export const alertSettings = built(() =>
  z
    .strictObject({
      low_balance: z.strictObject({ USD: threshold(), CNY: threshold() }).prefault({}),
      /** The URL to which alerts are posted. Null means that alerts are only logged. */
      webhook_url: z
        .string()
        .refine(isWebhookUrl, 'write an http or https address without credentials')
        .nullable()
        .default(null),
      /** The secret that signs posted alerts. */
      webhook_secret: sharedSecret().nullable().default(null),
      allow_private: z.boolean().default(false),
      /**
       * Which addresses accounts may set as webhooks for their own alerts: none, only public
       * addresses, or private addresses too.
       */
      account_webhooks: z.enum(['off', 'public', 'private']).default('public'),
    })
    .check((context) => {
      const { webhook_url: url, webhook_secret: secret, allow_private: allowed } = context.value;
      if (url === null) return;
      const add = (key: string, message: string): void => {
        context.issues.push({ code: 'custom', message, input: url, path: [key] });
      };
      if (secret === null)
        add('webhook_secret', 'is missing: alerts to webhook_url must be signed with this secret');
      if (!allowed && isPrivateHost(new URL(url).hostname)) {
        add('webhook_url', 'is a private address; add allow_private: true if intended');
      }
    }),
);
