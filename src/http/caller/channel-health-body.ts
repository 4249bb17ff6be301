/** The health of a channel as the catalogue and the status page show it. It names no providers. */
import * as z from 'zod';
import type { Card, Channel, Model } from '../../catalogue/catalogue.ts';
import { built } from '../../config/document/on-demand.ts';
import type { ChannelHealth } from '../../routing/channel-health.ts';
import { count, thousandths } from '../edge/answer-schema.ts';

/** Returns a channel's health, based on the health of its routes and its counts of requests. */
export type HealthOf = (model: Model, channel: Channel<Card>) => ChannelHealth;

export const ratio = built(() =>
  z
    .number()
    .nullable()
    .meta({ description: 'The share of requests that succeeded, 0 to 1; null: too few requests.' }),
);

/** The fields of a channel's health, which larger bodies include. */
export const HEALTH_FIELDS = built(
  () =>
    ({
      status: z.enum(['healthy', 'degraded', 'down', 'unknown']).meta({
        description:
          'degraded: some routes of the channel are unavailable, or a tenth or more of the requests in this hour and the previous one failed. down: all routes are unavailable. unknown: there were no requests in the last 24 hours, or too few.',
      }),
      success_rate: ratio().meta({
        description: 'Success rate of the last 24 hours, 0 to 1; null: too few requests.',
      }),
      uptime_90d: ratio().meta({
        description: 'Success rate of the last 90 days, 0 to 1; null: too few requests.',
      }),
      first_byte_ms: z
        .strictObject({
          p50: count.meta({ description: 'The median, in milliseconds.' }),
          p95: count.meta({ description: 'The 95th percentile, in milliseconds.' }),
        })
        .nullable()
        .meta({
          description:
            'Milliseconds to the first token of streams in the last 24 hours; null: too few requests.',
        }),
      tokens_per_second: z.number().nullable().meta({
        description:
          'Output tokens per second of answers in the last 24 hours; null: too few answers.',
      }),
    }) as const,
);

export const HEALTH = built(() =>
  z.strictObject(HEALTH_FIELDS()).meta({
    id: 'ChannelHealth',
    description: 'The health of the channel, as callers experience it.',
  }),
);

export const healthBody = (health: ChannelHealth): z.infer<ReturnType<typeof HEALTH>> => ({
  status: health.status,
  success_rate: thousandths(health.lastDay?.successRatio ?? null),
  uptime_90d: thousandths(health.last90Days?.successRatio ?? null),
  first_byte_ms: health.lastDay?.firstTokenMs ?? null,
  tokens_per_second: tenths(health.lastDay?.tokensPerSecond ?? null),
});

export const tenths = (figure: number | null): number | null =>
  figure === null ? null : Math.round(figure * 10) / 10;
