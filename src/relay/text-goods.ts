/** Where a request may go and how it is said there: decided before any money is held. */
import type { ChatCard } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import type { PreparedRequest } from '../protocols/translator.ts';
import type { Destination } from '../routing/destination.ts';
import type { RouteHealth } from '../routing/health.ts';
import { planRoutes } from '../routing/route-plan.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { ChatOffer } from './admission.ts';
import { chance } from './chance.ts';
import type { TextEndpoint } from './text-endpoint.ts';

export type TextPlan = {
  /** In the order in which they are tried. The first can certainly be told what was asked. */
  readonly destinations: readonly Destination<ChatCard>[];
  /**
   * The request for one destination.
   * @throws GatewayError when its dialect cannot say it.
   */
  readonly prepared: (to: Destination<ChatCard>) => PreparedRequest;
};

export type TextPlanDeps = {
  readonly clock: Clock;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealth;
};

export type TextPlanAsk = {
  readonly endpoint: TextEndpoint;
  readonly offer: Pick<ChatOffer, 'model' | 'channels'>;
  readonly body: ScannedObject;
  readonly stream: boolean;
  readonly affinity: () => string | null;
};

/**
 * @throws GatewayError what `planRoutes` says when nobody can be asked; the translation's own 400 when
 *   nobody who can be asked speaks a dialect in which the request can be said.
 */
export function planText(deps: TextPlanDeps, ask: TextPlanAsk): TextPlan {
  const { endpoint, offer, body, stream } = ask;
  const known = new Map<string, PreparedRequest>();
  const prepared = (to: Destination<ChatCard>): PreparedRequest => {
    const before = known.get(to.format);
    if (before !== undefined) return before;
    const translator = endpoint.translators.get(to.format as TextFormat);
    if (translator === undefined)
      throw new Error(`no translator from ${endpoint.name} to ${to.format}`);
    const request = translator.prepare(body, offer.model, stream);
    known.set(to.format, request);
    return request;
  };
  const destinations = planRoutes({
    channels: offer.channels,
    upstreams: deps.upstreams(),
    formats: [...endpoint.translators.keys()],
    affinity: ask.affinity,
    health: deps.health,
    draw: () => chance(deps.clock),
  });
  return { destinations: sayable(destinations, prepared), prepared };
}

/** Passes over whoever is first as long as the request cannot be said to it. */
function sayable(
  destinations: readonly Destination<ChatCard>[],
  prepared: TextPlan['prepared'],
): readonly Destination<ChatCard>[] {
  const [first] = destinations;
  if (first === undefined) throw new Error('a plan without a destination');
  try {
    prepared(first);
    return destinations;
  } catch (thrown) {
    const rest = destinations.filter(({ format }) => format !== first.format);
    if (!(thrown instanceof GatewayError) || rest.length === 0) throw thrown;
    return sayable(rest, prepared);
  }
}
