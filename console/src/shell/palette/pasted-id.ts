/** Recognizes pasted ids by their prefix, to open what they identify. */

const KINDS = { req: 'request', key: 'key', acc: 'account' } as const;
export type PastedId = {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly id: string;
};

/** The gateway's format: a prefix of three letters and 26 base32 characters. */
const ID = /^(req|key|acc)_[0-9a-z]{26}$/;

/** @returns null unless the text is an id that has a page. */
export function pastedId(text: string): PastedId | null {
  const id = text.trim();
  const [, prefix] = ID.exec(id) ?? [];
  return prefix === 'req' || prefix === 'key' || prefix === 'acc'
    ? { kind: KINDS[prefix], id }
    : null;
}
