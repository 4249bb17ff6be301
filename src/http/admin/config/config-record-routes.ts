/** Routes of single records of the settings: upstreams, models, price lists, rates and sections. */
import * as z from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import { type Document, SECTIONS } from '../../../config/document/document.ts';
import { withoutOldNotes } from '../../../config/document/document-prices.ts';
import { withoutSecrets } from '../../../config/document/document-secrets.ts';
import { patched, withValue } from '../../../config/document/edits.ts';
import { withoutGoneInLists, withoutRoutes } from '../../../config/document/without-routes.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { GatewayError } from '../../../errors.ts';
import { checked, text } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Doc, idOf, type Route } from '../../edge/route.ts';
import { answerChange, type ConfigDeps, headersAt, type Read, readNewest } from './config-calls.ts';
import { ALL_RECORDS, NEW_RECORD, ONE_RECORD } from './config-schemas.ts';

type Kind = {
  readonly path: 'upstreams' | 'models' | 'price-lists' | 'rates' | 'settings';
  readonly one: string;
  readonly many: string;
  readonly removes: string;
  /** The section that contains the records; null if each record is itself a section. */
  readonly section: string | null;
};

const UPSTREAMS: Kind = {
  path: 'upstreams',
  one: 'an upstream',
  many: 'Upstreams',
  removes: 'Remove an upstream that no route uses',
  section: 'upstreams',
};

const KINDS: readonly Kind[] = [
  UPSTREAMS,
  {
    path: 'models',
    one: 'a model with its channels, routes and prices',
    many: 'List models with their channels, routes and prices',
    removes: 'Retire a model; its receipts, price cards and revisions stay',
    section: 'models',
  },
  {
    path: 'price-lists',
    one: 'a price list: its factor, its own prices, and the models for its accounts',
    many: 'List price lists',
    removes: 'Remove a price list that no account uses',
    section: 'price_lists',
  },
  {
    path: 'rates',
    one: 'an exchange rate, such as `USD%2FCNY`',
    many: 'List exchange rates',
    removes: 'Remove an exchange rate',
    section: 'fx',
  },
  {
    path: 'settings',
    one: 'a section of the settings, such as `limits`',
    many: 'List the sections of the settings, other than upstreams, models, price lists and rates',
    removes: 'Reset a section of the settings to its defaults',
    section: null,
  },
];

/** The sections whose records have their own routes. */
const OWN_KINDS = KINDS.map(({ section }) => section);
const OTHER_SECTIONS = SECTIONS.filter((name) => !OWN_KINDS.includes(name));

type ChangeDoc = Pick<Doc, 'query' | 'headers' | 'response'>;

export const configRecordRoutes = (deps: ConfigDeps, change: ChangeDoc): readonly Route[] => [
  ...KINDS.flatMap((kind) => routesOf(deps, kind, change)),
  adminRoute(
    'POST /config/upstreams/:id/remove',
    {
      summary: 'Remove an upstream with its routes, or some of its routes',
      request: REMOVAL,
      ...change,
    },
    (call) => remove(deps, call),
  ),
];

const MAX_NAME_CHARS = 200;
const REMOVAL = z.strictObject({
  model: text(MAX_NAME_CHARS).optional().meta({
    description:
      'Removes only the routes of this model. If no field is sent, all routes and the upstream itself are removed. A channel that loses its last route is also removed, and so is a model that loses its last channel.',
  }),
  channel: z
    .enum(CHANNELS, { error: `must be one of ${CHANNELS.join(', ')}` })
    .optional()
    .meta({ description: 'Removes only the routes of this channel.' }),
  upstream_model: text(MAX_NAME_CHARS).optional().meta({
    description: 'Removes only the routes to the model that has this name at the upstream.',
  }),
});

async function remove(deps: ConfigDeps, call: AdminCall): Promise<Response> {
  const { model, channel, upstream_model: there } = checked(REMOVAL, await call.readJson());
  const id = idOf(call);
  const isWhole = model === undefined && channel === undefined && there === undefined;
  return await answerChange(deps, call, (document) => {
    if (valueAt(document, ['upstreams', id]) === undefined) throw notFound(UPSTREAMS, id);
    const after = withoutRoutes(
      document,
      (route) =>
        route.upstream === id &&
        (model ?? route.model) === route.model &&
        (channel ?? route.channel) === route.channel &&
        (there ?? route.upstreamModel) === route.upstreamModel,
    );
    const left = isWhole ? withValue(after, ['upstreams', id], undefined) : after;
    return withoutGoneInLists(left);
  });
}

function routesOf(deps: ConfigDeps, kind: Kind, change: ChangeDoc): readonly Route[] {
  const { path, one, many, removes } = kind;
  return [
    adminRoute(`GET /config/${path}`, { summary: many, response: ALL_RECORDS }, async () => {
      const read = await readNewest(deps);
      const shown = withoutSecrets(read.document);
      const data = idsOf(kind, shown).map((id) => ({ id, value: valueAt(shown, at(kind, id)) }));
      return answer(read, { data });
    }),
    adminRoute(
      `GET /config/${path}/:id`,
      { summary: `Read ${one}`, response: ONE_RECORD },
      async (call) => {
        const read = await readNewest(deps);
        const id = idOf(call);
        const value = valueAt(withoutSecrets(read.document), at(kind, requireKnown(kind, id)));
        if (value === undefined) throw notFound(kind, id);
        return answer(read, { id, value });
      },
    ),
    adminRoute(
      `PUT /config/${path}/:id`,
      { summary: `Create or replace ${one}`, request: NEW_RECORD, ...change },
      async (call) => {
        const { value } = await recordIn(call);
        return await edit(deps, kind, call, () => value);
      },
    ),
    adminRoute(
      `PATCH /config/${path}/:id`,
      { summary: `Change ${one}, by a JSON merge patch`, request: NEW_RECORD, ...change },
      async (call) => {
        const { value: patch } = await recordIn(call);
        const path = at(kind, requireKnown(kind, idOf(call)));
        return await answerChange(deps, call, (document) => {
          const before = valueAt(document, path);
          // A patch can create a section. It cannot create a record, because a record needs all its
          // fields.
          if (before === undefined && kind.section !== null) throw notFound(kind, idOf(call));
          const after = withValue(document, path, patched(before, patch));
          return withoutOldNotes(document, after, withValue({}, path, patch));
        });
      },
    ),
    adminRoute(`DELETE /config/${path}/:id`, { summary: removes, ...change }, (call) =>
      edit(deps, kind, call, (before) => {
        if (before === undefined) throw notFound(kind, idOf(call));
        return undefined;
      }),
    ),
  ];
}

const recordIn = async (call: AdminCall) => checked(NEW_RECORD, await call.readJson());

const edit = (
  deps: ConfigDeps,
  kind: Kind,
  call: AdminCall,
  change: (before: unknown) => unknown,
): Promise<Response> => {
  const path = at(kind, requireKnown(kind, idOf(call)));
  return answerChange(deps, call, (document) => {
    const value = change(valueAt(document, path));
    const after = withValue(document, path, value);
    return kind.section === 'models' && value === undefined ? withoutGoneInLists(after) : after;
  });
};

const at = ({ section }: Kind, id: string): readonly string[] =>
  section === null ? [id] : [section, id];

const idsOf = ({ section }: Kind, document: Document): readonly string[] =>
  section === null
    ? OTHER_SECTIONS.filter((name) => name in document)
    : Object.keys(Object(document[section]));

function requireKnown({ section }: Kind, id: string): string {
  if (section !== null || OTHER_SECTIONS.includes(id)) return id;
  const known = OTHER_SECTIONS.join(', ');
  throw new GatewayError(
    'not_found',
    `There is no section ${id.slice(0, 64)} here. The sections are ${known}. The settings that a node needs to start are in its file.`,
    { param: 'id' },
  );
}

const notFound = ({ section, path }: Kind, id: string): GatewayError =>
  new GatewayError(
    'not_found',
    section === null
      ? `The configuration does not contain ${id}, so its defaults are in force. PUT adds it.`
      : `There is no ${id.slice(0, 128)} in ${path}.`,
    { param: 'id' },
  );

const answer = ({ revision }: Read, body: object): Response =>
  Response.json({ revision, ...body }, { headers: headersAt(revision) });
