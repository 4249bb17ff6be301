/** A parsed JSON object from the wire: any member may be missing or of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asJsonObject = (value: unknown): JsonObject | null =>
  isJsonObject(value) ? value : null;

export const asString = (value: unknown): string | null =>
  typeof value === 'string' ? value : null;

export const asFilledString = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Applies `change` to each element. Returns the same list if no element changes. */
export function changedList(
  list: readonly unknown[],
  change: (each: unknown) => unknown,
): readonly unknown[] {
  const made = list.map(change);
  return made.some((each, at) => each !== list[at]) ? made : list;
}

/**
 * Parses a JSON object; null for other text. Pass `parseExact` as `parse` if the object will be
 * forwarded.
 */
export function parsedObject(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): JsonObject | null {
  try {
    return asJsonObject(parse(text));
  } catch {
    return null;
  }
}
