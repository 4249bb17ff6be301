/** The configured upstreams as adapters, by name. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { createAnthropicUpstream } from '../upstreams/anthropic.ts';
import { createBuiltinUpstream } from '../upstreams/builtin/builtin-upstream.ts';
import { createOpenAiUpstream } from '../upstreams/openai.ts';
import type { Upstream } from '../upstreams/upstream.ts';

/**
 * @param before the adapters in force: a built-in one is kept, since its prompt cache is its own.
 */
export function connectUpstreams(
  config: Config,
  clock: Clock,
  before: ReadonlyMap<string, Upstream> = new Map(),
): ReadonlyMap<string, Upstream> {
  const upstreams = new Map<string, Upstream>();
  for (const [name, settings] of Object.entries(config.upstreams)) {
    if (settings.protocol === 'builtin') {
      const known = before.get(name);
      const isBuiltin = known?.formats.has('chat') === true && known.formats.has('messages');
      const { tokens_per_second } = settings;
      const made = (): Upstream =>
        createBuiltinUpstream({ name, clock, tokensPerSecond: () => tokens_per_second });
      upstreams.set(name, isBuiltin ? known : made());
      continue;
    }
    const options = {
      name,
      clock,
      baseUrl: settings.base_url,
      apiKey: settings.api_key,
      headers: settings.headers,
      firstByteTimeoutMs: settings.first_byte_timeout ?? config.limits.first_byte_timeout,
    };
    const create = settings.protocol === 'openai' ? createOpenAiUpstream : createAnthropicUpstream;
    upstreams.set(name, create(options));
  }
  return upstreams;
}
