/** Who asks: accounts and their API keys. Money is the ledger's; this room knows names, keys and rights. */

/** An authenticated key: what the rest of a request needs to know of who asks. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether a wallet that is short may draw on the other currency (default true). */
  readonly allowExchange: boolean;
};
