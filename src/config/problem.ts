/** Problems of a configuration, with what the author of the file should write instead. */

/** The path of a setting: keys and list positions from the top of the file. */
export type Path = readonly PropertyKey[];

/** A problem whose line in the file is not determined yet. */
export type Finding = Pick<Problem, 'message' | 'isUnknown'> & { readonly path: Path };

export type Problem = {
  /**
   * The file and line, such as `modelgate.yaml:12`, the name of a stored document, or the
   * environment variable at fault.
   */
  readonly where: string;
  /** Path of the setting, such as `models.gen-x.channels`; empty for the file as a whole. */
  readonly path: string;
  /** The problem, and what the author should write instead. */
  readonly message: string;
  /** Whether this version does not know the key or the value, so that another may accept it. */
  readonly isUnknown?: boolean;
};

/** Reports all problems of a configuration at once, so that one start is enough to see them all. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(describe).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }

  /** Whether another version of the program may accept the configuration. */
  get isOfAnotherVersion(): boolean {
    return this.problems.length > 0 && this.problems.every(({ isUnknown }) => isUnknown === true);
  }
}

const describe = ({ where, path, message }: Problem): string =>
  path === '' ? `${where}: ${message}` : `${where}: ${path}: ${message}`;
