/** Reads the sources of `move-in openrouter`: files exported from OpenRouter. */
import { generateKey } from '../../accounts/api-key.ts';
import type { Clock } from '../../clock.ts';
import { environmentSecret } from '../../config/environment.ts';
import type { OpenRouterSource } from '../../movein/openrouter/openrouter.ts';
import { shownName } from '../../movein/source-tables.ts';
import { CliError } from '../cli-error.ts';
import type { Input, Options } from '../command.ts';
import { creditOf, optionJson, optionText } from './source-files.ts';

const ACCOUNT = 'OpenRouter';

export const OPENROUTER_OPTIONS: Options = {
  'activity FILE': 'the CSV that the page "Activity" of OpenRouter exports',
  'models FILE': 'a file with the answer of https://openrouter.ai/api/v1/models',
  'keys FILE': 'a file with the answer of https://openrouter.ai/api/v1/keys',
  'new-keys FILE': 'a new file for the new secrets of the keys',
  'account NAME': `the name of the account that gets the keys (default: ${ACCOUNT})`,
  'credit USD': 'credit the account this amount in USD (default: nothing)',
};

/** Reads the exported files that the options name. @throws CliError if one cannot be read. */
export async function openRouterSource(input: Input, clock: Clock): Promise<OpenRouterSource> {
  if (input.text('activity') === null && input.text('keys') === null)
    throw new CliError(
      'usage',
      'Name the activity export of OpenRouter with --activity, its list of API keys with --keys, or both.',
    );
  if (input.text('keys') !== null && input.text('new-keys') === null && !input.has('dry-run'))
    throw new CliError(
      'usage',
      'Imported OpenRouter keys get new secrets. Name a new file for the secrets with --new-keys.',
    );
  return {
    activity: await optionText(input, 'activity'),
    models: await optionJson(input, 'models'),
    keys: await optionJson(input, 'keys'),
    account: shownName(input.text('account') ?? ACCOUNT, ACCOUNT),
    apiKey: environmentSecret('OPENROUTER_API_KEY'),
    credit: creditOf(input),
    nowMs: clock.nowMs(),
    newSecret: () => generateKey(clock),
  };
}
