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
