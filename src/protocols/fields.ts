/** The words of the request schemas: each says the sentence a caller reads when a field is wrong. */
import { z } from 'zod';

/** The sentence a caller reads after the field's path: what is missing, or what it must be. */
export function must(be: string): { error: (issue: { readonly input?: unknown }) => string } {
  return {
    error: (issue) =>
      issue.input === undefined ? `field required; it must be ${be}` : `must be ${be}`,
  };
}

export const text = (be = 'a string') => z.string(must(be));

/** Loose: fields that the gateway does not know pass to the upstream. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape, be = 'an object') =>
  z.looseObject(shape, must(be));
