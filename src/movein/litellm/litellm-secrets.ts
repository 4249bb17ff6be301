/** Converts the credentials of LiteLLM's deployments to stored secrets. */
import { Secret } from '../../config/secret.ts';

const ENVIRONMENT = 'os.environ/';

/** The values of environment variables. Settings refer to them as `os.environ/NAME`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the name in `os.environ/NAME`; null for any other text. */
export const variableIn = (text: string): string | null =>
  text.startsWith(ENVIRONMENT) ? text.slice(ENVIRONMENT.length) : null;

/**
 * If the text is `os.environ/NAME`, returns the value of that variable, or null if it is not set.
 * Returns any other text unchanged.
 */
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

  /**
   * The values of the secrets, by name; null if the environment variable with the value is not set.
   */
  get secrets(): ReadonlyMap<string, Secret | null> {
    return new Map(
      [...this.#values].map(([name, value]) => [name, value === null ? null : new Secret(value)]),
    );
  }

  /**
   * Adds a secret. Returns the text by which a setting refers to it.
   * @param value the credential, or `os.environ/NAME`; then the secret is called `NAME`.
   * @param name the name of the secret for any other `value`, such as `GROQ_API_KEY`.
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

  /** Whether a secret with this name has another value. */
  #isTaken(name: string, value: string | null): boolean {
    return this.#values.has(name) && this.#values.get(name) !== value;
  }
}

/** Maximum length of a name, before a number may be appended or a letter prepended. */
const MAX_NAME_CHARS = 60;

/** Converts a text to a valid name of a stored secret, which must begin with a letter. */
function secretName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_NAME_CHARS);
  return /^[A-Za-z]/.test(plain) ? plain : `S${plain}`;
}
