/**
 * The route that drains, disables and enables upstreams and routes, and reports which channels have
 * no route in service afterwards.
 */
import * as z from 'zod';
import { type Catalogue, CHANNELS } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import {
  OUT_STATES,
  type RouteScope,
  type RouteState,
  type RouteStates,
} from '../../../routing/route-states.ts';
import { isoTime } from '../../caller/account-body.ts';
import { time } from '../../edge/answer-schema.ts';
import { checked, isStorable } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';

/**
 * Maximum seconds after which drained or disabled routes are enabled automatically. For a longer
 * time, an operator changes the settings instead.
 */
const MAX_SECONDS = 30 * 86_400;
const MAX_REASON_CHARACTERS = 200;

const ASKED = z.strictObject({
  state: z.enum(['enabled', ...OUT_STATES]).meta({
    description:
      'drained: the routes get no new requests, and running requests finish. disabled: running requests are ended too; a request whose answer has not begun tries another route. enabled: the routes are in service.',
  }),
  model: z.string().min(1).max(200).optional().meta({
    description: "The upstream's name for the model; without it, all routes of the upstream.",
  }),
  for_seconds: z.int().min(1).max(MAX_SECONDS).optional().meta({
    description:
      'Seconds after which the routes return to service by themselves; without it, they stay out of service until someone enables them.',
  }),
  reason: z
    .string()
    .max(MAX_REASON_CHARACTERS)
    .refine(isStorable, 'must be well-formed text without NUL characters')
    .optional(),
  confirm: z.boolean().optional().meta({
    description: 'Must be true if the change stops a channel (see `stops`).',
  }),
  dry_run: z
    .boolean()
    .optional()
    .meta({ description: 'true: only reports which channels would stop, and changes nothing.' }),
});
type Asked = z.infer<typeof ASKED>;

const STOPPED = z
  .strictObject({
    model: z.string(),
    channel: z.enum(CHANNELS),
    fallback: z.enum(CHANNELS).nullable().meta({
      description:
        'The default channel of the model. If the caller allows fallbacks, it serves the requests of the stopped channel, at the price of the default channel. Null: the requests are refused with 503.',
    }),
  })
  .meta({ id: 'StoppedChannel' });

export const ROUTE_STATE = z
  .strictObject({
    upstream: z.string(),
    model: z.string().nullable().meta({
      description: "The upstream's name for the model; null: all routes of the upstream.",
    }),
    state: z.enum(['enabled', ...OUT_STATES]),
    return_at: time.nullable().meta({
      description:
        'When the routes return to service by themselves; null: not until someone enables them.',
    }),
    stops: z.array(STOPPED).meta({
      description: 'The channels that lose their last route in service.',
    }),
  })
  .meta({ id: 'RouteStateChange' });
type Body = z.infer<typeof ROUTE_STATE>;

export const OUT_OF_SERVICE = z
  .strictObject({
    state: z.enum(OUT_STATES),
    whole_upstream: z.boolean().meta({
      description: 'Whether the state applies to the whole upstream, and so to all of its routes.',
    }),
    return_at: time.nullable().meta({
      description:
        'When the routes return to service by themselves; null: not until someone enables them.',
    }),
    reason: z.string(),
    at: time,
    by: z.string().meta({ description: '`admin`, or the id of a person.' }),
    by_name: z.string().nullable(),
  })
  .meta({ id: 'OutOfService' });

export const outOfServiceBody = (state: RouteState): z.infer<typeof OUT_OF_SERVICE> => ({
  state: state.state,
  whole_upstream: state.model === null,
  return_at: isoTime(state.returnAtMs),
  reason: state.reason,
  at: isoTime(state.setAtMs),
  by: state.setBy,
  by_name: state.setByName,
});

export type RouteStateDeps = {
  readonly states: Pick<RouteStates, 'of' | 'after' | 'takeOut' | 'enable'>;
  readonly catalogue: () => Catalogue;
  readonly upstreams: () => Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const routeStateRoutes = (deps: RouteStateDeps): readonly Route[] => [
  adminRoute(
    'POST /upstreams/:name/state',
    {
      summary: 'Drain, disable or enable an upstream or one of its routes, on all nodes',
      request: ASKED,
      response: ROUTE_STATE,
    },
    (call) => change(deps, call),
  ),
];

async function change(deps: RouteStateDeps, call: AdminCall): Promise<Response> {
  const upstream = call.params['name'] ?? '';
  const asked = checked(ASKED, await call.readJson());
  const scope = { upstream, model: asked.model ?? null };
  requireKnown(deps, scope);
  const returnAtMs =
    asked.for_seconds === undefined ? null : deps.clock.nowMs() + asked.for_seconds * 1000;
  const stops = stoppedBy(deps, scope, asked.state);
  const body: Body = { ...scope, state: asked.state, return_at: isoTime(returnAtMs), stops };
  if (asked.dry_run !== true) await carryOut(deps, { asked, scope, returnAtMs, stops }, call.actor);
  return Response.json(body);
}

type Wanted = {
  readonly asked: Asked;
  readonly scope: RouteScope;
  readonly returnAtMs: number | null;
  readonly stops: Body['stops'];
};

async function carryOut(
  { states }: RouteStateDeps,
  { asked: { state, reason = '', confirm }, scope, returnAtMs, stops }: Wanted,
  actor: string,
): Promise<void> {
  if (state === 'enabled') {
    const other = scope.model === null ? null : states.of({ ...scope, model: null });
    if (other !== null) throw wholeIsOut(other);
    await states.enable(scope, actor);
    return;
  }
  if (stops.length > 0 && confirm !== true) throw notConfirmed(stops);
  await states.takeOut({ ...scope, state, returnAtMs, reason: reason.trim() }, actor);
}

/** Refuses an upstream or a route that is not configured. @throws GatewayError `not_found` */
function requireKnown({ upstreams, catalogue, states }: RouteStateDeps, scope: RouteScope): void {
  const known = upstreams();
  const name = JSON.stringify(scope.upstream.slice(0, 64));
  // An upstream that was removed from the configuration may still have a stored state, which an
  // operator must be able to remove.
  if (states.of(scope) !== null) return;
  if (!known.has(scope.upstream)) {
    const message = `There is no upstream ${name}. Known upstreams: ${[...known.keys()].join(', ')}.`;
    throw new GatewayError('not_found', message, { param: 'name' });
  }
  const { upstream, model } = scope;
  if (model === null) return;
  for (const { routes } of channelsOf(catalogue())) {
    if (routes.some((route) => route.upstream === upstream && route.model === model)) return;
  }
  const message = `No channel has a route to ${JSON.stringify(model.slice(0, 64))} at ${name}. GET /admin/v1/routes lists the routes.`;
  throw new GatewayError('not_found', message, { param: 'model' });
}

function* channelsOf({ models }: Catalogue) {
  for (const model of models.values()) {
    for (const { name, routes } of model.channels.values()) yield { model, name, routes };
  }
}

/** Returns the channels that have a route in service now, but would have none after the change. */
function stoppedBy(
  { states, catalogue }: RouteStateDeps,
  scope: RouteScope,
  state: Asked['state'],
): Body['stops'] {
  if (state === 'enabled') return [];
  const isOut = states.after(scope, state);
  return [...channelsOf(catalogue())].flatMap(({ model, name, routes }) => {
    if (routes.every((route) => states.of(route) !== null) || !routes.every(isOut)) return [];
    const main = model.channels.get(model.defaultChannel);
    const isServed = main !== undefined && main.name !== name && !main.routes.every(isOut);
    return [{ model: model.id, channel: name, fallback: isServed ? main.name : null }];
  });
}

/** Maximum number of channels that a message names. */
const MAX_NAMED = 10;

function notConfirmed(stops: Body['stops']): GatewayError {
  const named = stops.slice(0, MAX_NAMED).map(({ model, channel, fallback }) => {
    const then = fallback === null ? 'requests are refused' : `requests go to ${fallback}`;
    return `${model} on ${channel} (${then})`;
  });
  const more = stops.length > MAX_NAMED ? ` and ${stops.length - MAX_NAMED} more` : '';
  return new GatewayError(
    'confirmation_required',
    `No route would be left for ${named.join(', ')}${more}. To do it anyway, send \`confirm: true\`, or add --confirm on the command line.`,
    { param: 'confirm' },
  );
}

const wholeIsOut = ({ upstream, state }: RouteState): GatewayError =>
  new GatewayError(
    'conflict',
    `All routes of ${upstream} are ${state}. Enable the upstream; routes that have a state of their own keep it.`,
    { param: 'model' },
  );
