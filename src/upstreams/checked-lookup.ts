/**
 * Resolves host names in URLs from untrusted sources, and refuses private addresses unless the
 * operator allows them.
 */
import type { RequestOptions } from 'node:http';
import { dns } from 'bun';
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
      if (error !== null) return done(error, '');
      const own = allowPrivate ? undefined : addresses.find((each) => isPrivateHost(each.address));
      const [first] = addresses;
      if (own !== undefined) done(refusal(`${hostname} (${own.address})`), '');
      else if (first === undefined) done(new Error(`no address is known for ${hostname}`), '');
      else if (all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });

/**
 * Resolves on the event loop. With the resolver of the system, each name whose servers do not
 * answer would occupy one of the runtime's few threads, and the lookups of upstreams would wait.
 */
const resolveAll: Resolve = (hostname, done) =>
  void dns.lookup(hostname, { backend: 'c-ares' }).then(
    (addresses) => done(null, addresses),
    (error: Error) => done(error, []),
  );
