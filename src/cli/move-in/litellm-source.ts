/** Reads the sources of `move-in litellm`: the file `config.yaml`, the database, and price data. */
import type { Clock } from '../../clock.ts';
import { environment } from '../../config/environment.ts';
import type { LiteLlmSource } from '../../movein/litellm/litellm.ts';
import {
  type LiteLlmDatabase,
  readLiteLlmDatabase,
} from '../../movein/litellm/litellm-database.ts';
import { priceFileOf } from '../../movein/litellm/litellm-prices.ts';
import { UnknownSource } from '../../movein/source-tables.ts';
import { CliError } from '../cli-error.ts';
import type { Input, Options } from '../command.ts';
import { inPostgres, requireReadable } from './open-source.ts';
import { creditOf, optionSecret, optionText, optionYaml } from './source-files.ts';

export const LITELLM_OPTIONS: Options = {
  'file FILE': 'the config.yaml of LiteLLM',
  'from URL': 'the database of LiteLLM: postgres://USER:PASSWORD@HOST/NAME',
  'salt-key-file FILE':
    'a file with the key that decrypts the database: the LITELLM_SALT_KEY of LiteLLM, or its master key if no salt key is set',
  'prices FILE': 'price data in the format of LiteLLM, for models without prices of their own',
  'credit USD': 'credit each account this amount in USD (default: nothing)',
};

/**
 * Reads the sources that the options name.
 * @throws CliError or UnknownSource, with a message for the operator.
 */
export async function liteLlmSource(input: Input, clock: Clock): Promise<LiteLlmSource> {
  const from = input.text('from');
  if (from === null && input.text('file') === null)
    throw new CliError(
      'usage',
      'Name the config.yaml of LiteLLM with --file, its database with --from, or both.',
    );
  if (from !== null && !/^postgres(?:ql)?:\/\//.test(from))
    throw new CliError(
      'usage',
      '--from must be an address such as postgres://USER:PASSWORD@HOST/NAME.',
    );
  const data = await optionText(input, 'prices');
  const prices = data === null ? null : priceFileOf(data);
  if (data !== null && prices === null)
    throw new UnknownSource(
      'The --prices file is not model_prices_and_context_window.json of LiteLLM.',
    );
  return {
    config: await optionYaml(input, 'file'),
    database: from === null ? null : await databaseAt(from),
    saltKey: await optionSecret(input, 'salt-key-file'),
    prices,
    variables: environment(),
    credit: creditOf(input),
    nowMs: clock.nowMs(),
  };
}

/**
 * Parameters that Prisma adds to database URLs. They are removed, because PostgreSQL would refuse
 * them.
 */
const PRISMA = ['connection_limit', 'pool_timeout', 'pgbouncer', 'connect_timeout', 'schema'];

async function databaseAt(from: string): Promise<LiteLlmDatabase> {
  requireReadable(from);
  const url = new URL(from);
  const schema = url.searchParams.get('schema');
  for (const name of PRISMA) url.searchParams.delete(name);
  return await inPostgres(url.href, async (sql) => {
    if (schema !== null)
      await sql`SELECT set_config('search_path', ${JSON.stringify(schema)}, true)`;
    return await readLiteLlmDatabase((text) => sql.unsafe<{ row: unknown }[]>(text));
  });
}
