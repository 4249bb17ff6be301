/** Only what was given. */
export type Given<Values> = {
  readonly [Name in keyof Values]?: Exclude<Values[Name], undefined | null | ''>;
};

/** Without the values that say nothing: the API takes no empty filter, and an absent field for "as it is". */
export function given<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
): Given<Values> {
  const said = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(said) as Given<Values>;
}
