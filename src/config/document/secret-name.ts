/** The names of stored secrets, texts that refer to secrets, and the lookup of secrets. */
import type { Secret } from '../secret.ts';

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
export const SECRET_NAME_REMEDY =
  'write up to 64 letters, digits, ".", "_" and "-", beginning with a letter';

/** A stored secret as this process sees it. `unreadable`: no key of the process decrypts it. */
export type FoundSecret =
  | { readonly state: 'ready'; readonly value: Secret }
  | { readonly state: 'unset' | 'unreadable' };
export type FindSecret = (name: string) => FoundSecret;

/** Finds stored secrets once the store is open. Until then, every secret counts as not set. */
export class SecretLookup {
  #find: FindSecret = unknownSecret;

  readonly find: FindSecret = (name) => this.#find(name);

  /** Makes all later lookups use `find`. */
  use(find: FindSecret): void {
    this.#find = find;
  }
}

/** The lookup for commands that do not open the store. For them, no secret is set. */
export function unknownSecret(): FoundSecret {
  return { state: 'unset' };
}

/** A part of a text: a literal, or a reference to a secret by its name. */
export type TextPart = string | { readonly secret: string };

/** A text that refers to secrets. `secret-references.ts` replaces it before validation. */
export class SecretText {
  readonly parts: readonly TextPart[];

  constructor(parts: readonly TextPart[]) {
    this.parts = parts;
  }

  get names(): readonly string[] {
    return this.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.secret]));
  }

  /** Returns the text with the values of the secrets. A secret without a value becomes empty. */
  textWith(values: ReadonlyMap<string, string>): string {
    return this.parts
      .map((part) => (typeof part === 'string' ? part : (values.get(part.secret) ?? '')))
      .join('');
  }
}
