/**
 * The public status of models and channels: now, by hour, by day, and the incidents of 90 days. It
 * names no providers.
 */
import * as z from 'zod';
import { type Catalogue, CHANNELS, type Model } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { concerns, isFailing, isOver, type Notice } from '../../../reports/notices/notice.ts';
import { type Figures, summaryOf } from '../../../routing/channel-figures.ts';
import type { HistorySnapshot } from '../../../telemetry/channel-history.ts';
import { NO_STORE, thousandths, time } from '../../edge/answer-schema.ts';
import { type Call, consoleRoute, type Route } from '../../edge/route.ts';
import { isoTime } from '../account-body.ts';
import { HEALTH_FIELDS, type HealthOf, healthBody, ratio, tenths } from '../channel-health-body.ts';
import { CHANNEL_NAME, INCIDENT, incidentFeed, MODEL_ID, MODEL_NAME } from './incident-feed.ts';
import { NOTICE, noticeBody, publicNotices } from './notice-body.ts';

export type StatusDeps = {
  readonly catalogue: () => Catalogue;
  readonly history: () => Promise<HistorySnapshot>;
  /** Returns the operator's notices, latest first. */
  readonly notices: () => Promise<readonly Notice[]>;
  readonly healthOf: (history: HistorySnapshot) => HealthOf;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** The public name of the operator's site. */
  readonly siteName: () => string;
  readonly publicUrl: string;
  /** Whether the status can be read without a key; signed-in people can always read it. */
  readonly isPublic: () => boolean;
};

/** How long caches may keep answers. The counts are read from the store once a minute. */
const CACHE_SECONDS = 10;
const DAYS_CACHE_SECONDS = 60;
const NOW = time.meta({ description: 'When the status was determined.' });
const CHANNEL_STATUS = z
  .strictObject({
    channel: CHANNEL_NAME,
    default: z
      .boolean()
      .meta({ description: 'Whether requests that name no channel use this one.' }),
    ...HEALTH_FIELDS(),
    hours: z.array(ratio()).meta({
      description:
        'Success rate of each of the last 24 hours, oldest first. The last entry is the current hour.',
    }),
  })
  .meta({ id: 'ChannelStatus' });
const STATE = HEALTH_FIELDS().status;
const MODEL_STATUS = z
  .strictObject({
    id: MODEL_ID,
    name: MODEL_NAME,
    status: STATE.meta({
      description:
        'The best status among the channels of the model, because callers can choose any of them.',
    }),
    channels: z.array(CHANNEL_STATUS).meta({ description: 'The channels of the model.' }),
  })
  .meta({ id: 'ModelStatus' });
export const STATUS = z.strictObject({
  at: NOW,
  status: STATE.meta({
    description:
      'down: every model is down. degraded: some channel is degraded or down, or an incident is being investigated or is identified. unknown: no channel has data.',
  }),
  notices: z.array(NOTICE).meta({
    description: 'Open incidents, and maintenance that is planned or in progress.',
  }),
  hours_from: time.meta({ description: 'When the first of the `hours` began.' }),
  models: z.array(MODEL_STATUS).meta({ description: 'All models.' }),
});

const CHANNEL_HISTORY = z
  .strictObject({
    channel: CHANNEL_NAME,
    days: z.array(ratio()).meta({ description: 'Success rate of each day, oldest first.' }),
    first_token_ms: z.array(z.int().nullable()).optional().meta({
      description:
        'For each day, the median time to the first token, in milliseconds. Present only if the query has `model`.',
    }),
    tokens_per_second: z.array(z.number().nullable()).optional().meta({
      description:
        'For each day, the output tokens per second. Present only if the query has `model`.',
    }),
  })
  .meta({ id: 'ChannelHistory' });
export const STATUS_HISTORY = z.strictObject({
  at: NOW,
  days_from: time.meta({ description: 'The first of the 90 days (UTC).' }),
  models: z
    .array(
      z.strictObject({
        id: MODEL_ID,
        channels: z.array(CHANNEL_HISTORY).meta({ description: 'The channels of the model.' }),
      }),
    )
    .meta({ description: 'All models, or only the model that `model` names.' }),
  incidents: z
    .array(INCIDENT)
    .meta({ description: 'The incidents of the last 90 days, latest first.' }),
  notices: z.array(NOTICE).meta({
    description: 'All incidents and maintenance of the last 90 days, latest first.',
  }),
});

export function statusRoutes(deps: StatusDeps): readonly Route[] {
  const now = {
    summary: 'Read the status of each model on each channel',
    response: STATUS,
  } as const;
  const days = {
    summary: 'Read the daily success rates of each channel, and all incidents, of the last 90 days',
    query: {
      properties: {
        model: { type: 'string', description: 'Only this model, with its speed by day.' },
      },
    },
    response: STATUS_HISTORY,
  } as const;
  const open = (
    path: string,
    doc: Route['doc'],
    handle: (call: Call) => Promise<Response>,
  ): Route => ({
    ...{ method: 'GET', path, auth: 'key', scope: 'any', dialect: 'both', doc, handle },
    isOpen: deps.isPublic,
  });
  const modelOf = ({ url }: Pick<Call, 'url'>) => url.searchParams.get('model');
  // While the status needs a key, a shared cache must not serve it to others.
  const keptFor = (seconds: number) =>
    deps.isPublic() ? { 'cache-control': `public, max-age=${seconds}` } : NO_STORE;
  return [
    open('/status.json', { ...now, tag: 'service' }, async () =>
      Response.json(await statusBody(deps), { headers: keptFor(CACHE_SECONDS) }),
    ),
    open('/status/history.json', { ...days, tag: 'service' }, async (call) =>
      Response.json(await historyBody(deps, modelOf(call)), {
        headers: keptFor(DAYS_CACHE_SECONDS),
      }),
    ),
    open(
      '/status/incidents.atom',
      {
        summary: 'Read the incidents of the last 90 days as an Atom feed',
        tag: 'service',
        mediaTypes: ['application/atom+xml'],
      },
      async () => {
        const { incidents, notices } = await historyBody(deps, null);
        const feed = incidentFeed(
          { incidents, notices },
          { name: deps.siteName(), publicUrl: deps.publicUrl },
          deps.clock.nowMs(),
        );
        feed.headers.set('cache-control', keptFor(DAYS_CACHE_SECONDS)['cache-control']);
        return feed;
      },
    ),
    consoleRoute('GET /status', 'read_only', now, async () =>
      Response.json(await statusBody(deps), { headers: NO_STORE }),
    ),
    consoleRoute('GET /status/history', 'read_only', days, async (call) =>
      Response.json(await historyBody(deps, modelOf(call)), { headers: NO_STORE }),
    ),
  ];
}

async function statusBody(deps: StatusDeps): Promise<z.infer<typeof STATUS>> {
  const [history, notices] = await Promise.all([deps.history(), deps.notices()]);
  const written = publicNotices(notices, deps.catalogue());
  const healthOf = deps.healthOf(history);
  const models = [...deps.catalogue().models.values()].map((model) =>
    modelStatus(model, healthOf, history),
  );
  const channels = models.flatMap((model) => model.channels);
  const isDown = models.length > 0 && models.every(({ status }) => status === 'down');
  const nowMs = deps.clock.nowMs();
  const isImpaired =
    channels.some(({ status }) => status === 'degraded' || status === 'down') ||
    written.some((notice) => isFailing(notice, nowMs));
  const isKnown = channels.some(({ status }) => status === 'healthy');
  return {
    at: isoTime(nowMs),
    status: isDown ? 'down' : isImpaired ? 'degraded' : isKnown ? 'healthy' : 'unknown',
    notices: written
      .filter((notice) => !isOver(notice, nowMs))
      .map((notice) => noticeBody(notice, deps.catalogue(), nowMs)),
    hours_from: isoTime(history.hoursFromMs),
    models,
  };
}

function modelStatus(
  model: Model,
  healthOf: HealthOf,
  history: HistorySnapshot,
): z.infer<typeof MODEL_STATUS> {
  const channels = [...model.channels.values()].map((channel) => ({
    channel: channel.name,
    default: channel.name === model.defaultChannel,
    ...healthBody(healthOf(model, channel)),
    hours: history.of(model.id, channel.name).hours.map(ratioOf),
  }));
  const best = (['healthy', 'unknown', 'degraded'] as const).find((state) =>
    channels.some(({ status }) => status === state),
  );
  return { id: model.id, name: model.name, status: best ?? 'down', channels };
}

async function historyBody(
  { catalogue, history, notices, clock }: StatusDeps,
  only: string | null,
): Promise<z.infer<typeof STATUS_HISTORY>> {
  const current = catalogue();
  const { models } = current;
  const [{ of, incidents, daysFromMs }, all] = await Promise.all([history(), notices()]);
  const written = publicNotices(all, current);
  const nowMs = clock.nowMs();
  const asked = [...models.values()].filter(({ id }) => only === null || id === only);
  return {
    at: isoTime(nowMs),
    days_from: isoTime(daysFromMs),
    models: asked.map(({ id, channels }) => ({
      id,
      channels: [...channels.keys()].map((channel) => ({
        channel,
        days: of(id, channel).days.map(ratioOf),
        ...(only === null ? {} : speedOf(of(id, channel).days)),
      })),
    })),
    incidents: incidents.flatMap(({ model: id, channel, ...incident }) => {
      const model = asked.find((each) => each.id === id);
      const sold = CHANNELS.find((name) => name === channel && model?.channels.has(name));
      if (model === undefined || sold === undefined) return [];
      return [
        {
          model: id,
          name: model.name,
          channel: sold,
          from: isoTime(incident.fromMs),
          until: isoTime(incident.untilMs),
          ongoing: incident.isOngoing,
          success_rate: thousandths(incident.successRatio) ?? 0,
        },
      ];
    }),
    notices: written
      .filter((notice) => only === null || concerns(notice, only))
      .map((notice) => noticeBody(notice, current, nowMs)),
  };
}

const ratioOf = (figures: Figures): number | null =>
  thousandths(summaryOf(figures)?.successRatio ?? null);

const speedOf = (days: readonly Figures[]) => ({
  first_token_ms: days.map((day) => summaryOf(day)?.firstTokenMs?.p50 ?? null),
  tokens_per_second: days.map((day) => tenths(summaryOf(day)?.tokensPerSecond ?? null)),
});
