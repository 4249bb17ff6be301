/** The public status of models and channels, as this process observed it. It names no providers. */
import { z } from 'zod';
import {
  type Card,
  type Catalogue,
  CHANNELS,
  type Channel,
  type Model,
} from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { channelHealth, channelHours } from '../../routing/channel-health.ts';
import type { RouteHealthBook } from '../../routing/route-health.ts';
import { count, NO_STORE, thousandths, time } from '../edge/answer-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';
import { isoTime } from './account-body.ts';
import { HEALTH } from './catalogue-doc.ts';

export type StatusDeps = {
  readonly catalogue: () => Catalogue;
  readonly health: Pick<RouteHealthBook, 'fitness' | 'together' | 'hours' | 'hourElapsedMs'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Whether the status can be read without a key; signed-in people can always read it. */
  readonly isPublic: boolean;
};

const HOUR_MS = 3_600_000;
/** The statistics cover five minutes, so a cache may serve them to all viewers for ten seconds. */
const CACHE = { 'cache-control': 'public, max-age=10' } as const;
const STATE = z.enum(['healthy', 'degraded', 'down']);
const ratio = z.number().nullable().meta({ description: '0 to 1; null: too few requests.' });
const CHANNEL_STATUS = z
  .strictObject({
    channel: z.enum(CHANNELS),
    default: z.boolean(),
    status: HEALTH.shape.status,
    success_rate: ratio.meta({
      description: 'Of the last five minutes, 0 to 1; null: too few requests.',
    }),
    first_byte_ms: z
      .strictObject({ p50: count, p95: count })
      .nullable()
      .meta({ description: 'Of the last five minutes; null: too few requests.' }),
    hours: z
      .array(ratio)
      .meta({ description: 'Success rate of each of the last hours, oldest first.' }),
  })
  .meta({ id: 'ChannelStatus' });
const MODEL_STATUS = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: STATE.meta({
      description: 'The best of its channels, since callers can choose any of them.',
    }),
    channels: z.array(CHANNEL_STATUS),
  })
  .meta({ id: 'ModelStatus' });
export const STATUS = z.strictObject({
  at: time,
  status: STATE.meta({ description: 'down: every model is. degraded: some channel is.' }),
  hours_from: time.meta({ description: 'When the first of the `hours` began.' }),
  models: z.array(MODEL_STATUS),
});

type State = z.infer<typeof STATE>;

export function statusRoutes(deps: StatusDeps): readonly Route[] {
  const doc = { summary: 'Status of each model on each channel', response: STATUS } as const;
  return [
    {
      method: 'GET',
      path: '/status.json',
      auth: deps.isPublic ? 'public' : 'key',
      dialect: 'both',
      doc: { ...doc, tag: 'service' },
      handle: async () => Response.json(statusBody(deps), { headers: CACHE }),
    },
    consoleRoute('GET /status', 'read_only', doc, async () =>
      Response.json(statusBody(deps), { headers: NO_STORE }),
    ),
  ];
}

function statusBody({ catalogue, health, clock }: StatusDeps): z.infer<typeof STATUS> {
  const nowMs = clock.nowMs();
  const models = [...catalogue().models.values()].map((model) => modelStatus(model, health));
  const channels = models.flatMap((model) => model.channels);
  const [{ hours } = { hours: [] }] = channels;
  const fromMs = nowMs - health.hourElapsedMs - Math.max(0, hours.length - 1) * HOUR_MS;
  const isDown = models.length > 0 && models.every(({ status }) => status === 'down');
  const isWhole = channels.every(({ status }) => status === 'healthy');
  return {
    at: isoTime(nowMs),
    status: isDown ? 'down' : isWhole ? 'healthy' : 'degraded',
    hours_from: isoTime(fromMs),
    models,
  };
}

function modelStatus(model: Model, health: StatusDeps['health']): z.infer<typeof MODEL_STATUS> {
  const channels = [...model.channels.values()].map((channel: Channel<Card>) => ({
    ...channelStatus(channel, health),
    default: channel.name === model.defaultChannel,
  }));
  const best = (['healthy', 'degraded'] as const).find((state) =>
    channels.some(({ status }) => status === state),
  );
  return { id: model.id, name: model.name, status: best ?? 'down', channels };
}

function channelStatus(channel: Channel<Card>, health: StatusDeps['health']) {
  const known = channelHealth(health, channel);
  // Without statistics no circuit breaker can be open, so the channel counts as operational.
  const status: State = known?.status ?? 'healthy';
  return {
    channel: channel.name,
    status,
    success_rate: thousandths(known?.successRatio ?? null),
    first_byte_ms: known?.firstByteMs ?? null,
    hours: channelHours(health, channel).map(thousandths),
  };
}
