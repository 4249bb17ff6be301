/**
 * Maps LiteLLM's names of providers to the settings of upstreams. Addresses and environment
 * variables are the defaults of LiteLLM 1.109. Providers that are not listed have protocols that
 * the gateway does not support.
 */
import type { UpstreamMake } from '../../config/upstream-schema.ts';
import { KNOWN_PROVIDERS } from '../../upstreams/known-providers.ts';

export type LiteLlmProvider = {
  readonly protocol: 'openai' | 'anthropic';
  readonly make: UpstreamMake;
  /** The address for a deployment without `api_base`; null if the deployment must have one. */
  readonly baseUrl: string | null;
  /**
   * The end of a base URL that the gateway needs and LiteLLM's `api_base` may lack, such as `/v1`.
   */
  readonly suffix: string;
  /**
   * The environment variable that contains the key of a deployment without `api_key`; null if no
   * key is needed.
   */
  readonly keyVariable: string | null;
};

const named = (make: UpstreamMake, keyVariable: string): LiteLlmProvider => ({
  protocol: KNOWN_PROVIDERS[make].protocol,
  make,
  baseUrl: KNOWN_PROVIDERS[make].baseUrl,
  suffix: '',
  keyVariable,
});
const compatible = (baseUrl: string | null, keyVariable: string | null): LiteLlmProvider => ({
  ...{ protocol: 'openai', make: 'generic', baseUrl, suffix: '', keyVariable },
});
const ownServer = (make: UpstreamMake, keyVariable: string | null): LiteLlmProvider => ({
  ...{ protocol: 'openai', make, baseUrl: null, suffix: '', keyVariable },
});
const OLLAMA: LiteLlmProvider = {
  ...ownServer('ollama', null),
  baseUrl: 'http://localhost:11434/v1',
  suffix: '/v1',
};

export const LITELLM_PROVIDERS: ReadonlyMap<string, LiteLlmProvider> = new Map([
  ['openai', named('openai', 'OPENAI_API_KEY')],
  ['anthropic', named('anthropic', 'ANTHROPIC_API_KEY')],
  ['gemini', named('gemini', 'GEMINI_API_KEY')],
  ['deepseek', named('deepseek', 'DEEPSEEK_API_KEY')],
  ['moonshot', named('moonshot', 'MOONSHOT_API_KEY')],
  ['xai', named('xai', 'XAI_API_KEY')],
  ['openrouter', named('openrouter', 'OPENROUTER_API_KEY')],
  ['groq', compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY')],
  ['mistral', compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY')],
  ['perplexity', compatible('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY')],
  ['deepinfra', compatible('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY')],
  ['fireworks_ai', compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY')],
  ['together_ai', compatible('https://api.together.ai/v1', 'TOGETHERAI_API_KEY')],
  ['cerebras', compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY')],
  ['sambanova', compatible('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY')],
  ['nvidia_nim', compatible('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY')],
  [
    'dashscope',
    compatible('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  ],
  ['volcengine', compatible('https://ark.cn-beijing.volces.com/api/v3', 'VOLCENGINE_API_KEY')],
  ['zai', compatible('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY')],
  ['minimax', compatible('https://api.minimax.io/v1', 'MINIMAX_API_KEY')],
  ['novita', compatible('https://api.novita.ai/v3/openai', 'NOVITA_API_KEY')],
  ['nebius', compatible('https://api.studio.nebius.ai/v1', 'NEBIUS_API_KEY')],
  ['openai_like', compatible(null, 'OPENAI_LIKE_API_KEY')],
  ['custom_openai', compatible(null, 'OPENAI_API_KEY')],
  ['xinference', compatible(null, null)],
  ['lm_studio', compatible(null, 'LM_STUDIO_API_KEY')],
  ['hosted_vllm', ownServer('vllm', 'HOSTED_VLLM_API_KEY')],
  ['llamafile', ownServer('llama.cpp', null)],
  ['litellm_proxy', ownServer('litellm', 'LITELLM_PROXY_API_KEY')],
  ['ollama', OLLAMA],
  ['ollama_chat', OLLAMA],
]);

/** Providers whose keys are optional. Without `api_key`, requests are sent without a key. */
export const KEYLESS: ReadonlySet<string> = new Set(['hosted_vllm', 'lm_studio', 'xinference']);

const BARE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt-|o[134](?:-|$)|text-embedding-|dall-e-|codex-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^deepseek-/, 'deepseek'],
  [/^grok-/, 'xai'],
];

/**
 * The provider of a model, and the model's name at the provider. For example, `groq/llama` is the
 * model `llama` at `groq`.
 */
export type ProviderModel = { readonly provider: string | null; readonly model: string };

/**
 * Splits a model name into provider and model, as LiteLLM does. The part before a slash need not be
 * a provider: `mistralai/mistral-7b` at the operator's own server.
 *
 * @param given the deployment's `custom_llm_provider`; null if it sets none.
 * @param listed returns the provider that price data lists for a model name; null if it lists none.
 */
export function providerModelOf(
  name: string,
  given: string | null,
  listed: (name: string) => string | null,
): ProviderModel {
  const slash = name.indexOf('/');
  const prefix = slash < 0 ? null : name.slice(0, slash);
  const rest = name.slice(slash + 1);
  if (given !== null) return { provider: given, model: prefix === given ? rest : name };
  if (prefix !== null && (LITELLM_PROVIDERS.has(prefix) || CLOUDS.has(prefix)))
    return { provider: prefix, model: rest };
  const bare = BARE_NAMES.find(([form]) => form.test(name))?.[1] ?? listed(name);
  if (bare !== null && prefix === null) return { provider: bare, model: name };
  return { provider: prefix, model: prefix === null ? name : rest };
}

/** Providers whose URLs contain the operator's region, project or resource. */
export const CLOUDS: ReadonlySet<string> = new Set(['azure', 'bedrock', 'vertex_ai']);
