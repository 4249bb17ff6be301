/** Resolves the host of an address from outside, and refuses private addresses. */
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
  /** The error for a host, with an address of its own, that is private. */
  readonly refusal: (host: string) => Error;
};

/**
 * Returns the `lookup` of a connection. It connects to exactly the addresses that were checked, so
 * that a name cannot resolve to another one after the check.
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
