/**
 * Known server software: one row each, with its sources and when they were read. A row lists only
 * differences from `NO_QUIRKS`; the operator's settings override it.
 *
 * Differences between models of one server (a model that refuses `temperature` or does not know
 * `reasoning_effort`) are not quirks of the server: they belong in `drop` of the route.
 */
import type { UpstreamMake, UpstreamQuirks } from '../config/upstream-schema.ts';
import { NO_QUIRKS, type Quirks } from '../protocols/quirks.ts';

export type KnownServer = {
  readonly quirks: Partial<Quirks>;
  /** Pages, source files and threads as evidence. */
  readonly sources: readonly string[];
  /** When they were read, `YYYY-MM-DD`; null for a row without quirks. */
  readonly checked: string | null;
};

/** Servers that accept only user and assistant turns in Messages; system text goes to the top. */
const PLAIN_TURNS = { systemAnywhere: false } as const;
const CHECKED = '2026-11-21';

export const KNOWN_SERVERS: Readonly<Record<UpstreamMake, KnownServer>> = {
  generic: { quirks: {}, sources: [], checked: null },

  openai: {
    quirks: {
      // Its reasoning models refuse `max_tokens`; all models accept the newer name.
      maxTokensField: 'max_completion_tokens',
      // Chat completions neither return nor accept reasoning.
      reasoningFields: [],
      // Its current image models answer in base64 and refuse the field as unknown.
      imageResponseFormat: false,
    },
    sources: [
      'https://community.openai.com/t/inconsistent-handling-of-max-tokens-parameter-in-chat-completions-api/962030',
      'https://github.com/CherryHQ/cherry-studio/issues/14579',
      'https://developers.openai.com/api/docs/models/dall-e-3',
    ],
    checked: CHECKED,
  },

  anthropic: { quirks: {}, sources: [], checked: null },

  deepseek: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_tokens',
      developerRole: false,
      cachedTokens: ['prompt_cache_hit_tokens', 'prompt_tokens_details.cached_tokens'],
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
      // An empty string is enough.
      reasoningRequired: true,
    },
    sources: [
      'https://api-docs.deepseek.com/guides/thinking_mode',
      'https://toiotech.apifox.cn/deepseek-reasoner-398141713e0',
      'https://github.com/earendil-works/pi/issues/1048',
      'https://github.com/earendil-works/pi/pull/3659',
      'https://github.com/openclaw/openclaw/issues/73417',
    ],
    checked: CHECKED,
  },

  vllm: {
    quirks: {
      ...PLAIN_TURNS,
      // Most chat templates refuse the role with "Unexpected message role".
      developerRole: false,
      // `reasoning_content` until the end of 2025; since then `reasoning`, which alone it accepts.
      reasoningFields: ['reasoning', 'reasoning_content'],
      reasoningBack: 'reasoning',
    },
    sources: [
      'https://docs.vllm.ai/en/stable/features/reasoning_outputs/',
      'https://github.com/vllm-project/vllm/issues/27755',
      'https://github.com/vllm-project/vllm/issues/38488',
      'https://github.com/ogx-ai/ogx/issues/6069',
    ],
    checked: CHECKED,
  },

  sglang: {
    quirks: {
      ...PLAIN_TURNS,
      // It passes the role to the chat template, as vLLM does.
      developerRole: false,
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/protocol.py',
    ],
    checked: CHECKED,
  },

  ollama: {
    quirks: {
      ...PLAIN_TURNS,
      // It ignores unknown fields, so the limit would be lost under the newer name.
      maxTokensField: 'max_tokens',
      // The role goes to the model's template, which usually drops it.
      developerRole: false,
      reasoningFields: ['reasoning'],
      reasoningBack: 'reasoning',
    },
    sources: [
      'https://docs.ollama.com/api/openai-compatibility',
      'https://github.com/ollama/ollama/blob/main/openai/openai.go',
      'https://github.com/ollama/ollama-python/issues/453',
    ],
    checked: CHECKED,
  },

  'llama.cpp': {
    quirks: {
      ...PLAIN_TURNS,
      // The newer name exists since February 2026, the role since March.
      maxTokensField: 'max_tokens',
      developerRole: false,
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://github.com/ggml-org/llama.cpp/pull/19831',
      'https://github.com/ggml-org/llama.cpp/pull/20215',
      'https://github.com/ggml-org/llama.cpp/pull/19361',
      'https://github.com/ggml-org/llama.cpp/pull/21249',
    ],
    checked: CHECKED,
  },

  litellm: {
    quirks: {
      ...PLAIN_TURNS,
      // The model behind it may know neither; the older name works for all.
      maxTokensField: 'max_tokens',
      developerRole: false,
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://docs.litellm.ai/docs/reasoning_content',
      'https://github.com/BerriAI/litellm/pull/41380',
    ],
    checked: CHECKED,
  },

  openrouter: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_tokens',
      reasoningFields: ['reasoning', 'reasoning_content'],
      reasoningBack: 'reasoning',
    },
    sources: [
      'https://openrouter.ai/docs/use-cases/reasoning-tokens',
      'https://openrouter.ai/docs/use-cases/usage-accounting',
      'https://openrouter.ai/docs/api-reference/overview',
    ],
    checked: CHECKED,
  },

  moonshot: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_completion_tokens',
      developerRole: false,
      cachedTokens: ['cached_tokens', 'prompt_tokens_details.cached_tokens'],
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://platform.kimi.ai/docs/api/chat',
      'https://java.agentscope.io/v2/en/integration/model/kimi',
    ],
    checked: CHECKED,
  },

  xai: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_completion_tokens',
      developerRole: false,
      // `total_tokens` is the sum of prompt, completion and reasoning there.
      reasoningOutside: true,
      reasoningFields: ['reasoning_content'],
    },
    sources: [
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/grok/capabilities/reasoning',
      'https://github.com/UKGovernmentBEIS/inspect_ai/issues/5528',
      'https://github.com/Wei-Shaw/sub2api/issues/5771',
    ],
    checked: CHECKED,
  },

  // Another Modelgate: it speaks both protocols fully and translates by itself.
  modelgate: { quirks: {}, sources: [], checked: null },
};

/** The quirks of its server software, overridden by the operator's settings. */
export function quirksOf(make: UpstreamMake, said: UpstreamQuirks): Quirks {
  const known: Quirks = { ...NO_QUIRKS, ...KNOWN_SERVERS[make].quirks };
  return {
    drop: said.drop ?? known.drop,
    systemAnywhere: said.system_anywhere ?? known.systemAnywhere,
    maxTokensField: said.max_tokens_field ?? known.maxTokensField,
    streamOptions: said.stream_options ?? known.streamOptions,
    developerRole: said.developer_role ?? known.developerRole,
    cachedTokens: said.cached_tokens ?? known.cachedTokens,
    reasoningOutside: said.reasoning_outside ?? known.reasoningOutside,
    reasoningFields: said.reasoning_fields ?? known.reasoningFields,
    // The operator may write null: nothing is sent back then.
    reasoningBack: said.reasoning_back === undefined ? known.reasoningBack : said.reasoning_back,
    reasoningRequired: said.reasoning_required ?? known.reasoningRequired,
    reasoningEffort: said.reasoning_effort ?? known.reasoningEffort,
    imageResponseFormat: said.image_response_format ?? known.imageResponseFormat,
  };
}

/** The quirks on one route, whose model may refuse more fields than the server does. */
export const withRouteDrop = (quirks: Quirks, routeDrop: readonly string[]): Quirks =>
  routeDrop.length === 0
    ? quirks
    : { ...quirks, drop: [...new Set([...quirks.drop, ...routeDrop])] };

/** By their names in the configuration file. */
export const quirksByName = (quirks: Quirks): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(quirks).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
