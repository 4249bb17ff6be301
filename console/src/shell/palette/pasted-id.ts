/**
 * Recognizes a pasted id by its prefix as that of a request, a key or an account, so that the
 * command palette can open the page of the request, key or account.
 */

const KINDS = { req: 'request', key: 'key', acc: 'account' } as const;
export type PastedId = {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly id: string;
};

/**
 * Whether the text looks like a redeem code: `MG-` and 25 letters or digits, with or without
 * separators.
 */
export const isRedeemCode = (text: string): boolean =>
  /^MG[0-9A-Z]{25}$/.test(text.toUpperCase().replace(/[\s\p{Pd}_]/gu, ''));

/** The gateway's format of an id: a prefix of three letters and 26 base32 characters. */
const ID = /^(req|key|acc)_[0-9a-z]{26}$/;

/**
 * Parses a pasted id of a request, a key or an account.
 * @returns the id and its kind; null if the text is not such an id.
 */
export function pastedId(text: string): PastedId | null {
  const id = text.trim();
  const [, prefix] = ID.exec(id) ?? [];
  return prefix === 'req' || prefix === 'key' || prefix === 'acc'
    ? { kind: KINDS[prefix], id }
    : null;
}
