/**
 * Stores keys that are typed in the form of an upstream. Each becomes a new secret to which the
 * settings refer, so that restoring an earlier revision restores the earlier key.
 */

import {
  freeSecretName,
  type NewSecret,
  withSecrets,
} from '#screens/admin/secrets/secret-queries.ts';
import type { SettingField } from '#screens/admin/settings/config-queries.ts';
import { patchConfig, type SendChange } from '#screens/admin/settings/config-queries.ts';
import type { Edits } from '#screens/admin/settings/setting-edits.ts';
import { patchOf, pathOf } from '#screens/admin/settings/setting-edits.ts';
import type { Sender } from '#screens/admin/settings/settings-form.tsx';

/** Matches values that the settings may contain: references to secrets, or `none` for no key. */
const REFERENCE = /^(?:none|(?:\$\{[^}]*\})+)$/;

export type Referring = { readonly edits: Edits; readonly secrets: readonly NewSecret[] };

/** Returns the edits with each typed key replaced by a reference, and the keys to store. */
export function referring(
  fields: readonly SettingField[],
  edits: Edits,
  taken: ReadonlySet<string>,
): Referring {
  const names = new Set(taken);
  const secrets: NewSecret[] = [];
  const changed = new Map(edits);
  for (const [path, value] of edits) {
    const field = fields.find((each) => pathOf(each) === path && each.type === 'secret');
    if (field === undefined || typeof value !== 'string' || REFERENCE.test(value)) continue;
    const [, upstream = '', ...inner] = field.keys;
    const name = freeSecretName(upstream, inner.at(-1) ?? '', names);
    names.add(name);
    secrets.push({ name, value });
    changed.set(path, `\${secret:${name}}`);
  }
  return { edits: changed, secrets };
}

/**
 * Returns the function that sends the edits. It stores the typed keys first, except in a dry run.
 */
export const storingSecrets =
  (revision: number, taken: ReadonlySet<string>): Sender =>
  (fields, edits): SendChange => {
    const { edits: changed, secrets } = referring(fields, edits, taken);
    const send = patchConfig(revision, patchOf(fields, changed));
    return async (options) => {
      if (options.dry_run === undefined) return await withSecrets(secrets, () => send(options));
      const plan = await send(options);
      // The secrets are stored only when the change is saved, so the dry run reports them as
      // missing. These warnings are removed.
      const isStored = (path: string): boolean =>
        changed.has(path) && edits.get(path) !== changed.get(path);
      const warnings = plan.warnings.filter(
        ({ code, path }) => code !== 'secret_missing' || !isStored(path),
      );
      return { ...plan, warnings };
    };
  };
