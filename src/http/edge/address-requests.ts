/**
 * Finds the caller's IP address, and limits how many requests of one address run at once, whether
 * or not they have a key. Requests are counted because the runtime does not report connections.
 */
import { isIP } from 'node:net';
import { parseAddress } from '../../accounts/limits/ip-range.ts';
import { GatewayError } from '../../errors.ts';

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

/**
 * The number of ignored bits of an IPv6 address: a client usually has a whole /64 network, so all
 * addresses in it count as one.
 */
const INTERFACE_BITS = 64n;

/** Returns the key under which a client is counted: its address, or the /64 of an IPv6 address. */
export function countedAddress(address: string | null): string {
  if (address === null) return 'unknown';
  if (!address.includes(':')) return address;
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  // IPv4-mapped IPv6 addresses are parsed to 32 bits. The colon distinguishes their keys from those
  // of IPv4 addresses.
  return parsed.bits === 32 ? `:${parsed.value}` : `:${parsed.value >> INTERFACE_BITS}/64`;
}

export class AddressRequests {
  readonly #most: number;
  /** The number of running requests by address. An address has an entry only while requests run. */
  readonly #running = new Map<string, number>();
  #refused = 0;

  /** @param most the maximum number of requests of an address at once; 0 for no limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of requests that were refused. */
  get refused(): number {
    return this.#refused;
  }

  /** The number of running requests of the busiest address. */
  get busiest(): number {
    let most = 0;
    for (const running of this.#running.values()) if (running > most) most = running;
    return most;
  }

  /**
   * Counts a request until `leave` is called with the returned key. Returns null if there is no
   * limit.
   * @param address returns the caller's IP address, or null if unknown.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  enter(address: () => string | null): string | null {
    if (this.#most === 0) return null;
    const counted = countedAddress(address());
    const running = this.#running.get(counted) ?? 0;
    if (running >= this.#most) {
      this.#refused += 1;
      throw tooManyRequests(this.#most);
    }
    this.#running.set(counted, running + 1);
    return counted;
  }

  leave(counted: string): void {
    const running = this.#running.get(counted) ?? 0;
    if (running > 1) this.#running.set(counted, running - 1);
    else this.#running.delete(counted);
  }
}

const tooManyRequests = (most: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `${most} requests from your address are running, which is the limit ` +
      '(limits.requests_per_address). Wait until some of them have ended.',
    { retryAfterSeconds: 1 },
  );
