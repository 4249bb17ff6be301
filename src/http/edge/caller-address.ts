/** Finds the caller's IP address: the connection's peer, or what the operator's proxies report. */
import { isIP } from 'node:net';

/**
 * Returns the caller's IP address; null if unknown. Each trusted proxy appends its peer to
 * X-Forwarded-For. With N proxies, the N-th address from the end is the caller's, and earlier ones
 * can be forged. A request that bypassed a proxy has fewer addresses; then the first one counts.
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

/** Removes the port, which some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string | null {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? null : address;
}
