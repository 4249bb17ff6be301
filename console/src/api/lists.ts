/** Lists of names from the API contract. The compiler checks that the lists are complete. */

/** Lists all names of a union in display order. A missing or unknown name does not compile. */
export const every = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(names) as Name[];

/** Narrows `value` to one of the names; undefined for any other value. */
export const oneOf = <Name extends string>(
  names: readonly Name[],
  value: unknown,
): Name | undefined => names.find((name) => name === value);
