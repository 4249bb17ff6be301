/** Writes the new secrets of imported keys to a file, because a secret is shown only once. */
import { unlinkSync, writeFileSync } from 'node:fs';
import type { Secret } from '../../config/secret.ts';
import type { MovedAccount, MovedItem } from '../../movein/move-in.ts';
import { CliError } from '../cli-error.ts';

export class NewKeysFile {
  readonly #path: string;
  readonly #lines: ReadonlyMap<string, string>;

  constructor(
    path: string,
    accounts: readonly MovedAccount[],
    secrets: ReadonlyMap<string, Secret>,
  ) {
    this.#path = path;
    this.#lines = new Map(
      accounts.flatMap(({ keys }) =>
        keys.map(({ ref, name }) => [ref, lineOf(name, secrets.get(ref))] as const),
      ),
    );
  }

  /**
   * Writes all new secrets before the keys are imported, so that an interrupted run loses none.
   * @throws CliError if the file exists or cannot be written.
   */
  create(): void {
    this.#write([...this.#lines.values()], 'wx');
  }

  /**
   * Removes the secrets of keys that this run has not imported. Removes the file if the run has
   * imported no key.
   */
  keep(items: readonly MovedItem[]): void {
    const moved = items.filter(({ kind, state }) => kind === 'key' && state === 'moved');
    const lines = moved.flatMap(({ ref }) => this.#lines.get(ref) ?? []);
    if (lines.length === 0) unlinkSync(this.#path);
    else this.#write(lines, 'w');
  }

  #write(lines: readonly string[], flag: 'w' | 'wx'): void {
    try {
      writeFileSync(this.#path, ['name,key', ...lines, ''].join('\n'), { flag, mode: 0o600 });
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'failed';
      const message = `The file ${this.#path} cannot be written (${reason}). Name a new file.`;
      throw new CliError('failed', message, { cause });
    }
  }
}

const lineOf = (name: string, secret: Secret | undefined): string =>
  `"${name.replaceAll('"', '""')}",${secret?.reveal() ?? ''}`;
