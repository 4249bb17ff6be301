/** Names of stored secrets, texts with references to secrets, and the lookup of secrets by name. */
import type { Secret } from '../secret.ts';

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
export const SECRET_NAME_REMEDY =
  'write up to 64 letters, digits, ".", "_" and "-", beginning with a letter';

/**
 * The result of looking up a stored secret. `unreadable`: none of this process's keys can decrypt
 * the secret.
 */
export type FoundSecret =
  | { readonly state: 'ready'; readonly value: Secret }
  | { readonly state: 'unset' | 'unreadable' };
export type FindSecret = (name: string) => FoundSecret;

/** Looks up stored secrets. Before the store is open, every secret counts as not set. */
export class SecretLookup {
  #find: FindSecret = unknownSecret;

  readonly find: FindSecret = (name) => this.#find(name);

  /** Makes all later lookups use `find`. */
  use(find: FindSecret): void {
    this.#find = find;
  }
}

/** The lookup for commands that do not open the store. It finds no secrets. */
export function unknownSecret(): FoundSecret {
  return { state: 'unset' };
}

/** A part of a text: a literal, or a reference to a secret by its name. */
export type TextPart = string | { readonly secret: string };

/** A text with references to secrets. `secret-references.ts` resolves it before validation. */
export class SecretText {
  readonly parts: readonly TextPart[];

  constructor(parts: readonly TextPart[]) {
    this.parts = parts;
  }

  get names(): readonly string[] {
    return this.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.secret]));
  }

  /**
   * Returns the text with each reference replaced by the secret's value; by an empty text if the
   * secret has no value.
   */
  textWith(values: ReadonlyMap<string, string>): string {
    return this.parts
      .map((part) => (typeof part === 'string' ? part : (values.get(part.secret) ?? '')))
      .join('');
  }
}
