/** `move-in`: takes along users, keys and balances from the gateway that ran before. */
import type { MoveIn } from '../../movein/move-in.ts';
import { readOneApi } from '../../movein/one-api/one-api.ts';
import { ONE_API_COUNTED, ONE_API_TABLES } from '../../movein/one-api/one-api-tables.ts';
import { UnknownSource } from '../../movein/source-tables.ts';
import { CliError } from '../cli-error.ts';
import type { Command, CommandOption, Input } from '../command.ts';
import { reportText } from './move-in-report.ts';
import { sourceTables } from './open-source.ts';
import { move } from './send-move-in.ts';

const OPTIONS: readonly CommandOption[] = [
  { name: 'dry-run', value: null, summary: 'only report what would move, and what would not' },
  { name: 'confirm', value: 'CODES', summary: 'accept warnings of the settings (a,b)' },
];

/** Makes the command of one kind of source. @param read may throw `UnknownSource`. */
const moveInCommand = (
  command: Pick<Command, 'words' | 'summary' | 'options'>,
  read: (input: Input) => Promise<MoveIn>,
): Command => ({
  ...command,
  options: [...(command.options ?? []), ...OPTIONS],
  run: async ({ connect, print }, input) => {
    const moveIn = await known(() => read(input));
    const options = { isDryRun: input.has('dry-run'), confirm: input.text('confirm') };
    const report = await move(await connect(), moveIn, options);
    print(report, () => reportText(report));
    return 0;
  },
});

async function known(read: () => Promise<MoveIn>): Promise<MoveIn> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof UnknownSource)) throw thrown;
    throw new CliError('failed', `${thrown.message} Nothing was changed.`, { cause: thrown });
  }
}

const FROM: CommandOption = {
  name: 'from',
  value: 'SOURCE',
  summary: 'its SQLite file, or its database as postgres://USER:PASSWORD@HOST/NAME',
  required: true,
};

export const MOVE_IN_COMMANDS: readonly Command[] = [
  moveInCommand(
    {
      words: 'move-in one-api',
      summary: 'take along users, tokens and balances from one-api or new-api',
      options: [FROM],
    },
    async (input) => {
      const names = {
        read: ONE_API_TABLES.filter((name) => !ONE_API_COUNTED.some((it) => it === name)),
        counted: ONE_API_COUNTED,
      };
      return readOneApi(await sourceTables(input.text('from') ?? '', names));
    },
  ),
];
