/** Parses untrusted JSON. */

export type JsonObject = { readonly [name: string]: unknown };

export const asObject = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
export const asCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Parses a JSON object.
 * @returns null when the text is not a JSON object.
 */
export function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}
