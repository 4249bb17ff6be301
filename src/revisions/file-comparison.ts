/** Compares a node's own file with the settings in the database, which are in force. */
import type { Clock } from '../clock.ts';
import type { Document } from '../config/document/document.ts';
import { inSlices } from '../config/document/steps.ts';
import { ConfigError } from '../config/problem.ts';
import type { Revision } from './config-revisions.ts';
import { differenceSteps } from './difference.ts';

export type FileComparisonDeps = {
  /** Returns the part of the file that could be in the database instead. @throws ConfigError */
  readonly source: { readonly ofFile: () => Document };
  readonly clock: Clock;
  readonly log: { readonly warn: (fields: object, message: string) => void };
};

export class FileComparison {
  readonly #deps: FileComparisonDeps;
  /**
   * The result of `ofFile` that was last compared with the database. `ofFile` returns another
   * object only after the file has changed.
   */
  #compared: Document | null = null;
  /** The error of the file that was last logged; null if the file has none. */
  #error: string | null = null;

  constructor(deps: FileComparisonDeps) {
    this.#deps = deps;
  }

  /**
   * Logs a warning if the file has an error, or if its settings differ from those in the database,
   * once for each change of the file.
   */
  async compare({ document, revision }: Revision, file: string): Promise<void> {
    const ofFile = this.#read(file);
    if (ofFile === null || ofFile === this.#compared) return;
    this.#compared = ofFile;
    const steps = differenceSteps(document, ofFile);
    const { length: places } = await inSlices(steps, this.#deps.clock);
    if (places === 0) return;
    this.#deps.log.warn(
      { places, revision, file },
      'the file differs from the configuration in the database, which is in force; ' +
        '`modelgate config diff` shows where, and `modelgate config import` stores the file',
    );
  }

  #read(file: string): Document | null {
    const before = this.#error;
    this.#error = null;
    try {
      return this.#deps.source.ofFile();
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      this.#error = thrown.message;
      if (thrown.message === before) return null;
      this.#deps.log.warn(
        { problems: thrown.message, file },
        'the file has an error, so this node keeps its start settings; it still follows the ' +
          'configuration in the database, but cannot start again until the file is correct',
      );
      return null;
    }
  }
}
