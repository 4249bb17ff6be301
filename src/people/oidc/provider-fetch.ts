/** Calls an identity provider under the egress rules, and limits the size of its answer. */
import type { Clock } from '../../clock.ts';
import { isPrivateHost } from '../../config/address.ts';
import { isProxied } from '../../config/runtime.ts';
import { Egress } from '../../upstreams/egress.ts';

/** The maximum size of an answer. Real documents, key sets and tokens have a few thousand bytes. */
const MAX_ANSWER_BYTES = 512 * 1024;
/**
 * Maximum number of servers for which the result of the address check is cached. One provider uses
 * only a few servers.
 */
const MAX_SERVERS = 8;

export type ProviderFetchOptions = {
  /** Whether the provider may be in a private network. */
  readonly allowPrivate: boolean;
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
};

export class ProviderFetch {
  readonly #options: ProviderFetchOptions;
  readonly #egress = new Map<string, Egress>();

  constructor(options: ProviderFetchOptions) {
    this.#options = options;
  }

  /**
   * Calls a URL of the provider. Resolves with the complete answer, but of its headers only
   * `content-type`. Checks the address of each URL, because the provider itself names the URLs to
   * call.
   */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    await this.#egressOf(new URL(url)).permission();
    // Redirects are not followed, because one could send the client secret to another host.
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES)
        throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
    const type = response.headers.get('content-type') ?? '';
    const body = Buffer.concat(chunks);
    return new Response(body.length === 0 ? null : body, {
      status: response.status,
      headers: { 'content-type': type },
    });
  }

  #egressOf({ origin, hostname }: URL): Egress {
    const { allowPrivate, clock } = this.#options;
    if (!allowPrivate && isPrivateHost(hostname))
      throw new Error(`${hostname} is a private address; add allow_private: true to console.oidc`);
    const known = this.#egress.get(origin);
    if (known !== undefined) return known;
    if (this.#egress.size >= MAX_SERVERS) this.#egress.clear();
    const made = new Egress({
      ...{ name: 'console.oidc', baseUrl: origin, allowPrivate, clock },
      isProxied: isProxied(origin),
    });
    this.#egress.set(origin, made);
    return made;
  }
}
