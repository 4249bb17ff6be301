/** Like `Values`, but without the fields that have no value. */
export type Given<Values> = {
  readonly [Name in keyof Values]?: Exclude<Values[Name], undefined | null | ''>;
};

/** Removes empty values. The API rejects an empty filter and leaves an absent field unchanged. */
export function given<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
): Given<Values> {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(entries) as Given<Values>;
}
