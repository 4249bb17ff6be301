/** The fields of `Values`, but a field without a value is absent. */
export type Given<Values> = {
  readonly [Name in keyof Values]?: Exclude<Values[Name], undefined | null | ''>;
};

/**
 * Removes fields without a value, because the API rejects an empty filter, and leaves a setting
 * unchanged if its field is absent.
 */
export function given<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
): Given<Values> {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(entries) as Given<Values>;
}
