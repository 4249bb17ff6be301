/** The caller's IP address: the peer of the connection, or what the operator's proxies report. */
import { isIP } from 'node:net';

/**
 * Each trusted proxy appends the address of its peer to X-Forwarded-For. With N proxies the N-th
 * address from the end is the caller; anything before it can be forged. A request that bypassed
 * some of the proxies has fewer addresses, and the first one counts.
 *
 * @returns null if unknown; no IP range contains it then.
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

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string | null {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? null : address;
}
