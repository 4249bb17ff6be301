/** Checks before a call whether an upstream's address is allowed and its host is reachable. */
import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import { isPrivateHost } from '../config/address.ts';
import { NotSent } from './upstream.ts';

/**
 * When a DNS result is older than this, the next request resolves the name again in the background.
 */
const FRESH_MS = 5_000;
/**
 * When a DNS result is older than this, requests wait for a new lookup, because the host may have
 * moved.
 */
const STALE_MS = 30_000;
/** The timeout of a DNS lookup. When it has expired, another route can be tried. */
const LOOK_UP_MS = 5_000;

export type EgressOptions = {
  /** The upstream's name in errors for the operator, such as `upstream "openai"`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Whether the operator allows addresses of private networks. */
  readonly allowPrivate: boolean;
  /** Whether requests go through a proxy. A proxy resolves names and connects by itself. */
  readonly isProxied: boolean;
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Resolves a host name to all its addresses. @throws when the name has no address. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /**
   * Opens a test connection. Resolves with false if the connection fails or `signal` aborts first.
   */
  readonly dial?: (hostname: string, port: number, signal: AbortSignal) => Promise<boolean>;
};

/** Thrown when the host has a private address that is not allowed. `cause` names the address. */
export class ForbiddenAddress extends NotSent {}

type Resolution = { readonly atMs: number; readonly refusal: NotSent | null };

export class Egress {
  readonly #options: EgressOptions;
  readonly #hostname: string;
  readonly #port: number;
  readonly #mustResolve: boolean;
  #resolution: Resolution | null = null;
  #resolving: Promise<Resolution> | null = null;
  #dialling: Promise<boolean> | null = null;
  #seenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EgressOptions) {
    const url = new URL(options.baseUrl);
    this.#options = options;
    this.#hostname = url.hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    // An IP address in the URL was checked when the configuration was loaded.
    this.#mustResolve = !options.allowPrivate && !options.isProxied && isIP(this.#hostname) === 0;
  }

  /**
   * Whether the upstream may be in a private network. If its answers contain URLs of images, this
   * also decides whether the images may be fetched from a private network.
   */
  get allowPrivate(): boolean {
    return this.#options.allowPrivate;
  }

  /**
   * Checks whether the host's address is allowed. Returns null if a call is allowed without
   * waiting. Otherwise returns a promise that resolves if the call is allowed, and rejects with
   * NotSent if it is not.
   */
  permission(): Promise<void> | null {
    if (!this.#mustResolve) return null;
    const { clock } = this.#options;
    const ageMs =
      this.#resolution === null ? STALE_MS : clock.monotonicMs() - this.#resolution.atMs;
    if (this.#resolution === null || ageMs >= STALE_MS) return this.#look().then(obey);
    if (ageMs >= FRESH_MS) void this.#look();
    return this.#resolution.refusal === null ? null : Promise.reject(this.#resolution.refusal);
  }

  /** Records that the host answered or accepted a connection just now. */
  seen(): void {
    this.#seenAtMs = this.#options.clock.monotonicMs();
  }

  /**
   * Whether the host is reachable: it has answered since `sinceMs`, or it accepts a test connection
   * within `withinMs`. Concurrent calls share one test connection. Always true with a proxy.
   */
  async isThere(sinceMs: number, withinMs: number): Promise<boolean> {
    if (this.#options.isProxied || this.#seenAtMs >= sinceMs) return true;
    this.#dialling ??= this.#dial(withinMs).finally(() => {
      this.#dialling = null;
    });
    return await this.#dialling;
  }

  async #dial(withinMs: number): Promise<boolean> {
    const tooLate = new AbortController();
    const timer = this.#options.clock.after(withinMs, () => tooLate.abort());
    const dial = this.#options.dial ?? dialTcp;
    try {
      const isThere = await dial(this.#hostname, this.#port, tooLate.signal);
      if (isThere) this.seen();
      return isThere;
    } finally {
      timer.cancel();
    }
  }

  #look(): Promise<Resolution> {
    this.#resolving ??= this.#judge().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #judge(): Promise<Resolution> {
    const { resolve = resolveAll, clock } = this.#options;
    let refusal: NotSent | null = null;
    try {
      const addresses = await this.#inTime(resolve(this.#hostname));
      const own = addresses.find(isPrivateHost);
      if (own !== undefined) refusal = this.#isPrivate(own);
    } catch (thrown) {
      // After a failed lookup, the previous result is used until it is stale.
      if (this.#resolution !== null && clock.monotonicMs() - this.#resolution.atMs < STALE_MS) {
        return this.#resolution;
      }
      // The failure is not cached, so the next request resolves the name again.
      return { atMs: Number.NEGATIVE_INFINITY, refusal: this.#isUnknown(thrown) };
    }
    this.#resolution = { atMs: clock.monotonicMs(), refusal };
    return this.#resolution;
  }

  async #inTime<T>(looking: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = this.#options.clock.after(LOOK_UP_MS, () =>
      late.reject(new Error(`the resolver did not answer within ${LOOK_UP_MS} ms`)),
    );
    try {
      return await Promise.race([looking, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  #isPrivate(address: string): NotSent {
    const { name } = this.#options;
    return new ForbiddenAddress(
      'The gateway is not allowed to call the provider at its configured address.',
      {
        cause: new Error(
          `${name}: ${this.#hostname} resolves to ${address}, a private address; add allow_private: true to the upstream if this is intended`,
        ),
      },
    );
  }

  #isUnknown(cause: unknown): NotSent {
    const { name } = this.#options;
    return new NotSent('The provider could not be reached.', {
      cause: new Error(`${name}: no address is known for ${this.#hostname}`, { cause }),
    });
  }
}

function obey({ refusal }: Resolution): void {
  if (refusal !== null) throw refusal;
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function dialTcp(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}
