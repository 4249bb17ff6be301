/** A parsed JSON object from the wire: any member may be missing or of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, else null. */
export const asJsonObject = (value: unknown): JsonObject | null =>
  isJsonObject(value) ? value : null;

/** The value if it is a string, else null. */
export const asString = (value: unknown): string | null =>
  typeof value === 'string' ? value : null;

/** The object that a text of JSON is; null when it is none, which its reader tells in words of its own. */
export function parsedObject(text: string): JsonObject | null {
  try {
    return asJsonObject(JSON.parse(text));
  } catch {
    return null;
  }
}
