/** Only the fields that have a value. */
export type Given<Values> = {
  readonly [Name in keyof Values]?: Exclude<Values[Name], undefined | null | ''>;
};

/** Removes empty values: the API accepts no empty filter, and an absent field means "unchanged". */
export function given<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
): Given<Values> {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(entries) as Given<Values>;
}
