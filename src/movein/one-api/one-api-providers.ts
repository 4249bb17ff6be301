/**
 * The kinds of channels of one-api and new-api whose protocol the gateway supports. A kind is a
 * number. Numbers up to 25, except 4, have the same meaning in one-api and new-api. From
 * relay/channeltype and relay/adaptor of one-api 0.6.11, and from constant/channel.go and
 * relay/channel of new-api, read on 2026-11-23.
 */
import type { UpstreamMake } from '../../config/upstream-schema.ts';

export type OneApiProvider = {
  readonly protocol: 'openai' | 'anthropic';
  readonly make: UpstreamMake;
  /** The default address, for channels that set no address. */
  readonly address: string;
  /** The path between the address and `/chat/completions` or `/v1/messages`. */
  readonly path: string;
  readonly needsKey: boolean;
  /** Whether a channel's address is the complete URL of chat completions instead of a base URL. */
  readonly isWholeUrl?: true;
};

const chat = (
  address: string,
  path = '/v1',
  make: UpstreamMake = 'generic',
  needsKey = true,
): OneApiProvider => ({ protocol: 'openai', make, address, path, needsKey });

const GEMINI = 'https://generativelanguage.googleapis.com';

/** Kinds that have the same number in one-api and new-api. */
const COMMON: readonly (readonly [number, OneApiProvider])[] = [
  [1, chat('https://api.openai.com', '/v1', 'openai')],
  [2, chat('https://oa.api2d.net')],
  [5, chat('https://api.openai-sb.com')],
  [6, chat('https://api.openaimax.com')],
  [7, chat('https://api.ohmygpt.com')],
  [9, chat('https://api.caipacity.com')],
  [10, chat('https://api.aiproxy.io')],
  [12, chat('https://api.api2gpt.com')],
  [13, chat('https://api.aigc2d.com')],
  [14, { ...chat('https://api.anthropic.com', '', 'anthropic'), protocol: 'anthropic' }],
  [19, chat('https://ai.360.cn')],
  [20, chat('https://openrouter.ai/api', '/v1', 'openrouter')],
  [22, chat('https://fastgpt.run/api/openapi')],
  // For kind 24, one-api and new-api call Google's own protocol. The gateway calls Google's
  // OpenAI-compatible protocol, on the same host with the same keys.
  [24, chat(GEMINI, '/v1beta/openai', 'gemini')],
  [25, chat('https://api.moonshot.cn', '/v1', 'moonshot')],
  [31, chat('https://api.lingyiwanwu.com')],
];

const PROVIDERS = {
  'one-api': new Map([
    ...COMMON,
    [4, chat('https://api.closeai-proxy.xyz')],
    [8, chat('')],
    [26, chat('https://api.baichuan-ai.com')],
    [28, chat('https://api.mistral.ai')],
    [29, chat('https://api.groq.com/openai')],
    [30, chat('http://localhost:11434', '/v1', 'ollama', false)],
    [32, chat('https://api.stepfun.com')],
    [36, chat('https://api.deepseek.com', '/v1', 'deepseek')],
    [39, chat('https://api.together.xyz')],
    [40, chat('https://ark.cn-beijing.volces.com', '/api/v3')],
    [41, chat('https://api.novita.ai/v3/openai', '')],
    [44, chat('https://api.siliconflow.cn')],
    [45, chat('https://api.x.ai', '/v1', 'xai')],
    [47, chat('https://qianfan.baidubce.com', '/v2')],
    [48, chat('https://spark-api-open.xf-yun.com')],
    [49, chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1')],
    [50, chat('', '')],
    [51, chat(`${GEMINI}/v1beta/openai`, '', 'gemini')],
  ]),
  'new-api': new Map([
    ...COMMON,
    [4, chat('http://localhost:11434', '/v1', 'ollama', false)],
    [8, { ...chat('', ''), isWholeUrl: true } as const],
    [17, chat('https://dashscope.aliyuncs.com', '/compatible-mode/v1')],
    [26, chat('https://open.bigmodel.cn', '/api/paas/v4')],
    [27, chat('https://api.perplexity.ai', '')],
    [40, chat('https://api.siliconflow.cn')],
    [42, chat('https://api.mistral.ai')],
    [43, chat('https://api.deepseek.com', '/v1', 'deepseek')],
    [45, chat('https://ark.cn-beijing.volces.com', '/api/v3')],
    [46, chat('https://qianfan.baidubce.com', '/v2')],
    [47, chat('')],
    [48, chat('https://api.x.ai', '/v1', 'xai')],
    [53, chat('https://llm.submodel.ai')],
  ]),
} as const satisfies Record<string, ReadonlyMap<number, OneApiProvider>>;

/**
 * Returns the settings for a kind of channel; null if the gateway does not support its protocol.
 */
export const oneApiProvider = (
  maker: keyof typeof PROVIDERS,
  kind: number,
): OneApiProvider | null => PROVIDERS[maker].get(kind) ?? null;

/** Patterns of model names, each with the maker of the models that match. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt|chatgpt|o\d|codex)/i, 'openai'],
  [/claude/i, 'anthropic'],
  [/gemini|gemma/i, 'google'],
  [/deepseek/i, 'deepseek'],
  [/qwen|qwq/i, 'alibaba'],
  [/glm/i, 'zhipu'],
  [/kimi|moonshot/i, 'moonshot'],
  [/grok/i, 'xai'],
  [/llama/i, 'meta'],
  [/mi[sx]tral|codestral/i, 'mistral'],
  [/doubao|seed/i, 'bytedance'],
  [/ernie/i, 'baidu'],
];

export const modelMaker = (model: string): string =>
  MAKERS.find(([pattern]) => pattern.test(model))?.[1] ?? 'other';
