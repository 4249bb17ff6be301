/** For tests: a gateway with one model for each protocol, all on one scripted upstream. */
import { dump, load } from 'js-yaml';
import { UPSTREAM_DIALECTS, type UpstreamDialect } from '../upstreams/scripted-turns.ts';
import {
  CANARY_KEY,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../upstreams/scripted-upstream.ts';
import type { Json } from '../wire.ts';
import { type GatewayProcess, shippedConfig, startGateway } from './gateway-process.ts';

/**
 * The prices of the test's models in pico-USD per token. The configuration below states the same
 * prices in USD per 1M tokens.
 */
export const TURN_PRICES = { input: 2_000_000n, cached: 200_000n, output: 8_000_000n };

export type TurnsGateway = {
  readonly gateway: GatewayProcess;
  readonly upstream: ScriptedUpstream;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Two names of model families that Codex knows. Codex offers different tools to each family. */
const FAMILIES = ['gpt-5.5', 'gpt-6.1-sol'] as const;
type Family = (typeof FAMILIES)[number];

/**
 * Returns the id of the model whose upstream speaks this protocol. If `family` is set, the id
 * begins with this name.
 */
export const modelOver = (dialect: UpstreamDialect, family: Family | null = null): string =>
  family === null ? `over-${dialect}` : `${family}-over-${dialect}`;

export async function startTurnsGateway(
  dialects: readonly UpstreamDialect[] = UPSTREAM_DIALECTS,
): Promise<TurnsGateway> {
  const upstream = await startScriptedUpstream();
  const gateway = await startGateway({ config: turnsConfig(upstream.host, dialects) });
  return {
    gateway,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      upstream.stop();
    },
  };
}

function turnsConfig(host: string, dialects: readonly UpstreamDialect[]): string {
  const file: Json = Object(load(shippedConfig()));
  const upstreams = dialects.map((dialect) => [dialect, upstreamOf(dialect, host)]);
  const models = dialects.flatMap((dialect) => [
    [modelOver(dialect), modelOn(dialect)],
    ...FAMILIES.map((family) => [modelOver(dialect, family), modelOn(dialect)]),
  ]);
  return dump({
    ...file,
    upstreams: Object.fromEntries(upstreams),
    models: Object.fromEntries(models),
  });
}

const PROTOCOLS: Readonly<Record<UpstreamDialect, Json>> = {
  // This upstream gets its earlier reasoning back as text, because chat reasoning has no signature.
  chat: { protocol: 'openai', quirks: { reasoning_back: 'reasoning_content' } },
  messages: { protocol: 'anthropic' },
  responses: { protocol: 'responses' },
};

const upstreamOf = (dialect: UpstreamDialect, host: string): Json => ({
  ...PROTOCOLS[dialect],
  base_url: `http://${host}${dialect === 'messages' ? '' : '/v1'}`,
  api_key: CANARY_KEY,
  allow_private: true,
});

const modelOn = (upstream: UpstreamDialect): Json => ({
  kind: 'chat',
  maker: 'gen',
  context_window: 200_000,
  max_output: 32_000,
  input: ['text', 'image', 'file'],
  default_channel: 'direct',
  channels: {
    direct: {
      price: { input: '2.00', cache_read: '0.20', output: '8.00' },
      routes: [{ upstream, model: 'upstream-model' }],
    },
  },
});
