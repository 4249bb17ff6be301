/** The credentials of LiteLLM's deployments, which become stored secrets. */
import { Secret } from '../../config/secret.ts';

const ENVIRONMENT = 'os.environ/';

/** The variables that `os.environ/NAME` refers to, as far as they are known. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the name in `os.environ/NAME`; null for a text that is no reference. */
export const variableIn = (text: string): string | null =>
  text.startsWith(ENVIRONMENT) ? text.slice(ENVIRONMENT.length) : null;

/** Returns what a setting stands for; null if its variable is not set. */
export function resolved(text: string, variables: Variables): string | null {
  const variable = variableIn(text);
  return variable === null ? text : (variables[variable] ?? null);
}

/** Collects secrets by name. A value that occurs twice is one secret. */
export class SecretBook {
  readonly #variables: Variables;
  readonly #values = new Map<string, string | null>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** The secrets by name; null for one whose variable is not set. */
  get secrets(): ReadonlyMap<string, Secret | null> {
    return new Map(
      [...this.#values].map(([name, value]) => [name, value === null ? null : new Secret(value)]),
    );
  }

  /**
   * Returns the reference to a secret for a setting.
   * @param name for a value that is written out, such as `GROQ_API_KEY`.
   */
  reference(value: string, name: string): string {
    const variable = variableIn(value);
    const wanted = secretName(variable ?? name);
    const found = variable === null ? value : (this.#variables[variable] ?? null);
    let [free, next] = [wanted, 2];
    while (this.#isTaken(free, found)) {
      free = `${wanted}_${next}`;
      next += 1;
    }
    this.#values.set(free, found);
    return `\${secret:${free}}`;
  }

  /** Whether the name belongs to another value. */
  #isTaken(name: string, value: string | null): boolean {
    return this.#values.has(name) && this.#values.get(name) !== value;
  }
}

/** Leaves room for a number and a letter. */
const MAX_NAME_CHARS = 60;

/** Returns a name that a stored secret may have: a variable may begin with `_`. */
function secretName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_NAME_CHARS);
  return /^[A-Za-z]/.test(plain) ? plain : `S${plain}`;
}
