/** Reads the activity that OpenRouter exports as CSV, one row per request. */

import { GatewayError } from '../../errors.ts';
import { csvLines } from '../../reconcile/csv-report.ts';
import { UnknownSource } from '../source-tables.ts';

/**
 * The models that were used, and the names of the keys that used them. A model is identified by a
 * permanent name and a variant.
 */
export type Activity = {
  readonly requests: number;
  readonly models: readonly { readonly permaslug: string; readonly variant: string }[];
  readonly keyNames: readonly string[];
};

const MODEL = 'model_permaslug';
const STANDARD = 'standard';

/** Parses the CSV. @throws UnknownSource if the text is not an export of activity. */
export function activityOf(text: string): Activity {
  const [header = [], ...rows] = linesOf(text);
  const at = (column: string): number => header.findIndex((name) => name.trim() === column);
  const [model, variant, key] = [at(MODEL), at('variant'), at('api_key_name')];
  if (model < 0)
    throw new UnknownSource(
      `The file has no column ${MODEL}, so it is not an export of OpenRouter.`,
    );
  const used = rows.map((row) => ({
    permaslug: row[model]?.trim() ?? '',
    variant: row[variant]?.trim() || STANDARD,
  }));
  const known = used.filter(({ permaslug }) => permaslug !== '');
  const models = new Map(known.map((each) => [`${each.permaslug}:${each.variant}`, each]));
  const names = rows.map((row) => row[key]?.trim() ?? '').filter((name) => name !== '');
  return { requests: rows.length, models: [...models.values()], keyNames: [...new Set(names)] };
}

function linesOf(text: string): readonly (readonly string[])[] {
  try {
    return csvLines(text);
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause;
    throw new UnknownSource(cause.message, { cause });
  }
}

/**
 * Whether a model in OpenRouter's list (`id` and `slug`) is a model in the activity (`permaslug`
 * and `variant`).
 */
export const isNamed = (id: string, slug: string, permaslug: string, variant: string): boolean =>
  slug === permaslug && (id.split(':')[1] ?? STANDARD) === variant;
