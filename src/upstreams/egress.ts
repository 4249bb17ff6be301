/**
 * The way out to one upstream: whether its address may be called, and whether anybody is there. The
 * address is the configuration's; nothing that a caller sends can change it.
 */
import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import { isPrivateHost } from '../config/address.ts';
import { NotSent } from './upstream.ts';

/** Addresses of a name older than this are looked up again, beside the requests that go on meanwhile. */
const FRESH_MS = 5_000;
/** Older than this they are not believed any more: a name can be pointed elsewhere at any time. */
const STALE_MS = 30_000;
/** A resolver that takes longer is down, and who waits for it could be served elsewhere. */
const LOOK_UP_MS = 5_000;

export type EgressOptions = {
  /** The upstream's name in the configuration, for its operator. */
  readonly name: string;
  readonly baseUrl: string;
  /** Whether the operator meant an address of a private network. */
  readonly allowPrivate: boolean;
  /** Requests leave through a proxy, which alone resolves names and connects. */
  readonly isProxied: boolean;
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** All addresses of a name. @throws when there is none. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Whether a connection comes about before the signal. */
  readonly dial?: (hostname: string, port: number, signal: AbortSignal) => Promise<boolean>;
};

/** Its name leads into a private network, which its operator did not say was meant. The cause says so. */
export class ForbiddenAddress extends NotSent {}

type Verdict = { readonly atMs: number; readonly refusal: NotSent | null };

export class Egress {
  readonly #options: EgressOptions;
  readonly #hostname: string;
  readonly #port: number;
  readonly #mustResolve: boolean;
  #verdict: Verdict | null = null;
  #resolving: Promise<Verdict> | null = null;
  #dialling: Promise<boolean> | null = null;
  #seenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EgressOptions) {
    const url = new URL(options.baseUrl);
    this.#options = options;
    this.#hostname = url.hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    // A written address was judged with the configuration.
    this.#mustResolve = !options.allowPrivate && !options.isProxied && isIP(this.#hostname) === 0;
  }

  /**
   * null: it may be called now. Otherwise resolves when that is known, which takes a look-up of its name.
   * @throws NotSent (by rejection) when the name has no address, or one of a private network.
   */
  permission(): Promise<void> | null {
    if (!this.#mustResolve) return null;
    const { clock } = this.#options;
    const ageMs = this.#verdict === null ? STALE_MS : clock.monotonicMs() - this.#verdict.atMs;
    if (this.#verdict === null || ageMs >= STALE_MS) return this.#look().then(obey);
    if (ageMs >= FRESH_MS) void this.#look();
    return this.#verdict.refusal === null ? null : Promise.reject(this.#verdict.refusal);
  }

  /** Somebody is there: a status line came, or a connection. */
  seen(): void {
    this.#seenAtMs = this.#options.clock.monotonicMs();
  }

  /**
   * Whether it can be connected to, or has been seen by anybody since `sinceMs` of the clock. Requests that
   * ask at the same time share one connection, which is closed at once.
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

  #look(): Promise<Verdict> {
    this.#resolving ??= this.#judge().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #judge(): Promise<Verdict> {
    const { resolve = resolveAll, clock } = this.#options;
    let refusal: NotSent | null = null;
    try {
      const addresses = await this.#inTime(resolve(this.#hostname));
      const own = addresses.find(isPrivateHost);
      if (own !== undefined) refusal = this.#isPrivate(own);
    } catch (thrown) {
      // What was found before stays in force until it is stale: a hiccup of DNS is no new address.
      if (this.#verdict !== null && clock.monotonicMs() - this.#verdict.atMs < STALE_MS) {
        return this.#verdict;
      }
      // Not kept: the next request asks again.
      return { atMs: Number.NEGATIVE_INFINITY, refusal: this.#isUnknown(thrown) };
    }
    this.#verdict = { atMs: clock.monotonicMs(), refusal };
    return this.#verdict;
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
    return new ForbiddenAddress('The upstream may not be called.', {
      cause: new Error(
        `upstream "${name}": ${this.#hostname} resolves to ${address}, a private address; add allow_private: true to it if that is meant`,
      ),
    });
  }

  #isUnknown(cause: unknown): NotSent {
    const { name } = this.#options;
    return new NotSent('The upstream could not be reached.', {
      cause: new Error(`upstream "${name}": no address is known for ${this.#hostname}`, { cause }),
    });
  }
}

function obey({ refusal }: Verdict): void {
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
