/** The route of the settings that are single values, with what a form needs to change them. */
import { z } from 'zod';
import { isFixed, needsRestart } from '../../../catalogue/live-catalogue.ts';
import { withoutSecrets } from '../../../config/document/document-secrets.ts';
import {
  FIELD_TYPES,
  SETTING_FIELDS,
  type SettingField,
} from '../../../config/document/setting-fields.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { NO_STORE } from '../../edge/answer-schema.ts';
import { adminRoute, type Route } from '../../edge/route.ts';
import { type ConfigDeps, etagOf, readNewest } from './config-calls.ts';
import { revisionNumber } from './config-schemas.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();
const bound = z.string().nullable();

const FIELD = z
  .strictObject({
    keys: z.array(z.string()).meta({
      description: 'The path in the configuration, such as `limits` and `drain`.',
    }),
    type: z.enum(FIELD_TYPES).meta({ description: 'The form of the value.' }),
    value: scalar.meta({
      description: 'As the configuration has it; a secret is `***`. Null: not written.',
    }),
    default: scalar.meta({ description: 'In force while `value` is null. Null: none.' }),
    minimum: bound.meta({ description: 'The smallest value, as it is written.' }),
    maximum: bound.meta({ description: 'The largest value, as it is written.' }),
    choices: z.array(z.string()).meta({ description: 'The allowed values of a choice.' }),
    only_if: z
      .strictObject({ keys: z.array(z.string()), value: z.string() })
      .nullable()
      .meta({ description: 'The setting exists only while another one has this value.' }),
    needs_restart: z.boolean().meta({ description: 'Nodes read it only when they start.' }),
    awaits_restart: z.boolean().meta({
      description: 'It was changed since this node started, which still has the earlier value.',
    }),
  })
  .meta({ id: 'SettingField' });
const FIELDS = z.strictObject({
  mode: z.enum(['file', 'database']).meta({ description: 'Where the settings are kept.' }),
  file: z.string().meta({ description: 'The configuration file of this node.' }),
  revision: revisionNumber.nullable().meta({
    description: 'The newest one, as in `ETag`; null if the settings are in the file.',
  }),
  data: z.array(FIELD),
});

export const configFieldRoutes = (deps: ConfigDeps): readonly Route[] => [
  adminRoute(
    'GET /config/fields',
    { summary: 'Settings that are single values, with their types and bounds', response: FIELDS },
    () => fields(deps),
  ),
];

async function fields(deps: ConfigDeps): Promise<Response> {
  const { document, revision } = await readNewest(deps);
  const shown = withoutSecrets(document);
  const { file } = deps.config();
  const isAwaited = awaitsRestart(deps);
  const body: z.infer<typeof FIELDS> = {
    mode: deps.database === null ? 'file' : 'database',
    file,
    revision,
    data: SETTING_FIELDS.map((field) => ({
      keys: [...field.keys],
      type: field.type,
      value: scalar.catch(null).parse(valueAt(shown, field.keys) ?? null),
      default: field.default,
      minimum: field.minimum,
      maximum: field.maximum,
      choices: [...field.choices],
      only_if: field.onlyIf === null ? null : { ...field.onlyIf, keys: [...field.onlyIf.keys] },
      needs_restart: isFixed(field.keys[0] ?? ''),
      awaits_restart: isAwaited(field),
    })),
  };
  return Response.json(body, {
    headers: { ...NO_STORE, ...(revision === null ? {} : etagOf(revision)) },
  });
}

/**
 * Returns a function that compares a setting with the start of this node. Secrets are not
 * compared one by one: each waits if its section does.
 */
function awaitsRestart({ config, started }: ConfigDeps): (field: SettingField) => boolean {
  const now = config();
  const sections = needsRestart(started, now);
  return ({ keys, type }) => {
    const path = keys.join('.');
    const [was, is] = [started.sources.get(path)?.value, now.sources.get(path)?.value];
    return sections.includes(keys[0] ?? '') && (type === 'secret' ? is !== undefined : was !== is);
  };
}
