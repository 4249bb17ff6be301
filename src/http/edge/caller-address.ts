/** Where a caller is: the other end of the connection, or what the operator's own proxies say of it. */
import { isIP } from 'node:net';

/**
 * Each trusted proxy adds the address it was called from to the end of X-Forwarded-For, so with N of them
 * the N-th from the end is the caller; whatever stands before it, the caller may have made up. A request
 * that came past some of the proxies has fewer, and the first is the farthest that one of them saw.
 *
 * @returns null when it cannot be told, and then no range holds it.
 */
export function callerAddress(
  peer: string | null,
  headers: Headers,
  trustedProxies: number,
): string | null {
  const forwarded = trustedProxies === 0 ? null : headers.get('x-forwarded-for');
  if (forwarded === null) return peer;
  const addresses = forwarded.split(',');
  return withoutPort((addresses[Math.max(0, addresses.length - trustedProxies)] ?? '').trim());
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string | null {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? null : address;
}
