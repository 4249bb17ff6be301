/** Reads the files that are given as options of `move-in`. */
import { readFile, stat } from 'node:fs/promises';
import { ConfigError } from '../../config/problem.ts';
import { Secret } from '../../config/secret.ts';
import { parseYaml } from '../../config/yaml-file.ts';
import { type NanoAmount, parseAmount } from '../../money/amount.ts';
import { CliError } from '../cli-error.ts';
import type { Input } from '../command.ts';

/** The maximum size of a file in bytes. An export of a million requests has half this size. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Returns the text of the file that an option names; null if the option is not given. */
export async function optionText(input: Input, option: string): Promise<string | null> {
  const path = input.text(option);
  if (path === null) return null;
  try {
    if ((await stat(path)).size <= MAX_FILE_BYTES) return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError('failed', `The file ${path} cannot be read.`, { cause });
  }
  throw new CliError('failed', `The file ${path} is larger than 512 MiB.`);
}

/** Parses the JSON file that an option names; null if the option is not given. */
export async function optionJson(input: Input, option: string): Promise<unknown> {
  const text = await optionText(input, option);
  try {
    return text === null ? null : JSON.parse(text);
  } catch (cause) {
    throw new CliError('failed', `The file ${input.text(option)} is not JSON.`, { cause });
  }
}

/** Parses the YAML file that an option names; null if the option is not given. */
export async function optionYaml(input: Input, option: string): Promise<unknown> {
  const text = await optionText(input, option);
  try {
    return text === null ? null : parseYaml(text, input.text(option) ?? '').value;
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new CliError('failed', cause.message, { cause });
  }
}

/**
 * Returns the trimmed text of the file that an option names; null if the option is not given.
 * @throws CliError if the file is empty or cannot be read.
 */
export async function optionSecret(input: Input, option: string): Promise<Secret | null> {
  const text = (await optionText(input, option))?.trim() ?? null;
  if (text !== '') return text === null ? null : new Secret(text);
  throw new CliError('failed', `The file ${input.text(option)} is empty.`);
}

/** Returns the amount of `--credit`; null if the option is not given. @throws CliError `usage`. */
export function creditOf(input: Input): NanoAmount | null {
  const given = input.text('credit');
  const amount = given === null ? null : parseAmount(given);
  if (given === null || (amount !== null && amount > 0n)) return amount;
  throw new CliError('usage', '--credit must be an amount in USD above zero, such as 5 or 2.50.');
}
