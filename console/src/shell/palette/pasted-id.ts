/** Ids, told apart by their beginning: whoever has copied one wants to see what it is of. */

const KINDS = { req: 'request', key: 'key', acc: 'account' } as const;
export type PastedId = {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly id: string;
};

/** As the gateway makes them: a prefix of three letters, and 26 characters of base 32. */
const ID = /^(req|key|acc)_[0-9a-z]{26}$/;

/** @returns null when the text is no id that a page shows. */
export function pastedId(text: string): PastedId | null {
  const id = text.trim();
  const [, prefix] = ID.exec(id) ?? [];
  return prefix === 'req' || prefix === 'key' || prefix === 'acc'
    ? { kind: KINDS[prefix], id }
    : null;
}
