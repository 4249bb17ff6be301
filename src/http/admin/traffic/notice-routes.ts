/** Routes for administrators to announce incidents and maintenance on the status page. */
import * as z from 'zod';
import { type Catalogue, CHANNELS } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import {
  type Affected,
  MAX_AFFECTED,
  MAX_TEXT,
  MAX_TITLE,
  NOTICE_KINDS,
  type Notice,
  noticeTag,
  SET_STATES,
} from '../../../reports/notices/notice.ts';
import type { Notices } from '../../../reports/notices/notices.ts';
import { NOTICE_FIELDS, noticeBody } from '../../caller/status/notice-body.ts';
import { CREATED, etag, tagged } from '../../edge/answer-schema.ts';
import { checked, id, text } from '../../edge/request-schema.ts';
import { IF_MATCH, ifMatchOf } from '../../edge/response-headers.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../../edge/route.ts';

const TIME = 'must be a time such as "2027-01-31T00:00:00Z"';
const moment = z.iso.datetime({ offset: true, error: TIME }).transform((time) => Date.parse(time));
const affected = z
  .strictObject({ model: id.optional(), channel: z.enum(CHANNELS).optional() })
  .refine(({ model, channel }) => model !== undefined || channel !== undefined, {
    error: 'must name a model, a channel or both',
  });
const affects = z
  .array(affected)
  .max(MAX_AFFECTED, { error: `must have at most ${MAX_AFFECTED} entries` })
  .meta({
    description:
      'The affected models, channels, or channels of a model. Empty: everything is affected.',
  });
const title = text(MAX_TITLE)
  .transform((line) => line.replaceAll(/\s+/g, ' '))
  .meta({ description: 'One line of plain text, shown to the public.' });
const words = text(MAX_TEXT).meta({ description: 'Plain text, shown to the public.' });
const state = z.enum(SET_STATES, { error: `must be one of ${SET_STATES.join(', ')}` });

const NEW_NOTICE = z.strictObject({
  kind: z.enum(NOTICE_KINDS, { error: `must be ${NOTICE_KINDS.join(' or ')}` }),
  title,
  text: words,
  state: state.optional().meta({
    description:
      'The state of an incident, `investigating` by default. The state of maintenance follows from its times.',
  }),
  affects: affects.optional(),
  starts_at: moment.optional().meta({
    description:
      'The start; by default now. The start of an incident must be in the past, and that of maintenance at most a year ahead.',
  }),
  ends_at: moment.optional().meta({
    description: 'The end. Required for maintenance, and for an incident that is resolved already.',
  }),
});

const NOTICE_EDIT = z.strictObject({
  title: title.optional(),
  text: words.optional().meta({ description: 'Replaces the text of the latest update.' }),
  affects: affects.optional(),
  starts_at: moment.optional(),
  ends_at: moment
    .optional()
    .meta({ description: 'When the maintenance ends, or when the resolved incident ended.' }),
});

const NEW_UPDATE = z.strictObject({
  text: words,
  state: state.optional().meta({
    description:
      'The new state; by default, the state does not change. A state other than `resolved` reopens a resolved incident. Maintenance accepts only `resolved`: this ends it, or cancels it before its start.',
  }),
});

export const ADMIN_NOTICE = z.strictObject({ ...NOTICE_FIELDS, etag }).meta({ id: 'AdminNotice' });
export const NOTICES = z.strictObject({ data: z.array(ADMIN_NOTICE) });
export const NOTICE_DELETED = z.strictObject({ id: z.string(), deleted: z.literal(true) });

export type NoticeDeps = {
  readonly notices: Pick<Notices, 'list' | 'get' | 'create' | 'edit' | 'update' | 'delete'>;
  readonly catalogue: () => Catalogue;
  readonly clock: Pick<Clock, 'nowMs'>;
};

type Handle = (deps: NoticeDeps, call: AdminCall) => Promise<Response>;

export function noticeRoutes(deps: NoticeDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  const response = ADMIN_NOTICE;
  return [
    route(
      'GET /notices',
      {
        summary: 'List the incidents and maintenance of the status page, latest first',
        response: NOTICES,
      },
      list,
    ),
    route('GET /notices/:id', { summary: 'Read an incident or maintenance', response }, get),
    route(
      'POST /notices',
      {
        summary: 'Publish an incident or planned maintenance on the status page',
        request: NEW_NOTICE,
        response,
        statuses: [CREATED],
      },
      create,
    ),
    route(
      'PATCH /notices/:id',
      {
        summary: 'Edit the notice of an incident or of maintenance',
        headers: IF_MATCH,
        request: NOTICE_EDIT,
        response,
      },
      edit,
    ),
    route(
      'POST /notices/:id/updates',
      {
        summary: 'Add an update to an incident or maintenance, or resolve it',
        request: NEW_UPDATE,
        response,
      },
      update,
    ),
    route(
      'DELETE /notices/:id',
      {
        summary: 'Remove an incident or maintenance from the status page',
        response: NOTICE_DELETED,
      },
      remove,
    ),
  ];
}

const bodyOf = (
  { catalogue, clock }: NoticeDeps,
  notice: Notice,
): z.infer<typeof ADMIN_NOTICE> => ({
  ...noticeBody(notice, catalogue(), clock.nowMs()),
  etag: noticeTag(notice),
});

const list: Handle = async (deps) =>
  Response.json({ data: (await deps.notices.list()).map((each) => bodyOf(deps, each)) });

const get: Handle = async (deps, call) => tagged(bodyOf(deps, await deps.notices.get(idOf(call))));

const create: Handle = async (deps, call) => {
  const asked = checked(NEW_NOTICE, await call.readJson());
  const wanted = {
    ...{ kind: asked.kind, title: asked.title, text: asked.text, state: asked.state ?? null },
    affects: affectsOf(deps, asked.affects ?? [], []),
    startsAtMs: asked.starts_at ?? null,
    endsAtMs: asked.ends_at ?? null,
  };
  const body = bodyOf(deps, await deps.notices.create(wanted, call.actor));
  return Response.json(body, { status: CREATED, headers: { etag: body.etag } });
};

const edit: Handle = async (deps, call) => {
  const asked = checked(NOTICE_EDIT, await call.readJson());
  const { affects: was } = await deps.notices.get(idOf(call));
  const change = {
    ...(asked.title === undefined ? {} : { title: asked.title }),
    ...(asked.text === undefined ? {} : { text: asked.text }),
    ...(asked.affects === undefined ? {} : { affects: affectsOf(deps, asked.affects, was) }),
    ...(asked.starts_at === undefined ? {} : { startsAtMs: asked.starts_at }),
    ...(asked.ends_at === undefined ? {} : { endsAtMs: asked.ends_at }),
  };
  const ifMatch = ifMatchOf(call.request);
  return tagged(bodyOf(deps, await deps.notices.edit(idOf(call), change, call.actor, ifMatch)));
};

const update: Handle = async (deps, call) => {
  const { text: said, state: next = null } = checked(NEW_UPDATE, await call.readJson());
  const change = { text: said, state: next };
  return tagged(bodyOf(deps, await deps.notices.update(idOf(call), change, call.actor)));
};

const remove: Handle = async ({ notices }, call) => {
  await notices.delete(idOf(call), call.actor);
  return Response.json({ id: idOf(call), deleted: true } satisfies z.infer<typeof NOTICE_DELETED>);
};

/**
 * Returns the models and channels that a notice affects, without duplicates.
 * @param was the models and channels that the notice affected before this change. A model that is
 *   no longer sold is accepted if it is among them.
 * @throws GatewayError `not_found` for another model that is not sold.
 */
function affectsOf(
  { catalogue }: NoticeDeps,
  asked: z.infer<typeof affects>,
  was: readonly Affected[],
): readonly Affected[] {
  const { models, all } = catalogue();
  const named = asked.map(({ model = null, channel = null }) => ({ model, channel }));
  for (const { model } of named) {
    if (model === null || models.has(model) || was.some((each) => each.model === model)) continue;
    const name = JSON.stringify(model.slice(0, 64));
    const message = all.has(model)
      ? `${name} is sold only on price lists. The status page is public and does not name it.`
      : `There is no model ${name}.`;
    throw new GatewayError('not_found', message, { param: 'affects' });
  }
  return named.filter((each, at) => named.findIndex((other) => Bun.deepEquals(each, other)) === at);
}
