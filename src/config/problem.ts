/** Problems of a configuration. Each says what the author of the file should write instead. */

/** The path of a setting from the root of the file: keys and list indexes. */
export type Path = readonly PropertyKey[];

/** A problem whose file and line are not determined yet. */
export type Finding = Pick<Problem, 'message' | 'isUnknown'> & { readonly path: Path };

export type Problem = {
  /**
   * The place of the problem: a file and line such as `modelgate.yaml:12`, the name of a stored
   * document, or the name of an environment variable.
   */
  readonly where: string;
  /**
   * The path of the setting, such as `models.gen-x.channels`; empty if the problem concerns the
   * whole file.
   */
  readonly path: string;
  /** The problem, and what the author should write instead. */
  readonly message: string;
  /** Whether the key or value is unknown in this version, so that another version may accept it. */
  readonly isUnknown?: boolean;
};

/** An error that contains all problems of a configuration, so that one start reports them all. */
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
