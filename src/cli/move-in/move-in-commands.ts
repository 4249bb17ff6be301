/** The commands `move-in ...`, which import users, keys and balances from another gateway. */
import type { Clock } from '../../clock.ts';
import { moveInFromLiteLlm } from '../../movein/litellm/litellm.ts';
import type { MoveIn } from '../../movein/move-in.ts';
import { readOneApi } from '../../movein/one-api/one-api.ts';
import { ONE_API_TABLES } from '../../movein/one-api/one-api-tables.ts';
import { moveInFromOpenRouter } from '../../movein/openrouter/openrouter.ts';
import { UnknownSource } from '../../movein/source-tables.ts';
import { CliError } from '../cli-error.ts';
import type { Command, Input, Options } from '../command.ts';
import { LITELLM_OPTIONS, liteLlmSource } from './litellm-source.ts';
import { reportText } from './move-in-report.ts';
import { NewKeysFile } from './new-keys.ts';
import { sourceTables } from './open-source.ts';
import { OPENROUTER_OPTIONS, openRouterSource } from './openrouter-source.ts';
import { move } from './send-move-in.ts';
import { optionText } from './source-files.ts';

const OPTIONS: Options = {
  'dry-run': 'only report what would be imported, and what would not',
  'confirm CODES': 'accept warnings about the settings with these codes (a,b)',
};

/**
 * Creates the command for one kind of gateway.
 * @param read reads the data of the other gateway; may throw `UnknownSource`.
 */
const moveInCommand = (
  command: Pick<Command, 'words' | 'summary' | 'options' | 'required'>,
  read: (input: Input, clock: Clock) => Promise<MoveIn>,
): Command => ({
  ...command,
  options: { ...command.options, ...OPTIONS },
  run: async ({ connect, print, clock }, input) => {
    const moveIn = await known(() => read(input, clock));
    const file = newKeysFile(input, moveIn);
    const { report, items } = await move(await connect(), moveIn, {
      isDryRun: input.has('dry-run'),
      confirm: input.text('confirm'),
      beforeWriting: () => file?.create(),
    });
    if (!report.dry_run) file?.keep(items);
    print(report, () => reportText(report));
    return 0;
  },
});

/** Returns the file to which new keys are written; null if no key gets a new secret. */
const newKeysFile = (input: Input, { accounts, newKeys }: MoveIn): NewKeysFile | null =>
  newKeys.size === 0 ? null : new NewKeysFile(input.text('new-keys') ?? '', accounts, newKeys);

async function known(read: () => Promise<MoveIn>): Promise<MoveIn> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof UnknownSource)) throw thrown;
    throw new CliError('failed', `${thrown.message} Nothing was changed.`, { cause: thrown });
  }
}

const ONE_API_OPTIONS: Options = {
  'from SOURCE':
    'the SQLite file of the source, a dump of its MySQL database, or postgres://USER:PASSWORD@HOST/NAME',
  'prices FILE':
    'a file with the answer of the source to /api/option/ (one-api) or /api/pricing (new-api)',
};

export const MOVE_IN_COMMANDS: readonly Command[] = [
  moveInCommand(
    {
      words: 'move-in one-api',
      summary: 'import users, tokens, balances, channels and prices from one-api or new-api',
      options: ONE_API_OPTIONS,
      required: ['from'],
    },
    async (input) => {
      const tables = await sourceTables(input.text('from') ?? '', ONE_API_TABLES);
      return readOneApi(tables, await optionText(input, 'prices'));
    },
  ),
  moveInCommand(
    {
      words: 'move-in litellm',
      summary: 'import models, keys, teams and budgets from LiteLLM',
      options: LITELLM_OPTIONS,
    },
    async (input, clock) => moveInFromLiteLlm(await liteLlmSource(input, clock)),
  ),
  moveInCommand(
    {
      words: 'move-in openrouter',
      summary: 'import models, and API keys with their limits, from files exported from OpenRouter',
      options: OPENROUTER_OPTIONS,
    },
    async (input, clock) => moveInFromOpenRouter(await openRouterSource(input, clock)),
  ),
];
