/** Lists of names that the contract knows, which the compiler compares with it. */

/** Every name of a union, in the order they are written: one that is missing or unknown does not compile. */
export const every = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(names) as Name[];

/** The name that `value` is, if it is one of them. */
export const oneOf = <Name extends string>(
  names: readonly Name[],
  value: unknown,
): Name | undefined => names.find((name) => name === value);
