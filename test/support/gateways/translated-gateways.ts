/**
 * For tests: translation between two real gateways. `provider` runs the built-in models. The other
 * two gateways resell them, one through a chat completions upstream, one through a Messages
 * upstream. If a request has the other protocol, it and its answer are translated.
 */
import { parse, stringify } from 'yaml';
import { at } from '../wire.ts';
import { type GatewayProcess, shippedConfig, startGateway } from './gateway-process.ts';

export const CHAT_MODELS = [
  'gen-opus-4-8',
  'gen-opus-4-7',
  'gen-sonnet-5',
  'gen-v4-pro',
  'gen-v4-flash',
] as const;
export type ChatModel = (typeof CHAT_MODELS)[number];
/** The protocol of a gateway's upstream. */
export const UPSTREAM_DIALECTS = ['chat', 'messages'] as const;
export type UpstreamDialect = (typeof UPSTREAM_DIALECTS)[number];

export type TranslatedGateways = Readonly<Record<UpstreamDialect, GatewayProcess>> & {
  readonly provider: GatewayProcess;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function startTranslatedGateways(): Promise<TranslatedGateways> {
  const provider = await startGateway();
  const sold = { provider, upstream: 'provider' };
  const [chat, messages] = await Promise.all([
    startGateway({ config: soldOn(sold.upstream, chatUpstream(provider)) }),
    startGateway({ config: soldOn(sold.upstream, messagesUpstream(provider)) }),
  ]);
  return {
    provider,
    chat,
    messages,
    [Symbol.asyncDispose]: async () => {
      for (const each of [chat, messages, provider]) await each[Symbol.asyncDispose]();
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

/** The shipped configuration with every chat model behind one upstream, and no image models. */
export function soldOn(upstream: string, settings: Readonly<Record<string, unknown>>): string {
  const file: Record<string, unknown> = parse(shippedConfig());
  const models = CHAT_MODELS.map((id) => [id, routedTo(upstream, at(file, `models.${id}`))]);
  return stringify({
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
