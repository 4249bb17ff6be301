/**
 * For tests: translation between real gateways. The gateway `provider` runs the built-in models.
 * The other gateways resell these models, each through upstreams of one protocol. If a request uses
 * another protocol, such a gateway translates the request and its answer.
 */
import { dump, load } from 'js-yaml';
import type { UpstreamDialect } from '../upstreams/scripted-turns.ts';
import { at, type Json } from '../wire.ts';
import { type GatewayProcess, shippedConfig, startGateway } from './gateway-process.ts';

export const CHAT_MODELS = [
  'gen-opus-4-8',
  'gen-opus-4-7',
  'gen-sonnet-5',
  'gen-v4-pro',
  'gen-v4-flash',
] as const;
export type ChatModel = (typeof CHAT_MODELS)[number];

export type TranslatedGateways = {
  /**
   * Returns the gateway whose upstreams speak this protocol.
   * @throws Error if this gateway was not started.
   */
  readonly over: (dialect: UpstreamDialect) => GatewayProcess;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function startTranslatedGateways(
  dialects: readonly UpstreamDialect[],
): Promise<TranslatedGateways> {
  const provider = await startGateway();
  const started = await Promise.all(
    dialects.map(async (dialect) => {
      const config = soldOn('provider', UPSTREAMS[dialect](provider));
      return [dialect, await startGateway({ config })] as const;
    }),
  );
  const gateways = new Map(started);
  return {
    over: (dialect) => {
      const gateway = gateways.get(dialect);
      if (gateway === undefined) throw new Error(`no gateway over ${dialect}`);
      return gateway;
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [...gateways.values(), provider]) await each[Symbol.asyncDispose]();
    },
  };
}

type Target = Pick<GatewayProcess, 'url' | 'key'>;

export const chatUpstream = ({ url, key }: Target) => ({
  protocol: 'openai',
  base_url: `${url}/v2`,
  api_key: key,
  make: 'modelgate',
  allow_private: true,
});

export const messagesUpstream = ({ url, key }: Target) => ({
  protocol: 'anthropic',
  base_url: url,
  api_key: key,
  make: 'modelgate',
  allow_private: true,
});

export const responsesUpstream = ({ url, key }: Target) => ({
  protocol: 'responses',
  base_url: `${url}/v2`,
  api_key: key,
  make: 'modelgate',
  allow_private: true,
});

const UPSTREAMS: Readonly<Record<UpstreamDialect, (provider: Target) => Json>> = {
  chat: chatUpstream,
  messages: messagesUpstream,
  responses: responsesUpstream,
};

/**
 * Returns the shipped configuration, with all chat models on one upstream and without image models.
 */
export function soldOn(upstream: string, settings: Readonly<Record<string, unknown>>): string {
  const file: Record<string, unknown> = Object(load(shippedConfig()));
  const models = CHAT_MODELS.map((id) => [id, routedTo(upstream, at(file, `models.${id}`))]);
  return dump({
    ...file,
    upstreams: { [upstream]: settings },
    models: Object.fromEntries(models),
  });
}

function routedTo(upstream: string, model: unknown): unknown {
  const routed: typeof model = structuredClone(model);
  for (const channel of Object.values(Object(at(routed, 'channels'))))
    for (const route of Object.values(Object(at(channel, 'routes'))))
      Object.assign(Object(route), { upstream });
  return routed;
}
