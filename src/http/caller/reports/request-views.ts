/** Requests and their costs as the APIs show them. */
import * as z from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import type { AttemptRecord } from '../../../ledger/ledger.ts';
import { formatAmount, type NanoAmount, nano } from '../../../money/amount.ts';
import { type FxRate, formatFxRate, formatPico, formatTokenPrice } from '../../../money/price.ts';
import { FEE_UNITS } from '../../../money/served.ts';
import { BUCKET_COLUMNS, COLUMN_OF, perTokenField } from '../../../money/usage.ts';
import type { CostLine, RequestCost } from '../../../reports/request-cost.ts';
import type { LoggedRequest } from '../../../reports/request-log.ts';
import { amount, count, currency, millis, next, span, time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';
import { PROVIDER_ERRORS } from './refusals-report.ts';
import { MEASURES, OUTCOMES } from './report-query.ts';
import { viewsOf } from './report-view.ts';

const string = z.string();
const name = string.nullable();

const MEASURE = z.enum(MEASURES).nullable().meta({
  description:
    'How the tokens were counted: by the provider; by the provider, after the client disconnected and the gateway kept reading; or estimated from the text or from the generation time. Null for images.',
});

const { text, figure, summed, view } = viewsOf<LoggedRequest>();
/** The fields that callers see of their own requests. They never name an upstream. */
const OWN_FIELDS = {
  id: text(string, ({ requestId }) => requestId),
  at: figure(time.meta({ description: 'When the request was settled.' }), ({ settledAtMs }) =>
    isoTime(settledAtMs),
  ),
  started_at: figure(time, ({ startedAtMs }) => isoTime(startedAtMs)),
  endpoint: text(
    z.enum(['chat', 'messages', 'responses', 'images', 'embeddings']),
    ({ endpoint }) => endpoint,
  ),
  model: text(string, ({ model }) => model),
  channel_requested: text(name, ({ channelRequested }) => channelRequested),
  channel: text(string.meta({ examples: [...CHANNELS] }), ({ channel }) => channel),
  key_id: text(string, ({ keyId }) => keyId),
  outcome: text(z.enum(OUTCOMES), ({ outcome }) => outcome),
  error_code: text(name, ({ errorCode }) => errorCode),
  finish_reason: text(name, ({ finishReason }) => finishReason),
  streamed: text(z.boolean(), ({ streamed }) => streamed),
  estimated: text(
    z.boolean().meta({
      description:
        'Whether the gateway estimated the tokens, because the provider reported no counts.',
    }),
    ({ estimated }) => estimated,
  ),
  measure: text(MEASURE, ({ measure }) => measure),
  ...perTokenField(({ bucket }) => summed(count, ({ usage }) => usage[bucket])),
  images: summed(count, ({ images }) => images?.count ?? 0),
  image_price: text(name, ({ images }) => images?.priceKey ?? null),
  currency: text(currency, (request) => request.currency),
  cost: summed(amount.meta({ description: 'The charge for the request.' }), ({ charge }) =>
    formatAmount(charge),
  ),
  refunded: summed(amount, ({ refunded }) => formatAmount(refunded)),
  loss: summed(
    amount.meta({ description: 'The part of the price that the wallet could not pay.' }),
    ({ loss }) => formatAmount(loss),
  ),
  price_card: text(string, ({ cardId }) => cardId),
  price_list: text(name, ({ priceList }) => priceList),
  fx_rate: text(name, ({ fxRateId }) => fxRateId),
  first_byte_ms: figure(millis.nullable(), ({ firstByteMs }) => firstByteMs),
  duration_ms: figure(millis, ({ durationMs }) => durationMs),
};
export const REQUEST = view({ id: 'RequestRecord' }, OWN_FIELDS);
export const REQUEST_PAGE = z.strictObject({ data: z.array(REQUEST.schema), next, ...span });

const ATTEMPT = z
  .strictObject({
    channel: string,
    upstream: string,
    model: string,
    result: string.meta({
      description: 'The HTTP status of the answer, or the error code of the failure.',
    }),
    start_ms: millis.meta({
      description: 'Milliseconds from the admission of the request to the start of the attempt.',
    }),
    duration_ms: millis.meta({
      description: 'Milliseconds from the start of the attempt to the status line or the failure.',
    }),
  })
  .meta({ id: 'Attempt' });
const attemptBody = ({ startMs, durationMs, ...attempt }: AttemptRecord) => ({
  ...attempt,
  start_ms: startMs,
  duration_ms: durationMs,
});
/** An attempt as callers see it. It never names the upstream. */
const OWN_ATTEMPT = ATTEMPT.omit({ upstream: true, model: true }).meta({ id: 'OwnAttempt' });

export const ADMIN_REQUEST = view(
  { id: 'AdminRequestRecord' },
  {
    ...OWN_FIELDS,
    account_id: text(string, ({ accountId }) => accountId),
    upstream: text(string, ({ upstream }) => upstream),
    upstream_model: text(string, ({ upstreamModel }) => upstreamModel),
    attempts: text(z.array(ATTEMPT), ({ attempts }) => attempts.map(attemptBody)),
  },
);
export const ADMIN_REQUEST_PAGE = z.strictObject({
  data: z.array(ADMIN_REQUEST.schema),
  next,
  ...span,
});

export const HISTOGRAM = z
  .strictObject({
    data: z.array(z.strictObject({ at: time, requests: count, failed: count })),
    bucket: z.enum(['hour', 'day']).meta({
      description:
        'The length of a bucket: hours for a period of up to three days, otherwise days of `time_zone`.',
    }),
    ...span,
  })
  .meta({ id: 'RequestHistogram' });

const why = string.meta({
  description:
    'The conditions that the request met and under which this price applies; empty: the price has no conditions.',
  examples: ['tier: priority, prompt_over: 272000'],
});
const COST_LINE = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('tokens'),
      bucket: z.enum(BUCKET_COLUMNS),
      count,
      rate_per_1m: amount,
      cost: amount,
      why,
    }),
    z.strictObject({
      kind: z.literal('fee'),
      unit: z.enum(FEE_UNITS),
      count,
      fee: amount.meta({ description: 'The price of one use.' }),
      cost: amount,
      why,
    }),
    z.strictObject({
      kind: z.literal('images'),
      price_key: string,
      count,
      price_per_image: amount,
      cost: amount,
    }),
  ])
  .meta({
    id: 'CostLine',
    description:
      'One line of the cost: exactly the count times the price, in the currency of the price card.',
  });
const CONVERSION = z.strictObject({ id: string, from: currency, to: currency, rate: amount });

export const COST_DETAILS = z
  .strictObject({
    card: string,
    price_list: name,
    card_currency: currency,
    lines: z.array(COST_LINE),
    discounts: z.array(z.never()).max(0).meta({ description: 'Always empty.' }),
    assumed: z.array(string).meta({
      description:
        'Conditions whose value the provider did not report, each with the value that was assumed: the most expensive one.',
      examples: [['tier: priority']],
    }),
    unpriced: z.array(string).meta({
      description:
        'Properties of the answer, and tools that the provider ran, for which the price card has no price, such as `tier: ultrafast`.',
    }),
    cost_unrounded: amount.meta({ description: 'The sum of the lines.' }),
    conversion: CONVERSION.nullable(),
    rounding: string,
    currency,
    price: amount.meta({ description: 'The sum of the lines, converted and rounded once.' }),
    charge: amount,
    loss: amount,
    waived: amount.meta({
      description: 'The part of the price that was waived: `price` - `charge` - `loss`.',
    }),
    refunded: amount,
  })
  .meta({ id: 'CostDetails' });

export const ONE_REQUEST = z.strictObject({
  data: REQUEST.schema
    .extend({
      cost_details: COST_DETAILS,
      held: amount.nullable().meta({
        description:
          'The amount that was held. The part that was not charged was released. Null: unknown.',
      }),
      attempts: z.array(OWN_ATTEMPT).meta({
        description: 'The attempts in order. The last one served the request, if any did.',
      }),
    })
    .meta({ id: 'RequestDetails' }),
});
export const ONE_ADMIN_REQUEST = z.strictObject({
  data: ADMIN_REQUEST.schema
    .extend({
      cost_details: COST_DETAILS,
      provider_errors: PROVIDER_ERRORS,
      operator_cost: amount.nullable(),
      margin: amount.nullable(),
    })
    .meta({ id: 'AdminRequestDetails' }),
});

export const requestDetails = (
  request: LoggedRequest,
  cost: RequestCost,
  held: NanoAmount | null,
): z.infer<typeof ONE_REQUEST>['data'] => ({
  ...REQUEST.body(request),
  cost_details: costBody(request, cost),
  held: held === null ? null : formatAmount(held),
  attempts: request.attempts.map(({ channel, result, startMs, durationMs }) => ({
    channel,
    result,
    start_ms: startMs,
    duration_ms: durationMs,
  })),
});

/** Returns the cost line by line. `waived` is the part of the price that the gateway forgave. */
export function costBody(request: LoggedRequest, cost: RequestCost): z.infer<typeof COST_DETAILS> {
  const { rate } = cost;
  const waived = cost.price - request.charge - request.loss;
  return {
    card: request.cardId,
    price_list: request.priceList,
    card_currency: cost.currency,
    lines: cost.lines.map(lineBody),
    discounts: [],
    assumed: [...cost.assumed],
    unpriced: [...cost.unpriced],
    cost_unrounded: formatPico(cost.costPico),
    conversion: rate === null ? null : conversionBody(rate),
    rounding: 'half to even, once, to 0.000000001',
    currency: request.currency,
    price: formatAmount(cost.price),
    charge: formatAmount(request.charge),
    loss: formatAmount(request.loss),
    waived: formatAmount(nano(waived)),
    refunded: formatAmount(request.refunded),
  };
}

export const conversionBody = ({ id, base, quote, scaled }: FxRate) => ({
  id,
  from: base,
  to: quote,
  rate: formatFxRate(scaled),
});

function lineBody(line: CostLine) {
  const cost = formatPico(line.costPico);
  switch (line.kind) {
    case 'tokens':
      return {
        kind: line.kind,
        bucket: COLUMN_OF[line.bucket],
        count: line.count,
        rate_per_1m: formatTokenPrice(line.ratePico),
        cost,
        why: line.why,
      };
    case 'fee':
      return {
        kind: line.kind,
        unit: line.unit,
        count: line.count,
        fee: formatPico(line.ratePico),
        cost,
        why: line.why,
      };
    case 'images':
      return {
        kind: line.kind,
        price_key: line.priceKey,
        count: line.count,
        price_per_image: formatAmount(line.price),
        cost,
      };
  }
}
