/** The configured upstreams by name. A new configuration takes effect for all of them at once. */

import { createBuiltinUpstream } from '../builtin/builtin-upstream.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isProxied } from '../config/runtime.ts';
import {
  createAnthropicUpstream,
  createOpenAiUpstream,
  createResponsesUpstream,
} from '../upstreams/adapters.ts';
import { Egress, ForbiddenAddress } from '../upstreams/egress.ts';
import { fieldsOf } from '../upstreams/known-fields.ts';
import { quirksOf } from '../upstreams/known-servers.ts';
import { NotSent, type Upstream } from '../upstreams/upstream.ts';
import { createSignIn } from '../upstreams/upstream-sign-in.ts';

type UpstreamSettings = Config['upstreams'][string];
const CREATE = {
  openai: createOpenAiUpstream,
  anthropic: createAnthropicUpstream,
  responses: createResponsesUpstream,
} as const;

type BuiltinSettings = Extract<UpstreamSettings, { protocol: 'builtin' }>;
export type NetworkSettings = Exclude<UpstreamSettings, BuiltinSettings>;

/**
 * A built-in upstream with its current settings. If only the settings change, the upstream is kept,
 * because it contains the prompt cache.
 */
type KeptBuiltin = { readonly upstream: Upstream; settings: BuiltinSettings };

/** Called when signing in to an upstream failed in the background. */
type OnSignInFailure = (upstream: string, message: string) => void;

export class ConnectedUpstreams {
  readonly #clock: Clock;
  readonly #onSignInFailure: OnSignInFailure;
  /** The limits at startup. New limits take effect only after a restart. */
  readonly #limits: Config['limits'];
  readonly #builtins = new Map<string, KeptBuiltin>();
  #current: ReadonlyMap<string, Upstream>;

  /** @param config the settings at startup. */
  constructor(config: Config, clock: Clock, onSignInFailure: OnSignInFailure) {
    this.#clock = clock;
    this.#onSignInFailure = onSignInFailure;
    this.#limits = config.limits;
    this.#current = this.#connect(config);
  }

  get current(): ReadonlyMap<string, Upstream> {
    return this.#current;
  }

  /** Prepares a new configuration. The returned function activates it for new requests. */
  prepare(config: Config): () => void {
    const next = this.#connect(config);
    return () => {
      this.#current = next;
    };
  }

  #connect(config: Config): ReadonlyMap<string, Upstream> {
    const upstreams = new Map<string, Upstream>();
    const missing = missingSecrets(config);
    for (const [name, settings] of Object.entries(config.upstreams)) {
      const upstream =
        settings.protocol === 'builtin'
          ? this.#builtin(name, settings)
          : networkUpstream(name, settings, {
              limits: this.#limits,
              missing: missing.get(name) ?? null,
              clock: this.#clock,
              onSignInFailure: this.#onSignInFailure,
            });
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

export type NetworkUpstreamOptions = {
  readonly limits: Pick<Config['limits'], 'connect_timeout' | 'first_byte_timeout'>;
  /**
   * The reason why the upstream has no credential; null if it has one. Without one, every request
   * to it fails.
   */
  readonly missing: string | null;
  readonly clock: Clock;
  readonly onSignInFailure: OnSignInFailure;
};

export function networkUpstream(
  name: string,
  settings: NetworkSettings,
  { limits, missing, clock, onSignInFailure }: NetworkUpstreamOptions,
): Upstream {
  const onFailure = (message: string) => onSignInFailure(name, message);
  const egressTo = (baseUrl: string) =>
    egressOf(name, { base_url: baseUrl, allow_private: settings.allow_private }, clock);
  const { sign_in: signIn } = settings;
  const options = {
    name,
    clock,
    baseUrl: settings.base_url,
    egress: egressTo(settings.base_url),
    apiKey: settings.api_key ?? null,
    signIn:
      signIn === undefined || missing !== null
        ? null
        : createSignIn(signIn, { clock, egressOf: egressTo, onFailure }),
    headers: settings.headers,
    quirks: quirksOf(settings.make, settings.quirks),
    fields: fieldsOf(settings.make, settings.pass),
    connectTimeoutMs: settings.connect_timeout ?? limits.connect_timeout,
    firstByteTimeoutMs: settings.first_byte_timeout ?? limits.first_byte_timeout,
  };
  const upstream = CREATE[settings.protocol](options);
  return missing === null ? upstream : { ...upstream, send: () => notSent(missing) };
}

/** Returns the upstreams that have no credential, each with the reason and the remedy. */
export const missingSecrets = ({
  secretUses,
}: Pick<Config, 'secretUses'>): ReadonlyMap<string, string> =>
  new Map(
    secretUses.flatMap(({ path: [section, name = '', part], problem }) =>
      section === 'upstreams' && part !== 'reconcile' && problem !== null
        ? [[name, problem] as const]
        : [],
    ),
  );

const notSent = async (problem: string): Promise<never> => {
  throw new NotSent('The provider could not be reached.', { cause: new Error(problem) });
};

export type UnreachableUpstream = {
  readonly name: string;
  /**
   * Whether the host is forbidden because it is in a private network. A retry cannot fix this, only
   * a new configuration can.
   */
  readonly isForbidden: boolean;
  /** The problem and how to fix it, for the operator. */
  readonly message: string;
};

/**
 * Resolves the host names of all upstreams, and checks that the addresses are allowed, as each
 * request does. Returns the upstreams for which this failed.
 */
export async function unreachableUpstreams(
  config: Config,
  clock: Clock,
): Promise<readonly UnreachableUpstream[]> {
  const looked = Object.entries(config.upstreams).map(async ([name, settings]) => {
    if (settings.protocol === 'builtin') return [];
    try {
      await egressOf(name, settings, clock).permission();
      return [];
    } catch (thrown) {
      if (!(thrown instanceof NotSent)) throw thrown;
      const message = thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
      return [{ name, isForbidden: thrown instanceof ForbiddenAddress, message }];
    }
  });
  return (await Promise.all(looked)).flat();
}

type Address = Pick<NetworkSettings, 'base_url' | 'allow_private'>;

export const egressOf = (name: string, settings: Address, clock: Clock): Egress => {
  const { base_url: baseUrl, allow_private: allowPrivate } = settings;
  const [where, isBehindProxy] = [`upstream "${name}"`, isProxied(baseUrl)];
  return new Egress({ name: where, baseUrl, allowPrivate, isProxied: isBehindProxy, clock });
};
