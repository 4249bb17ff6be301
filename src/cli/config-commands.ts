/**
 * The commands `config ...`. They export, import, compare and restore the configuration in the
 * database.
 */
import type { z } from 'zod';
import { fileText } from '../config/config.ts';
import { yamlText } from '../config/document/yaml-text.ts';
import { ConfigError } from '../config/problem.ts';
import {
  CHANGED,
  DOCUMENT,
  MAX_FILE_NAME_CHARS,
  type NEW_FILE,
  REVISION_HEAD,
} from '../http/admin/config/config-schemas.ts';
import type { AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Command, Input, Options } from './command.ts';
import { pageCommand, table } from './lists.ts';

export const CHANGE_OPTIONS: Options = {
  'note TEXT': 'the reason for the change, kept with the revision',
  'confirm CODES': 'accept warnings with these codes (a,b)',
};

const DRY_RUN: Options = { 'dry-run': 'only show what would change, with errors and warnings' };

type Changed = z.infer<typeof CHANGED>;

export const readConfig = (client: AdminClient): Promise<z.infer<typeof DOCUMENT>> =>
  client.call({ method: 'GET', path: '/config' }, DOCUMENT.loose());

/** Reads the configuration file to import. @throws CliError when it cannot be read. */
function fileOf(path: string | null): z.infer<typeof NEW_FILE> {
  try {
    const { text: yaml, name } = fileText({ path });
    return { yaml, name: name.slice(-MAX_FILE_NAME_CHARS) };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    throw new CliError('failed', thrown.message, { cause: thrown });
  }
}

/**
 * Replaces the server's configuration with the file in `body`. `query` contains the options of the
 * change, such as a dry run, which changes nothing.
 */
async function replace(
  client: AdminClient,
  body: z.infer<typeof NEW_FILE>,
  query: URLSearchParams,
): Promise<Changed> {
  const { revision } = await readConfig(client);
  return await client.call(
    {
      method: 'POST',
      path: `/config/import?${query}`,
      body,
      headers: { 'if-match': `"${revision ?? 0}"` },
    },
    CHANGED.loose(),
  );
}

export function changeQuery(input: Input, isDryRun: boolean): URLSearchParams {
  const query = new URLSearchParams(isDryRun ? { dry_run: 'true' } : {});
  for (const name of ['note', 'confirm']) {
    const value = input.text(name);
    if (value !== null) query.set(name, value);
  }
  return query;
}

const lines = (changed: Changed): readonly string[] => [
  ...(changed.changes.length === 0
    ? []
    : [
        table(
          ['setting', 'before', 'after'],
          changed.changes.map(({ path, before, after }) => [path, before ?? '-', after ?? '-']),
        ),
      ]),
  ...changed.errors.map(
    ({ path, message, where }) =>
      `Error: ${path === '' ? '' : `${path}: `}${message}${where === null ? '' : ` (${where})`}`,
  ),
  ...changed.warnings.map(
    ({ code, path, message, needs_confirmation: confirm }) =>
      `Warning (${code}${confirm ? ', needs --confirm' : ''}): ${path}: ${message}`,
  ),
  ...(changed.needs_restart.length === 0
    ? []
    : [`Takes effect after a restart of the nodes: ${changed.needs_restart.join(', ')}`]),
];

function outcome(changed: Changed): string {
  if (changed.errors.length > 0) return 'Nothing can be stored until the errors are fixed.';
  if (changed.dry_run) return 'This is a dry run. Nothing was stored.';
  const running = changed.in_force ? 'it is in force' : 'the nodes apply it within seconds';
  return `The newest revision is ${changed.revision}; ${running}.`;
}

const NOT_COMPARED = 'The file cannot be compared until the errors are fixed.';

const differing = (count: number): string =>
  count === 1 ? '1 setting differs.' : `${count} settings differ.`;

export const report = (changed: Changed): string =>
  [...lines(changed), outcome(changed)].join('\n');

const originOf = ({ origin, restored }: z.infer<typeof REVISION_HEAD>): string =>
  restored === null ? origin : `${origin} of ${restored}`;

export const CONFIG_COMMANDS: readonly Command[] = [
  {
    words: 'config export',
    summary: 'print the configuration as YAML, for a file; secrets are shown as ***',
    run: async ({ connect, print }) => {
      const { document } = await readConfig(await connect());
      // Removes the last line break, because `print` adds one.
      print(document, () => yamlText(document).trimEnd());
      return 0;
    },
  },
  {
    words: 'config import',
    summary:
      'store a file as the configuration in the database; a secret given as *** stays unchanged',
    args: ['FILE'],
    options: { ...DRY_RUN, ...CHANGE_OPTIONS },
    run: async ({ connect, print }, input) => {
      const file = fileOf(input.arg(0));
      const query = changeQuery(input, input.has('dry-run'));
      const changed = await replace(await connect(), file, query);
      print(changed, () => report(changed));
      return changed.errors.length === 0 ? 0 : 1;
    },
  },
  {
    words: 'config diff',
    summary:
      'show what a file (default: the configuration file) would change; exit 1 if it differs',
    args: ['[FILE]'],
    run: async ({ connect, print }, input) => {
      const file = fileOf(input.arg(0) === '' ? input.text('config') : input.arg(0));
      const changed = await replace(await connect(), file, changeQuery(input, true));
      const { changes, errors } = changed;
      // A file with errors is not compared, so it has no number of differences.
      const result = errors.length === 0 ? differing(changes.length) : NOT_COMPARED;
      print(changed, () => [...lines(changed), result].join('\n'));
      return changes.length + errors.length === 0 ? 0 : 1;
    },
  },
  pageCommand({
    words: 'config revisions',
    summary: 'list the revisions of the configuration, newest first',
    path: '/config/revisions',
    item: REVISION_HEAD.loose(),
    header: ['revision', 'at', 'by', 'origin', 'note'],
    row: (it) => [String(it.revision), it.at, it.by_name ?? it.by, originOf(it), it.note],
  }),
  {
    words: 'config restore',
    summary: 'restore an earlier revision of the configuration, as a new revision',
    args: ['REVISION'],
    options: { ...DRY_RUN, ...CHANGE_OPTIONS },
    run: async ({ connect, print }, input) => {
      const client = await connect();
      const { revision } = await readConfig(client);
      const changed = await client.call(
        {
          method: 'POST',
          path: `/config/revisions/${encodeURIComponent(input.arg(0))}/restore?${changeQuery(input, input.has('dry-run'))}`,
          headers: { 'if-match': `"${revision ?? 0}"` },
        },
        CHANGED.loose(),
      );
      print(changed, () => report(changed));
      return changed.errors.length === 0 ? 0 : 1;
    },
  },
];
