/** Masks the secrets in a document, and restores them when the edited document is sent back. */
import * as z from 'zod';
import type { Path } from '../problem.ts';
import { fileSchema } from '../schema.ts';
import { hasSecret, settle, stepInto, valueAt } from '../schema-path.ts';
import { secrets } from '../values.ts';
import type { Document } from './document.ts';
import { built } from './on-demand.ts';

/**
 * The text that is shown instead of a secret. In an edited document, it means that the secret is
 * unchanged.
 */
export const HIDDEN = '***';
/** The error message for a `***` for which there is no secret. */
export const IS_HIDDEN = `is ${HIDDEN}, which stands for a stored secret; write the secret itself`;

/**
 * Matches text that consists only of references without a default value. It names variables, files
 * or secrets, but contains no secret.
 */
const REFERENCES = /^(?:\$\{(?:(?!:-)[^}])*\})+$/;

const isPlain = (value: string, shown: readonly string[]): boolean =>
  value !== '' && !shown.includes(value) && !REFERENCES.test(value);

/** Returns the document with `***` for every plain-text secret. References stay. */
export const withoutSecrets = (document: Document): Document =>
  mapped(document, (value, shown) => (isPlain(value, shown) ? HIDDEN : value));

/** Returns the paths of all secrets in the document that are plain text instead of references. */
export function plainSecrets(document: Document): readonly Path[] {
  const found: Path[] = [];
  mapped(document, (value, shown, path) => {
    if (isPlain(value, shown)) found.push(path);
    return value;
  });
  return found;
}

/** Returns the paths of all secrets that are `***`, as in an exported document. */
export const hiddenSecrets = (document: Document): readonly Path[] =>
  withSecretsOf({}, document).unknown;

/**
 * A document with restored secrets. `unknown` contains the paths of each `***` for which no secret
 * was found.
 */
export type Restored = { readonly document: Document; readonly unknown: readonly Path[] };

/** Returns the document with each `***` replaced by the secret at the same path in `current`. */
export function withSecretsOf(current: Document, document: Document): Restored {
  const unknown: Path[] = [];
  const restored = mapped(document, (value, _, path) => {
    if (value !== HIDDEN) return value;
    const known = valueAt(current, path);
    if (typeof known === 'string') return known;
    unknown.push(path);
    return value;
  });
  return { document: restored, unknown };
}

/**
 * Returns the text that replaces the `value` of a secret field. `shown` lists the values of this
 * field that need no masking, such as `sqlite`.
 */
type Replace = (value: string, shown: readonly string[], path: Path) => string;

const mapped = (document: Document, replace: Replace): Document =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      // Skips the sections that cannot contain secrets, such as `models`, which may have thousands
      // of records.
      WITH_SECRETS.has(name)
        ? mappedAt(schemas().get(name), value, { path: [name], replace })
        : value,
    ]),
  );

const schemas = built(
  (): ReadonlyMap<string, unknown> => new Map(Object.entries(fileSchema().shape)),
);
/** The names of the sections that can contain secrets. */
const WITH_SECRETS: ReadonlySet<string> = new Set(
  [...schemas()].filter(([, schema]) => hasSecret(schema)).map(([name]) => name),
);

type Place = { readonly path: Path; readonly replace: Replace };

function mappedAt(schema: unknown, value: unknown, { path, replace }: Place): unknown {
  const { schema: settled } = settle(schema, value);
  const hidden = settled instanceof z.ZodType ? secrets.get(settled) : undefined;
  if (hidden !== undefined && typeof value === 'string') {
    return replace(value, hidden.shown, path);
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = (key: string): unknown => {
    // If a secret field is a map or a list, each value in it is secret, such as each header of an
    // upstream.
    if (hidden !== undefined) return settled instanceof z.ZodRecord ? SECRET_TEXT : settled;
    return stepInto(settled, key);
  };
  const at = (key: string, each: unknown): unknown =>
    mappedAt(inner(key), each, { path: [...path, key], replace });
  if (Array.isArray(value)) return value.map((each, index) => at(String(index), each));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, at(key, each)]));
}

const SECRET_TEXT = z.string();
secrets.add(SECRET_TEXT, { shown: [] });
