/**
 * Decides for one destination, which is a route with its upstream and channel, which fields of a
 * text request are sent, left out or refused.
 */
import type { Channel, TokenCard } from '../catalogue/catalogue.ts';
import type { ScannedObject } from '../json/scan.ts';
import { withToolLimits } from '../protocols/chat/tool-limits.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import { withMaxUses } from '../protocols/messages/max-uses.ts';
import type { Quirks } from '../protocols/quirks.ts';
import {
  type FieldList,
  type FieldPlan,
  NO_PLAN,
  passes,
  planFields,
} from '../protocols/request-fields.ts';
import { withMaxToolCalls } from '../protocols/responses/max-tool-calls.ts';
import type { Destination } from '../routing/route-plan.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { refuseUnsold, type TextRequest } from './admission.ts';

export type SentAsk = {
  readonly body: ScannedObject;
  readonly endpoint: TextFormat;
  readonly request: Pick<TextRequest, 'claims' | 'extras'>;
  readonly hasImages: boolean;
  readonly modelId: string;
  readonly accountId: string;
  readonly estimatedInput: number;
};

/** The properties of a destination that decide which fields are sent to it. */
export type FieldsTo = Pick<Destination<TokenCard>, 'format' | 'isTranslated'> & {
  readonly quirks: Pick<Quirks, 'drop' | 'autoCache'>;
  readonly upstream: Pick<Upstream, 'fields'>;
  readonly channel: Pick<Channel<TokenCard>, 'card'>;
};

/**
 * Returns the plan of the fields that a destination gets.
 * @throws GatewayError for a field that has no price on the price card, or that is never sent.
 */
export function sentFields(to: FieldsTo, ask: SentAsk): FieldPlan {
  const { body, endpoint, request, hasImages, modelId, accountId } = ask;
  const { isTranslated } = to;
  const { fields } = to.upstream;
  const { card } = to.channel;
  const target = fields.lists[to.format as TextFormat];
  const imageDetail = hasImages ? fields.imageDetail : null;
  const isPlain = !isTranslated && imageDetail === null && target.written.length === 0;
  const judged =
    isPlain && areSentUnchanged(ask, fields.lists[endpoint])
      ? NO_PLAN
      : planFields({
          body,
          claims: request.claims,
          list: (isTranslated ? PLAIN_FIELDS : fields).lists[endpoint],
          written: target.written,
          target: target.rules,
          pass: fields.pass,
          imageDetail,
          isTranslated,
          card: { model: modelId, terms: card.terms },
          accountId,
        });
  const { drop, autoCache } = to.quirks;
  const kept = drop.length === 0 ? judged : withoutDropped(judged, drop);
  const marksCache = isTranslated && to.format === 'messages' && autoCache && cachingPays(card);
  const plan = marksCache ? { ...kept, marksCache } : kept;
  refuseUnsold(card, plan.requested, ask.estimatedInput);
  const { serverTools } = request.extras;
  const { limits } = card.terms;
  // A translated request needs no tool limits: the translators refuse the provider's tools.
  if (serverTools.length === 0 || isTranslated) return plan;
  if (endpoint === 'messages') return withMaxUses(plan, body, serverTools, limits);
  if (endpoint === 'responses') return withMaxToolCalls(plan, body, serverTools, limits);
  if (passes(fields.pass, 'tools')) return plan;
  return withToolLimits(plan, body, serverTools, fields.limitedTools, limits);
}

/**
 * Whether every field of the body may be sent unchanged, so that no plan is needed. This is usual.
 */
function areSentUnchanged({ body, request }: SentAsk, { rules }: FieldList): boolean {
  if (request.claims.length > 0) return false;
  for (const name of body.members.keys()) {
    const kind = rules.get(name)?.class;
    if (kind !== 'free' && kind !== 'bounded') return false;
  }
  return true;
}

/**
 * Whether writing a prompt to the cache and reading it once costs less than sending it twice
 * without the cache, at every price of the price card. False if the price card has no price for
 * cache reads or for cache writes, because the operator would then pay for them.
 */
function cachingPays({ listed, terms }: TokenCard): boolean {
  if (listed.cache_write === null || listed.cache_read === null) return false;
  return terms.rows.every(
    ({ rates }) => rates === null || rates.cacheWrite5m + rates.cacheRead < 2n * rates.input,
  );
}

/**
 * The request field that sets each fact. A fact is a property of the request that selects price
 * rows, such as the service tier.
 */
const FACT_FIELDS = { tier: 'service_tier', speed: 'speed', geo: 'inference_geo' } as const;

/**
 * Clears the requested properties, such as the service tier, whose field is in `drop`, because the
 * provider never gets that field.
 */
function withoutDropped(plan: FieldPlan, drop: readonly string[]): FieldPlan {
  const requested = { ...plan.requested };
  for (const name of ['tier', 'speed', 'geo'] as const) {
    if (drop.includes(FACT_FIELDS[name])) requested[name] = null;
  }
  return { ...plan, requested };
}
