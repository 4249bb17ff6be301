/**
 * Routes that list settings with the types and bounds that an input form needs. One route lists the
 * settings of the configuration, without the sections that have forms of their own, such as
 * `models`. The others list the settings of one upstream or one model.
 */
import * as z from 'zod';
import { isFixed, needsRestart } from '../../../catalogue/live-catalogue.ts';
import type { Document } from '../../../config/document/document.ts';
import { withoutSecrets } from '../../../config/document/document-secrets.ts';
import {
  FIELD_TYPES,
  type RecordSection,
  recordFields,
  type SettingField,
  settingFields,
} from '../../../config/document/setting-fields.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { GatewayError } from '../../../errors.ts';
import { adminRoute, idOf, type Route } from '../../edge/route.ts';
import { type ConfigDeps, headersAt, readNewest } from './config-calls.ts';
import { revisionNumber } from './config-schemas.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const fieldValue = z.union([scalar, z.array(z.string())]).nullable();
const bound = z.string().nullable();

const FIELD = z
  .strictObject({
    keys: z.array(z.string()).meta({
      description: 'The path in the configuration as a list of keys, such as `limits`, `drain`.',
    }),
    type: z.enum(FIELD_TYPES).meta({ description: 'The type of the value.' }),
    value: fieldValue.meta({
      description:
        'The value in the configuration; a map is JSON, and a secret is `***`. Null: the configuration does not set it.',
    }),
    default: fieldValue.meta({
      description: 'The default: the value in force if `value` is null. Null: there is no default.',
    }),
    minimum: bound.meta({
      description:
        'The smallest allowed value, in the notation of the configuration. Null: no limit.',
    }),
    maximum: bound.meta({
      description:
        'The largest allowed value, in the notation of the configuration. Null: no limit.',
    }),
    choices: z.array(z.string()).meta({
      description:
        'The allowed values of a setting of the type `choice`, or of the entries of a `list`.',
    }),
    required: z
      .boolean()
      .meta({ description: 'Whether the configuration is refused without this setting.' }),
    only_if: z
      .strictObject({ keys: z.array(z.string()), value: z.string() })
      .nullable()
      .meta({
        description:
          'The setting exists only while another setting, at the path `keys`, has this `value`. Null: it always exists.',
      }),
    needs_restart: z
      .boolean()
      .meta({ description: 'Whether nodes read the setting only when they start.' }),
    awaits_restart: z.boolean().meta({
      description:
        'Whether this node still has the earlier value, because the setting was changed after the node started.',
    }),
  })
  .meta({ id: 'SettingField' });
const FIELDS = z.strictObject({
  mode: z.enum(['file', 'database']).meta({ description: 'Where the settings are kept.' }),
  file: z.string().meta({ description: 'The configuration file of this node.' }),
  revision: revisionNumber.nullable().meta({
    description: 'The newest revision, as in `ETag`; null if the settings are in the file.',
  }),
  data: z.array(FIELD),
});

/**
 * The sections of the settings that have a route for the fields of one record. The values are words
 * for the summaries of these routes.
 */
const RECORDS = { upstreams: 'an upstream', models: 'a model, without its channels' } as const;

export const configFieldRoutes = (deps: ConfigDeps): readonly Route[] => [
  adminRoute(
    'GET /config/fields',
    {
      summary: 'List the settings that are single values, with their types and bounds',
      response: FIELDS,
    },
    () => fields(deps),
  ),
  ...(['upstreams', 'models'] as const).map((section) =>
    adminRoute(
      `GET /config/${section}/:id/fields`,
      {
        summary: `List the settings of ${RECORDS[section]}, with their types and bounds`,
        response: FIELDS,
      },
      (call) => fieldsOfRecord(deps, section, idOf(call)),
    ),
  ),
];

async function fields(deps: ConfigDeps): Promise<Response> {
  const isAwaited = awaitsRestart(deps);
  return await answer(deps, () =>
    settingFields().map((field) => ({
      field,
      needsRestart: isFixed(field.keys),
      awaitsRestart: isAwaited(field),
    })),
  );
}

/** Answers with the fields of one upstream or model. @throws GatewayError `not_found` */
const fieldsOfRecord = (deps: ConfigDeps, section: RecordSection, id: string): Promise<Response> =>
  answer(deps, (shown) => {
    const value = valueAt(shown, [section, id]);
    if (value === undefined) {
      const what = section === 'upstreams' ? 'upstream' : 'model';
      throw new GatewayError(
        'not_found',
        `There is no ${what} ${JSON.stringify(id.slice(0, 64))}.`,
        {
          param: 'id',
        },
      );
    }
    return recordFields(section, id, value).map((field) => ({
      field,
      needsRestart: false,
      awaitsRestart: false,
    }));
  });

type Listed = {
  readonly field: SettingField;
  readonly needsRestart: boolean;
  readonly awaitsRestart: boolean;
};

/**
 * Answers with a list of settings and the revision of the settings.
 * @param listed returns the fields to list, given the newest settings with masked secrets.
 */
async function answer(
  deps: ConfigDeps,
  listed: (shown: Document) => readonly Listed[],
): Promise<Response> {
  const { document, revision } = await readNewest(deps);
  const shown = withoutSecrets(document);
  const { file } = deps.config();
  const body: z.infer<typeof FIELDS> = {
    mode: deps.database === null ? 'file' : 'database',
    file,
    revision,
    data: listed(shown).map(({ field, needsRestart: needs, awaitsRestart: awaits }) => ({
      keys: [...field.keys],
      type: field.type,
      value: writtenValue(field, valueAt(shown, field.keys)),
      default: fieldValue.parse(field.default),
      minimum: field.minimum,
      maximum: field.maximum,
      choices: [...field.choices],
      required: field.required,
      only_if: field.onlyIf === null ? null : { ...field.onlyIf, keys: [...field.onlyIf.keys] },
      needs_restart: needs,
      awaits_restart: awaits,
    })),
  };
  return Response.json(body, { headers: headersAt(revision) });
}

/**
 * Returns a setting's value; null if it is not set or invalid. A list setting that is configured as
 * a single string is returned as a list of one entry.
 */
function writtenValue({ type }: SettingField, written: unknown): z.infer<typeof fieldValue> {
  if (written === undefined || written === null) return null;
  if (type === 'json') return JSON.stringify(written);
  if (type === 'list') return Array.isArray(written) ? written.map(String) : [String(written)];
  return scalar.nullable().catch(null).parse(written);
}

/**
 * Returns a function that says whether a setting has changed since this node started and takes
 * effect only after a restart. Secrets are not compared: a secret counts as changed if its section
 * has changed.
 */
function awaitsRestart({ config, started }: ConfigDeps): (field: SettingField) => boolean {
  const now = config();
  const changed = needsRestart(started, now);
  return ({ keys, type }) => {
    const path = keys.join('.');
    const [was, is] = [started.sources.get(path)?.value, now.sources.get(path)?.value];
    if (changed.includes(path)) return true;
    return changed.includes(keys[0] ?? '') && (type === 'secret' ? is !== undefined : was !== is);
  };
}
