/**
 * Resolves references to stored secrets. Only credentials may refer to stored secrets, because no
 * API returns credentials. Credentials that are needed at startup may not refer to them, because a
 * gateway must start even if the key that encrypts the secrets is lost.
 */
import * as z from 'zod';
import type { Path } from '../problem.ts';
import { fileSchema } from '../schema.ts';
import { settledAlong } from '../schema-path.ts';
import { secrets } from '../values.ts';
import type { YamlFile } from '../yaml-file.ts';
import type { FindSecret, FoundSecret, SecretText } from './secret-name.ts';

/** A setting that refers to a stored secret. */
export type SecretUse = {
  readonly name: string;
  readonly path: readonly string[];
  /**
   * The reason why the setting has no value, and how to fix it; null if the setting has a value.
   */
  readonly problem: string | null;
  /**
   * Returns the reason why the setting would refuse this value; null if it would accept the value.
   */
  readonly misfit: (value: string) => string | null;
};

/**
 * The sections whose credentials may refer to stored secrets. The credentials of all other sections
 * are needed at startup.
 */
const SECTIONS = [
  ...['upstreams', 'images', 'payments', 'alerts', 'mail', 'tracing'],
  'console.oidc',
];

const isInSection = (path: readonly string[]): boolean =>
  SECTIONS.some((section) => `${path.join('.')}.`.startsWith(`${section}.`));

/** The text that replaces a missing value. No server accepts it as a credential. */
const STAND_IN = 'secret-is-not-available';

/** Returns the paths of the settings to remove if the setting at `path` has no value. */
function leftOut(path: readonly string[]): readonly Path[] {
  const [section, name = '', part = ''] = path;
  switch (section) {
    case 'upstreams':
      return part === 'reconcile' ? [['upstreams', name, part]] : [];
    case 'payments':
      return [['payments', name]];
    // Alerts must never be sent without a signature. If the signing secret is missing, they are
    // only logged.
    case 'alerts':
      return [
        ['alerts', 'webhook_url'],
        ['alerts', 'webhook_secret'],
      ];
    // Without its password, the mail server would refuse every email. Therefore email is disabled.
    case 'mail':
      return [['mail']];
    case 'tracing':
      return [path];
    default:
      return [];
  }
}

/** Returns a copy of `value` without the entry at the path. */
function without(value: unknown, [key, ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  );
}

/** Resolves the references to secrets in one file, and records them in `uses`. */
export class SecretReferences {
  readonly uses: SecretUse[] = [];
  readonly #value: unknown;
  readonly #find: FindSecret;

  /** @param file the parsed file before its references are resolved. */
  constructor(file: Pick<YamlFile, 'value'>, find: FindSecret) {
    this.#value = file.value;
    this.#find = find;
  }

  /**
   * Returns the text with the values of its secrets. Returns a placeholder if a secret is missing,
   * if the setting refuses the resulting text, or if the setting may not refer to secrets.
   */
  resolve(text: SecretText, path: Path, note: (problem: string) => void): string {
    const along = settledAlong(fileSchema(), this.#value, path);
    const schema = along.at(-1);
    // The schema itself reports an unknown setting.
    if (!(schema instanceof z.ZodType)) return STAND_IN;
    const names = path.map(String);
    const isHidden = along.some((each) => each instanceof z.ZodType && secrets.has(each));
    if (!isHidden || !isInSection(names)) {
      note(refusal(text));
      return STAND_IN;
    }
    const found = new Map(text.names.map((name) => [name, this.#find(name)]));
    const values = new Map([...found].flatMap(([name, secret]) => valueIn(name, secret)));
    const value = text.textWith(values);
    const isComplete = values.size === found.size;
    const misfit = isComplete ? misfitOf(schema, value) : null;
    for (const [name, { state }] of found) {
      this.uses.push({
        name,
        path: names,
        problem: problemOf(name, state, misfit),
        misfit: (other) => misfitOf(schema, text.textWith(new Map([...values, [name, other]]))),
      });
    }
    return isComplete && misfit === null ? value : (secrets.get(schema)?.standIn ?? STAND_IN);
  }

  /** Removes the optional settings whose secret is missing or invalid. */
  withoutMissing(resolved: unknown): unknown {
    let value = resolved;
    for (const { path, problem } of this.uses) {
      if (problem !== null) for (const left of leftOut(path)) value = without(value, left);
    }
    return value;
  }
}

const valueIn = (name: string, secret: FoundSecret): readonly (readonly [string, string])[] =>
  secret.state === 'ready' ? [[name, secret.value.reveal()]] : [];

const refusal = ({ names: [name = ''] }: SecretText): string =>
  `cannot refer to a secret: only credentials in ${SECTIONS.join(', ')} can refer to one; write \${NAME} or \${file:/absolute/path} instead of \${secret:${name}}`;

/**
 * Returns the reason why the setting refuses the value; null if it accepts the value. The reason
 * never contains the value.
 */
function misfitOf(schema: z.ZodType, value: string): string | null {
  const { error } = schema.safeParse(value);
  return error === undefined ? null : (error.issues[0]?.message ?? 'the setting refuses it');
}

function problemOf(
  name: string,
  state: FoundSecret['state'],
  misfit: string | null,
): string | null {
  const enter = `enter it with \`modelgate secrets set ${name}\``;
  switch (state) {
    case 'ready':
      return misfit === null ? null : `the secret ${name} is not valid: ${misfit}; ${enter}`;
    case 'unset':
      return `the secret ${name} is not set; ${enter}`;
    case 'unreadable':
      return `the secret ${name} cannot be decrypted with this node's key; restore the key, or ${enter}`;
  }
}
