/** The bodies of the routes that read and change the settings in the database. */
import * as z from 'zod';
import { WARNING_CODES, WARNINGS } from '../../../revisions/change-warnings.ts';
import type { Changed } from '../../../revisions/config-changes.ts';
import { ORIGINS, type RevisionHead } from '../../../revisions/config-revisions.ts';
import type { Difference } from '../../../revisions/difference.ts';
import { isoTime } from '../../caller/account-body.ts';
import { time } from '../../edge/answer-schema.ts';
import { text } from '../../edge/request-schema.ts';

const MAX_NOTE_CHARS = 500;
export const MAX_FILE_NAME_CHARS = 200;

/** Any JSON value of a setting. Objects in it have the keys of the configuration file. */
const anyJson = z.unknown();
const record = z.record(z.string(), anyJson);

export const revisionNumber = z.int().min(0);

const DIFFERENCE = z
  .strictObject({
    path: z.string().meta({
      description: 'The path of the setting, such as `models.gen-x.channels.direct.price.input`.',
    }),
    before: z.string().nullable().meta({
      description:
        'The earlier value as JSON. Long values are cut, and secrets are `***`. Null: the setting was added.',
    }),
    after: z
      .string()
      .nullable()
      .meta({ description: 'The new value as JSON; null: the setting was removed.' }),
  })
  .meta({ id: 'ConfigDifference' });

const PROBLEM = {
  path: z
    .string()
    .meta({ description: 'The path of the setting; empty: the whole configuration.' }),
  message: z.string(),
};

export const CHANGED = z
  .strictObject({
    revision: revisionNumber.meta({ description: 'The newest revision after this call.' }),
    in_force: z.boolean().meta({
      description: 'Whether this node runs the newest revision. Other nodes follow within seconds.',
    }),
    dry_run: z.boolean(),
    changes: z.array(DIFFERENCE),
    errors: z
      .array(
        z.strictObject({
          ...PROBLEM,
          where: z.string().nullable().meta({
            description:
              'The file and line, such as `prices.yaml:12`; null: the change is not an import.',
          }),
        }),
      )
      .meta({
        description:
          'The errors of the new settings. Only a dry run lists them here; otherwise a change with errors is refused.',
      }),
    warnings: z.array(
      z.strictObject({
        code: z.enum(WARNING_CODES),
        ...PROBLEM,
        needs_confirmation: z.boolean().meta({
          description:
            'Whether the change is refused unless `confirm` has the code of the warning.',
        }),
      }),
    ),
    needs_restart: z
      .array(z.string())
      .meta({ description: 'The changed settings that nodes read only when they start.' }),
  })
  .meta({ id: 'ConfigChange' });

const HEAD = {
  revision: revisionNumber,
  at: time,
  by: z
    .string()
    .meta({ description: 'Who made the revision: `system`, `admin`, or the id of a person.' }),
  by_name: z.string().nullable().meta({ description: 'The name of the person in `by`.' }),
  note: z.string(),
  origin: z.enum(ORIGINS).meta({
    description:
      'Where the settings are from: the file of the first node, an edit, an imported file, or an earlier revision.',
  }),
  restored: revisionNumber.nullable().meta({
    description: 'The earlier revision that was restored; null: no revision was restored.',
  }),
  changes_count: z.int().nullable().meta({
    description:
      'The number of settings that the revision changed; null: it is the first revision, or an old version of the gateway made it.',
  }),
  paths: z
    .array(z.string())
    .meta({ description: 'The first five settings that the revision changed.' }),
  checksum: z
    .string()
    .meta({ description: 'The SHA-256 of the settings in this revision, in hexadecimal.' }),
};
export const REVISION_HEAD = z.strictObject(HEAD).meta({ id: 'ConfigRevision' });
export const REVISION = z.strictObject({
  ...HEAD,
  document: record.meta({
    description: 'The settings, in the form of the configuration file; secrets are `***`.',
  }),
  changes: z.array(DIFFERENCE).meta({ description: 'The differences from the previous revision.' }),
});

export const DOCUMENT = z.strictObject({
  mode: z.enum(['file', 'database']).meta({ description: 'Where the settings are kept.' }),
  file: z.string(),
  revision: revisionNumber.nullable().meta({
    description: 'The newest revision, as in `ETag`; null if the settings are in the file.',
  }),
  running_revision: revisionNumber
    .nullable()
    .meta({ description: 'The revision that this node runs.' }),
  document: record.meta({
    description: 'The settings, in the form of the configuration file; secrets are `***`.',
  }),
});

export const NODES = z.strictObject({
  newest_revision: revisionNumber,
  data: z.array(
    z
      .strictObject({
        node: z.string(),
        revision: revisionNumber.nullable().meta({
          description:
            'The revision that the node runs; null: the node reads all settings from its file.',
        }),
        failure: z.string().nullable().meta({
          description:
            'Why the node does not run the newest revision; null: it runs it, or soon will.',
        }),
      })
      .meta({ id: 'ConfigNode' }),
  ),
});

const RECORD = {
  id: z.string(),
  value: anyJson.meta({
    description: 'The value as it is written in the file. Secrets are `***`.',
  }),
};
export const ONE_RECORD = z.strictObject({ revision: revisionNumber.nullable(), ...RECORD });
export const ALL_RECORDS = z.strictObject({
  revision: revisionNumber.nullable(),
  data: z.array(z.strictObject(RECORD).meta({ id: 'ConfigRecord' })),
});

/**
 * The request body that replaces all settings in the database. A secret that is sent as `***` keeps
 * its value.
 */
export const NEW_DOCUMENT = z.strictObject({ document: record });
export const NEW_RECORD = z.strictObject({ value: anyJson });

/** A YAML file to import. Problems are reported with the file's `name` and a line number. */
export const NEW_FILE = z.strictObject({
  yaml: z.string().meta({
    description:
      'The YAML text. A secret that is `***` stays as it is. Settings such as `listen` are ignored, because they stay in the file of each node.',
  }),
  name: text(MAX_FILE_NAME_CHARS).default('import.yaml'),
});

export const CHANGE_QUERY = z.strictObject({
  dry_run: z.enum(['true', 'false'], { error: 'must be true or false' }).optional().meta({
    description:
      'If `true`, nothing is changed; the answer reports what the change would do, with errors and warnings.',
  }),
  note: text(MAX_NOTE_CHARS)
    .optional()
    .meta({ description: 'Why the change is made. It is stored with the revision.' }),
  confirm: text(MAX_NOTE_CHARS)
    .optional()
    .meta({ description: 'The codes of the warnings to accept, separated by commas.' }),
});

export const changedBody = (
  { revision, isInForce, changes, errors, warnings, needsRestart }: Changed,
  isDryRun: boolean,
): z.infer<typeof CHANGED> => ({
  revision,
  in_force: isInForce,
  dry_run: isDryRun,
  changes: changes.map(differenceBody),
  errors: [...errors],
  warnings: warnings.map(({ code, path, message }) => ({
    code,
    path,
    message,
    needs_confirmation: WARNINGS[code].needsConfirmation,
  })),
  needs_restart: [...needsRestart],
});

export const differenceBody = ({ path, before, after }: Difference) => ({ path, before, after });

export const headBody = (head: RevisionHead): z.infer<typeof REVISION_HEAD> => ({
  revision: head.revision,
  at: isoTime(head.atMs),
  by: head.actor,
  by_name: head.actorName,
  note: head.note,
  origin: head.origin,
  restored: head.restored,
  changes_count: head.changes,
  paths: [...head.paths],
  checksum: head.checksum,
});
