/** The configured upstreams as adapters, by name; a new configuration replaces them together. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isProxied } from '../config/runtime.ts';
import { createAnthropicUpstream } from '../upstreams/anthropic.ts';
import { createBuiltinUpstream } from '../upstreams/builtin/builtin-upstream.ts';
import { Egress } from '../upstreams/egress.ts';
import { quirksOf } from '../upstreams/known-servers.ts';
import { createOpenAiUpstream } from '../upstreams/openai.ts';
import type { Upstream } from '../upstreams/upstream.ts';

type UpstreamSettings = Config['upstreams'][string];
type BuiltinSettings = Extract<UpstreamSettings, { protocol: 'builtin' }>;
type NetworkSettings = Exclude<UpstreamSettings, BuiltinSettings>;

/** A built-in upstream outlives a change of its settings, since its prompt cache is its own. */
type KeptBuiltin = { readonly upstream: Upstream; settings: BuiltinSettings };

export class ConnectedUpstreams {
  readonly #clock: Clock;
  readonly #builtins = new Map<string, KeptBuiltin>();
  #current: ReadonlyMap<string, Upstream>;

  constructor(config: Config, clock: Clock) {
    this.#clock = clock;
    this.#current = this.#connect(config);
  }

  get current(): ReadonlyMap<string, Upstream> {
    return this.#current;
  }

  /** Requests under way go on with the adapters they began with. */
  replace(config: Config): void {
    this.#current = this.#connect(config);
  }

  #connect(config: Config): ReadonlyMap<string, Upstream> {
    const upstreams = new Map<string, Upstream>();
    for (const [name, settings] of Object.entries(config.upstreams)) {
      const upstream =
        settings.protocol === 'builtin'
          ? this.#builtin(name, settings)
          : networkUpstream(name, settings, config.limits, this.#clock);
      upstreams.set(name, upstream);
    }
    return upstreams;
  }

  #builtin(name: string, settings: BuiltinSettings): Upstream {
    const known = this.#builtins.get(name);
    if (known !== undefined) {
      known.settings = settings;
      return known.upstream;
    }
    const kept: KeptBuiltin = {
      settings,
      upstream: createBuiltinUpstream({
        name,
        clock: this.#clock,
        tokensPerSecond: () => kept.settings.tokens_per_second,
      }),
    };
    this.#builtins.set(name, kept);
    return kept.upstream;
  }
}

function networkUpstream(
  name: string,
  settings: NetworkSettings,
  limits: Config['limits'],
  clock: Clock,
): Upstream {
  const { base_url: baseUrl, allow_private: allowPrivate } = settings;
  const options = {
    name,
    clock,
    baseUrl,
    egress: new Egress({ name, baseUrl, allowPrivate, isProxied: isProxied(baseUrl), clock }),
    apiKey: settings.api_key,
    headers: settings.headers,
    quirks: quirksOf(settings.make, settings.quirks),
    connectTimeoutMs: settings.connect_timeout ?? limits.connect_timeout,
    firstByteTimeoutMs: settings.first_byte_timeout ?? limits.first_byte_timeout,
  };
  return settings.protocol === 'openai'
    ? createOpenAiUpstream(options)
    : createAnthropicUpstream(options);
}
