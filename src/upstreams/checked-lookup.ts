/**
 * Resolves host names in URLs from untrusted sources, and refuses private addresses unless the
 * operator allows them.
 */
import { lookup } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { isPrivateHost } from '../config/address.ts';

type Address = { readonly address: string; readonly family: number };
/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly Address[]) => void,
) => void;

export type LookupOptions = {
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
  /** Returns the error for a host with a private address. */
  readonly refusal: (host: string) => Error;
};

/**
 * Returns the `lookup` function of a connection. The connection uses exactly the checked addresses,
 * so that the name cannot resolve to another address after the check.
 */
export const checkedLookup =
  ({
    allowPrivate,
    resolve = resolveAll,
    refusal,
  }: LookupOptions): NonNullable<RequestOptions['lookup']> =>
  (hostname, { all }, done) =>
    resolve(hostname, (error, addresses) => {
      const own = allowPrivate ? undefined : addresses.find((each) => isPrivateHost(each.address));
      const [first] = addresses;
      if (error !== null) done(error, '');
      else if (own !== undefined) done(refusal(`${hostname} (${own.address})`), '');
      else if (first === undefined) done(new Error(`no address is known for ${hostname}`), '');
      else if (all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });

const resolveAll: Resolve = (hostname, done) => lookup(hostname, { all: true }, done);
