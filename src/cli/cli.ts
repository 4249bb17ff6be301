/** The command line: finds and runs a command, prints help, and reports failures. */
import type { Clock } from '../clock.ts';
import { nearest } from '../config/nearest.ts';
import { GatewayError } from '../errors.ts';
import type { AdminClientDeps, AdminSettings } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import { type Command, type CommandContext, optionsOf, parseInput, usageOf } from './command.ts';
import { type Restore, restoreCommand } from './process/restore-command.ts';
import { upgradeCommand } from './process/upgrade-command.ts';

export type CliIo = {
  /** Writes a text, which ends with a line break, to standard output. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
};

/**
 * Runs a command and resolves with the exit code. If `configPath` is null, the default file is
 * used.
 */
export type ProcessCommand = (options: {
  readonly configPath: string | null;
  readonly json: boolean;
}) => Promise<number>;

export type CliDeps = {
  readonly clock: Clock;
  readonly version: string;
  readonly fetch: AdminClientDeps['fetch'];
  /**
   * Reads the address of the server and its administrator's token. Only commands that call a server
   * need them.
   */
  readonly settings: (configPath: string | null) => Promise<AdminSettings>;
  readonly serve: ProcessCommand;
  readonly check: ProcessCommand;
  /** Checks the machine. If `url` is not null, also tests the running gateway at that address. */
  readonly doctor: (options: {
    readonly configPath: string | null;
    readonly json: boolean;
    readonly url: string | null;
  }) => Promise<number>;
  /**
   * If `to` is null, updates the schema of the database. If not, copies the SQLite database to the
   * database in `to`, which is a URL or the name of an environment variable with the URL.
   */
  readonly migrate: (options: {
    readonly configPath: string | null;
    readonly to: string | null;
  }) => Promise<number>;
  readonly restore: Restore;
};

/**
 * Runs one command line, without the program's name. A thrown error means a bug in the program.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line.
 */
export async function runCli(argv: readonly string[], io: CliIo, deps: CliDeps): Promise<number> {
  try {
    return await dispatch(argv, io, deps);
  } catch (thrown) {
    return explain(thrown, argv.includes('--json'), io);
  }
}

async function dispatch(argv: readonly string[], io: CliIo, deps: CliDeps): Promise<number> {
  const [first = 'serve'] = argv;
  if (first === 'help' || first === '--help' || first === '-h') {
    return help(argv.slice(1), await allCommands(deps), io);
  }
  if (first === '--version' || first === '-v') {
    io.stdout(`${deps.version}\n`);
    return 0;
  }
  // Without a command, as in `modelgate --config FILE` or just `modelgate`, runs `serve`.
  const words = argv.length === 0 || first.startsWith('-') ? ['serve', ...argv] : argv;
  const found = commandOf(words, processCommands(deps)) ?? (await clientCommandOf(words));
  if (found === null) return groupHelp(words, await allCommands(deps), io);
  const input = parseInput(found.command, found.rest);
  if (input.has('help')) {
    io.stdout(commandHelp(found.command));
    return 0;
  }
  const configPath = input.text('config');
  const context: CommandContext = {
    clock: deps.clock,
    connect: async () => {
      const { AdminClient } = await import('./admin-client.ts');
      return new AdminClient(await deps.settings(configPath), deps);
    },
    print: (json, text) =>
      io.stdout(`${input.has('json') ? JSON.stringify(json, null, 2) : text()}\n`),
  };
  return await found.command.run(context, input);
}

async function allCommands(deps: CliDeps): Promise<readonly Command[]> {
  const { CLIENT_COMMANDS } = await import('./client-commands.ts');
  return [...processCommands(deps), ...CLIENT_COMMANDS];
}

async function clientCommandOf(words: readonly string[]): Promise<FoundCommand | null> {
  const { CLIENT_COMMANDS } = await import('./client-commands.ts');
  return commandOf(words, CLIENT_COMMANDS);
}

function processCommands(deps: CliDeps): readonly Command[] {
  const command = (words: string, summary: string, run: ProcessCommand): Command => ({
    words,
    summary,
    run: (_, input) => run({ configPath: input.text('config'), json: input.has('json') }),
  });
  return [
    command('serve', 'run the gateway (the same as `modelgate` without a command)', deps.serve),
    command('check', 'check the configuration and report every problem', deps.check),
    {
      words: 'doctor',
      summary:
        'check the machine, the data folder and the database, and show every setting with its source; exits with 1 if a check fails',
      options: {
        'url URL':
          'the address that callers use, to test TLS, the clock, and whether a proxy buffers streams',
      },
      run: (_, input) =>
        deps.doctor({
          configPath: input.text('config'),
          json: input.has('json'),
          url: input.text('url'),
        }),
    },
    {
      words: 'migrate',
      summary:
        'migrate the database to this version, or move it from SQLite to PostgreSQL (stop the server first; with a running server, the move to PostgreSQL is a dry run)',
      options: {
        'to URL':
          'an empty database, as postgres://user:password@host/db, or the name of an environment variable with that address',
      },
      run: (_, input) => deps.migrate({ configPath: input.text('config'), to: input.text('to') }),
    },
    restoreCommand(deps.restore),
    upgradeCommand(deps.version),
  ];
}

type FoundCommand = { readonly command: Command; readonly rest: readonly string[] };

function commandOf(words: readonly string[], commands: readonly Command[]): FoundCommand | null {
  for (const count of [2, 1]) {
    const typed = words.slice(0, count).join(' ');
    const command = commands.find((it) => it.words === typed);
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  return null;
}

/** Handles `modelgate help` and `modelgate help key create`. */
function help(words: readonly string[], commands: readonly Command[], io: CliIo): number {
  const topic = words.filter((word) => !word.startsWith('-'));
  if (topic.length === 0) {
    io.stdout(overview(commands));
    return 0;
  }
  const found = commandOf(topic, commands);
  if (found === null) return groupHelp([...topic, '--help'], commands, io);
  io.stdout(commandHelp(found.command));
  return 0;
}

/**
 * Prints the help of a command group, such as `key --help`.
 * @throws CliError if the words are not a request for help, as in `key` alone.
 */
function groupHelp(words: readonly string[], commands: readonly Command[], io: CliIo): number {
  const [group = '', second] = words;
  const members = commands.filter((it) => it.words.startsWith(`${group} `));
  if (members.length > 0 && words.includes('--help')) {
    io.stdout(overview(members));
    return 0;
  }
  if (members.length > 0 && (second === undefined || second.startsWith('-'))) {
    const known = members.map((it) => it.words.slice(group.length + 1));
    throw new CliError('usage', `\`${group}\` needs one of ${known.join(', ')} after it.`);
  }
  throw unknownCommand(members.length > 0 ? `${group} ${second}` : group, members, commands);
}

function unknownCommand(
  typed: string,
  members: readonly Command[],
  commands: readonly Command[],
): CliError {
  const candidates =
    members.length > 0
      ? members.map((it) => it.words)
      : [...new Set(commands.flatMap((it) => [it.words, it.words.split(' ')[0] ?? '']))];
  const meant = nearest(typed, candidates);
  const hint = meant === null ? 'See `modelgate help`.' : `Did you mean \`modelgate ${meant}\`?`;
  return new CliError('usage', `There is no command \`${typed}\`. ${hint}`);
}

function overview(commands: readonly Command[]): string {
  const usages = commands.map((it) => [it.words, ...(it.args ?? [])].join(' '));
  const width = Math.max(...usages.map((usage) => usage.length));
  const lines = commands.map((it, i) => `  ${(usages[i] ?? '').padEnd(width)}  ${it.summary}`);
  return [
    'Usage: modelgate COMMAND [--config FILE] [--json] [--help]',
    '',
    ...lines,
    '',
    'All commands except serve, check, doctor, migrate, restore, upgrade, price and key generate call the running server.',
    '',
  ].join('\n');
}

function commandHelp(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const width = Math.max(...options.map(([usage]) => usage.length));
  const lines = options.map(([usage, summary]) => `  --${usage.padEnd(width)}  ${summary}`);
  return [`Usage: ${usageOf(command)}`, '', command.summary, '', ...lines, ''].join('\n');
}

function explain(thrown: unknown, json: boolean, io: CliIo): number {
  if (!(thrown instanceof CliError || thrown instanceof GatewayError)) throw thrown;
  const code = thrown.code ?? 'failed';
  const message = messageOf(thrown);
  io.stderr(json ? `${JSON.stringify({ error: { code, message } })}\n` : `modelgate: ${message}\n`);
  return thrown instanceof CliError ? thrown.exitCode : 1;
}

/**
 * Returns the message for the operator. For a GatewayError this is the message of its cause,
 * because its own message is for callers.
 */
const messageOf = (thrown: CliError | GatewayError): string =>
  thrown instanceof GatewayError && thrown.cause instanceof Error
    ? thrown.cause.message
    : thrown.message;
