/** Describes a command as data, and parses its arguments. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { nearest } from '../config/nearest.ts';
import type { AdminCall, AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';

/**
 * Options as the help shows them, with their summaries: `{ 'account ID': 'only this account' }`. An
 * option without a placeholder for a value is a switch.
 */
export type Options = Readonly<Record<string, string>>;

export type Command = {
  /** The words that select the command, such as `key create`. */
  readonly words: string;
  readonly summary: string;
  /**
   * The placeholders for the arguments in the help text. Only the last argument can be optional,
   * which is written as `[ARGUMENT]`.
   */
  readonly args?: readonly string[];
  readonly options?: Options;
  /** The names of the options that must be given. */
  readonly required?: readonly string[];
  readonly run: (context: CommandContext, input: Input) => Promise<number>;
};

export type CommandContext = {
  readonly clock: Clock;
  /** Returns a client for the configured server. */
  readonly connect: () => Promise<AdminClient>;
  /** Prints `json` if --json was given, otherwise the text. */
  readonly print: (json: unknown, text: () => string) => void;
};

/** Sends one call to the server and prints its answer. */
export async function printAnswer<Schema extends z.ZodType>(
  { connect, print }: CommandContext,
  call: AdminCall,
  schema: Schema,
  text: (answer: z.infer<Schema>) => string,
): Promise<number> {
  const client = await connect();
  const answer = await client.call(call, schema);
  print(answer, () => text(answer));
  return 0;
}

export class Input {
  readonly #args: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(args: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.#args = args;
    this.#values = values;
  }

  arg(position: number): string {
    return this.#args[position] ?? '';
  }

  /** Returns the value of an option; null if the option was not given. */
  text(name: string): string | null {
    const value = this.#values[name];
    return typeof value === 'string' ? value : null;
  }

  has(name: string): boolean {
    return this.#values[name] === true;
  }
}

/** Reads a file that an argument or an option names. @throws CliError if it cannot be read. */
export async function contentsOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new CliError('failed', `The file ${file} cannot be read.`, { cause });
  }
}

/** The options of every command. */
export const COMMON_OPTIONS: Options = {
  'config FILE': 'the configuration file to use',
  json: 'print JSON',
  help: 'show help for the command',
};

export const optionsOf = (command: Command): Options => ({ ...command.options, ...COMMON_OPTIONS });

/** Returns the name of each option, and the placeholder for its value; null for a switch. */
export const listed = (options: Options = {}) =>
  Object.keys(options).map((usage) => {
    const [name = '', value = null] = usage.split(' ');
    return { name, value };
  });

/** Returns the usage line of a command, such as `key create --name NAME [--account ID]`. */
export function usageOf(command: Command): string {
  const options = Object.keys(command.options ?? {}).map((option) =>
    command.required?.includes(option.split(' ')[0] ?? '') ? `--${option}` : `[--${option}]`,
  );
  return ['modelgate', command.words, ...(command.args ?? []), ...options].join(' ');
}

/**
 * Parses the arguments of a command.
 * @throws CliError `usage` for unknown, missing or surplus arguments.
 */
export function parseInput(command: Command, argv: readonly string[]): Input {
  const known = listed(optionsOf(command));
  const options = Object.fromEntries(
    known.map(({ name, value }) => [name, optionConfig(name, value)]),
  );
  const { tokens, positionals, values } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(command, known, token);
  }
  const input = new Input(positionals, values);
  if (input.has('help')) return input;
  checkComplete(command, positionals, input);
  return input;
}

const optionConfig = (name: string, value: string | null) =>
  ({
    type: value === null ? 'boolean' : 'string',
    ...(name === 'help' ? { short: 'h' } : {}),
  }) as const;

type OptionToken = { readonly name: string; readonly rawName: string; readonly value?: unknown };

function checkOption(
  command: Command,
  known: ReturnType<typeof listed>,
  { name, rawName, value }: OptionToken,
): void {
  const option = known.find((it) => it.name === name);
  if (option === undefined) {
    const names = known.map((it) => it.name);
    const meant = nearest(name, names);
    const hint =
      meant === null ? `It takes ${names.map(flag).join(', ')}` : `Did you mean ${flag(meant)}?`;
    throw usage(command, `\`${command.words}\` has no option ${rawName}. ${hint}`);
  }
  if (option.value === null && value !== undefined) {
    throw usage(command, `${rawName} is a switch and takes no value.`);
  }
  // If the value starts with `--`, it is the next option, so the value of this option is missing.
  if (
    option.value !== null &&
    (typeof value !== 'string' || value === '' || value.startsWith('--'))
  ) {
    throw usage(command, `${rawName} needs a value: ${rawName} ${option.value}.`);
  }
}

function checkComplete(command: Command, positionals: readonly string[], input: Input): void {
  const { args = [], options, required = [] } = command;
  const missing = args[positionals.length];
  if (missing?.startsWith('[') === false) throw usage(command, `${missing} is missing.`);
  const extra = positionals[args.length];
  if (extra !== undefined)
    throw usage(command, `${JSON.stringify(extra)} is one argument too many.`);
  for (const { name, value } of listed(options)) {
    if (required.includes(name) && input.text(name) === null) {
      throw usage(command, `--${name} ${value ?? ''} is required.`);
    }
  }
}

const flag = (name: string): string => `--${name}`;

const usage = (command: Command, problem: string): CliError =>
  new CliError('usage', `${problem}\nUsage: ${usageOf(command)}`);
