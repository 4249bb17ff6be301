/** Turns the credentials of LiteLLM's deployments into stored secrets. */
import { Secret } from '../../config/secret.ts';

const ENVIRONMENT = 'os.environ/';

/** The known values of variables, which texts such as `os.environ/NAME` refer to. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the name in `os.environ/NAME`; null for any other text. */
export const variableIn = (text: string): string | null =>
  text.startsWith(ENVIRONMENT) ? text.slice(ENVIRONMENT.length) : null;

/** Returns the text, or the value of the variable that it names; null if no such value is set. */
export function resolved(text: string, variables: Variables): string | null {
  const variable = variableIn(text);
  return variable === null ? text : (variables[variable] ?? null);
}

/** Collects secrets by name. Equal values share one secret. */
export class SecretBook {
  readonly #variables: Variables;
  readonly #values = new Map<string, string | null>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** The secrets by name; the value is null if the variable is not set. */
  get secrets(): ReadonlyMap<string, Secret | null> {
    return new Map(
      [...this.#values].map(([name, value]) => [name, value === null ? null : new Secret(value)]),
    );
  }

  /**
   * Returns the reference to a secret for a setting.
   * @param name the secret's name if `value` names no variable, such as `GROQ_API_KEY`.
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

  /** Whether the name is already used for another value. */
  #isTaken(name: string, value: string | null): boolean {
    return this.#values.has(name) && this.#values.get(name) !== value;
  }
}

/** Maximum length of a name. It leaves space to append a number and to prepend a letter. */
const MAX_NAME_CHARS = 60;

/** Returns a valid name for a stored secret, which must begin with a letter. */
function secretName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_NAME_CHARS);
  return /^[A-Za-z]/.test(plain) ? plain : `S${plain}`;
}
