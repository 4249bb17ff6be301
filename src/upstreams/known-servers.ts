/**
 * The quirks of known server software. A row lists only differences from `NO_QUIRKS`. A difference
 * between models of one server, such as a model that refuses `temperature`, belongs in `drop` of
 * the route.
 */
import type { UpstreamMake, UpstreamQuirks } from '../config/upstream-schema.ts';
import { NO_QUIRKS, type Quirks } from '../protocols/quirks.ts';

export type KnownServer = {
  readonly quirks: Partial<Quirks>;
  /** The pages, source files and issues that document these quirks. */
  readonly sources: readonly string[];
  /** The day on which the sources were read, `YYYY-MM-DD`; null for a row without quirks. */
  readonly checked: string | null;
};

/**
 * A quirk of servers that refuse a system message between turns. The gateway sends such a message
 * as user text.
 */
const PLAIN_TURNS = { systemAnywhere: false } as const;
/**
 * The fields that turn off thinking on servers that pass variables to the model's chat template.
 * Templates use different variables, and a template ignores variables that it does not know.
 */
const TEMPLATE_OFF = {
  thinkingOff: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
} as const;
const CHECKED = '2026-11-21';
/**
 * A quirk of providers that stop billing when a stream is closed (see `CANCELLATION`). A
 * non-streaming answer is billed in full even if the call is aborted.
 */
const ABORT_STREAMS = { onDisconnect: 'abort_streams' } as const;
/** A page that lists the providers that stop working and billing when a stream is closed. */
const CANCELLATION = 'https://openrouter.ai/docs/api_reference/streaming';

export const KNOWN_SERVERS: Readonly<Record<UpstreamMake, KnownServer>> = {
  generic: {
    quirks: {
      // `max_tokens`, the older name of the output limit, is safer. A server that ignores
      // `max_completion_tokens` would generate without a limit. A server that refuses `max_tokens`,
      // as OpenAI does for reasoning models, returns an error, which costs nothing.
      maxTokensField: 'max_tokens',
    },
    sources: [
      'https://community.openai.com/t/inconsistent-handling-of-max-tokens-parameter-in-chat-completions-api/962030',
      'https://github.com/ggml-org/llama.cpp/pull/19831',
    ],
    checked: '2026-11-22',
  },

  openai: {
    quirks: {
      ...ABORT_STREAMS,
      // OpenAI refuses this field, which clients of the Gemini API send by default.
      drop: ['top_k'],
      // Reasoning models refuse `max_tokens`; all models accept `max_completion_tokens`.
      maxTokensField: 'max_completion_tokens',
      // OpenAI's chat completions neither return nor accept reasoning.
      reasoningFields: [],
      onlyReasoningBack: true,
      // The Responses API offers all models of chat completions, and returns reasoning that can be
      // sent back.
      responses: true,
      // The current image models always answer in base64 and refuse the field `response_format`.
      imageResponseFormat: false,
    },
    sources: [
      'https://community.openai.com/t/inconsistent-handling-of-max-tokens-parameter-in-chat-completions-api/962030',
      'https://github.com/xlinx/sd-webui-decadetw-auto-prompt-llm/issues/29',
      'https://github.com/CherryHQ/cherry-studio/issues/14579',
      'https://developers.openai.com/api/docs/models/dall-e-3',
      'https://developers.openai.com/api/docs/guides/migrate-to-responses',
      CANCELLATION,
    ],
    checked: CHECKED,
  },

  anthropic: { quirks: ABORT_STREAMS, sources: [CANCELLATION], checked: '2026-11-22' },

  deepseek: {
    quirks: {
      ...PLAIN_TURNS,
      ...ABORT_STREAMS,
      maxTokensField: 'max_tokens',
      developerRole: false,
      cachedTokens: ['prompt_cache_hit_tokens', 'prompt_tokens_details.cached_tokens'],
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
      onlyReasoningBack: true,
      // DeepSeek requires `reasoning_content` in earlier turns with tool calls; an empty string is
      // accepted.
      reasoningRequired: true,
      thinkingOff: { thinking: { type: 'disabled' } },
    },
    sources: [
      'https://api-docs.deepseek.com/guides/thinking_mode',
      'https://toiotech.apifox.cn/deepseek-reasoner-398141713e0',
      'https://github.com/earendil-works/pi/issues/1048',
      'https://github.com/earendil-works/pi/pull/3659',
      'https://github.com/openclaw/openclaw/issues/73417',
      CANCELLATION,
    ],
    checked: CHECKED,
  },

  vllm: {
    quirks: {
      ...PLAIN_TURNS,
      ...TEMPLATE_OFF,
      onDisconnect: 'abort',
      // Most chat templates refuse the developer role with "Unexpected message role".
      developerRole: false,
      // vLLM used `reasoning_content` until the end of 2025; newer versions only use `reasoning`.
      reasoningFields: ['reasoning', 'reasoning_content'],
      reasoningBack: 'reasoning',
    },
    sources: [
      'https://docs.vllm.ai/en/stable/features/reasoning_outputs/',
      'https://github.com/vllm-project/vllm/issues/27755',
      'https://github.com/vllm-project/vllm/issues/38488',
      'https://github.com/ogx-ai/ogx/issues/6069',
      'https://github.com/vllm-project/vllm/pull/32442',
    ],
    checked: CHECKED,
  },

  sglang: {
    quirks: {
      ...PLAIN_TURNS,
      ...TEMPLATE_OFF,
      onDisconnect: 'abort',
      // Like vLLM, SGLang passes the developer role to the chat template, which usually refuses it.
      developerRole: false,
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/protocol.py',
      'https://github.com/sgl-project/sglang/pull/35255',
    ],
    checked: CHECKED,
  },

  ollama: {
    quirks: {
      ...PLAIN_TURNS,
      onDisconnect: 'abort',
      // Ollama ignores unknown fields, so `max_completion_tokens` would have no effect.
      maxTokensField: 'max_tokens',
      // Ollama passes the developer role to the model's template, which usually drops the message.
      developerRole: false,
      reasoningFields: ['reasoning'],
      reasoningBack: 'reasoning',
      thinkingOff: { reasoning_effort: 'none' },
    },
    sources: [
      'https://docs.ollama.com/api/openai-compatibility',
      'https://github.com/ollama/ollama/issues/14820',
      'https://github.com/ollama/ollama/blob/main/openai/openai.go',
      'https://github.com/ollama/ollama-python/issues/453',
      'https://github.com/ollama/ollama/issues/2876',
    ],
    checked: CHECKED,
  },

  'llama.cpp': {
    quirks: {
      ...PLAIN_TURNS,
      ...TEMPLATE_OFF,
      onDisconnect: 'abort',
      // Versions before March 2026 may lack `max_completion_tokens` and the developer role.
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
      'https://github.com/ggml-org/llama.cpp/issues/4911',
    ],
    checked: CHECKED,
  },

  litellm: {
    quirks: {
      ...PLAIN_TURNS,
      // By default, the proxy lets its provider finish the answer after a disconnect, and the
      // provider bills the whole answer.
      onDisconnect: 'read_on',
      // The server behind the proxy may support neither `max_completion_tokens` nor the developer
      // role.
      maxTokensField: 'max_tokens',
      developerRole: false,
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://docs.litellm.ai/docs/reasoning_content',
      'https://github.com/BerriAI/litellm/pull/41380',
      'https://github.com/BerriAI/litellm/issues/37140',
    ],
    checked: CHECKED,
  },

  openrouter: {
    quirks: {
      ...PLAIN_TURNS,
      // Half of OpenRouter's providers bill aborted answers in full, and an aborted answer reports
      // no usage.
      onDisconnect: 'read_on',
      maxTokensField: 'max_tokens',
      reasoningFields: ['reasoning', 'reasoning_content'],
      reasoningBack: 'reasoning',
      // `thinkingOff` is not set, because no value fits all models: models that always think refuse
      // `reasoning.enabled`.
      toolUses: { web_search: ['server_tool_use_details.web_search_requests'] },
      reportedCost: { path: 'cost', decimals: 0 },
    },
    sources: [
      'https://openrouter.ai/docs/use-cases/reasoning-tokens',
      'https://openrouter.ai/docs/use-cases/usage-accounting',
      'https://openrouter.ai/docs/api-reference/overview',
      'https://github.com/elie222/rakazo/issues/114',
      CANCELLATION,
    ],
    checked: CHECKED,
  },

  moonshot: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_completion_tokens',
      developerRole: false,
      cachedTokens: ['cached_tokens', 'prompt_tokens_details.cached_tokens'],
      onlyReasoningBack: true,
      // `thinkingOff` is not set, because no value fits all models: kimi-k2.7-code refuses the
      // value that turns off thinking in kimi-k2.6.
      reasoningFields: ['reasoning_content'],
      reasoningBack: 'reasoning_content',
    },
    sources: [
      'https://platform.kimi.ai/docs/api/chat',
      'https://docs.rs/synaps-engine/0.7.0/src/agent_engine/runtime/openai/catalog/kimi.rs.html',
      'https://java.agentscope.io/v2/en/integration/model/kimi',
    ],
    checked: CHECKED,
  },

  xai: {
    quirks: {
      ...PLAIN_TURNS,
      ...ABORT_STREAMS,
      maxTokensField: 'max_completion_tokens',
      developerRole: false,
      // Grok does not count reasoning in `completion_tokens`; `total_tokens` includes both.
      reasoningOutside: true,
      reasoningFields: ['reasoning_content'],
      onlyReasoningBack: true,
      toolUses: {
        web_search: ['server_side_tool_usage_details.web_search_calls'],
        x_search: ['server_side_tool_usage_details.x_search_calls'],
        code_execution: ['server_side_tool_usage_details.code_interpreter_calls'],
        file_search: [
          'server_side_tool_usage_details.file_search_calls',
          'server_side_tool_usage_details.document_search_calls',
        ],
      },
      // xAI reports the cost in ticks of 10^-10 USD.
      reportedCost: { path: 'cost_in_usd_ticks', decimals: 10 },
    },
    sources: [
      'https://docs.x.ai/developers/pricing',
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/grok/capabilities/reasoning',
      'https://github.com/UKGovernmentBEIS/inspect_ai/issues/5528',
      'https://github.com/Wei-Shaw/sub2api/issues/5771',
      CANCELLATION,
    ],
    checked: CHECKED,
  },

  gemini: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_tokens',
      // Google refuses every field that it does not know, such as reasoning of earlier turns.
      onlyReasoningBack: true,
      // A request for `priority` may be served as `standard`, which only this header reports.
      tierHeader: 'x-gemini-service-tier',
    },
    sources: [
      'https://ai.google.dev/gemini-api/docs/openai',
      'https://ai.google.dev/gemini-api/docs/priority-inference',
    ],
    checked: '2026-11-22',
  },

  bedrock: {
    quirks: {
      ...PLAIN_TURNS,
      maxTokensField: 'max_completion_tokens',
      tierHeader: 'x-amzn-bedrock-service-tier',
    },
    sources: [
      'https://docs.aws.amazon.com/bedrock/latest/userguide/service-tiers-inference.html',
      'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html',
    ],
    checked: '2026-11-22',
  },

  // If the upstream is another Modelgate, it speaks all protocols and translates by itself.
  // Requests of Responses callers go to its chat completions. Its Responses API cannot be used,
  // because both gateways mark the reasoning that they sign with the same prefix, but each accepts
  // only its own signatures. After a disconnect, its answers are read to the end, because it
  // reports the usage that it charges.
  modelgate: { quirks: {}, sources: [], checked: null },
};

/** Returns the quirks of the server software, overridden by the operator's settings. */
export function quirksOf(make: UpstreamMake, said: UpstreamQuirks): Quirks {
  const known: Quirks = { ...NO_QUIRKS, ...KNOWN_SERVERS[make].quirks };
  return {
    drop: said.drop ?? known.drop,
    // The operator may set null, which means that no header is read.
    tierHeader: said.tier_header === undefined ? known.tierHeader : said.tier_header,
    toolUses: said.tool_uses ?? known.toolUses,
    // The operator may set null, which means that the reported cost is not read.
    reportedCost: said.reported_cost === undefined ? known.reportedCost : said.reported_cost,
    onDisconnect: said.on_disconnect ?? known.onDisconnect,
    autoCache: said.auto_cache ?? known.autoCache,
    systemAnywhere: said.system_anywhere ?? known.systemAnywhere,
    maxTokensField: said.max_tokens_field ?? known.maxTokensField,
    streamOptions: said.stream_options ?? known.streamOptions,
    developerRole: said.developer_role ?? known.developerRole,
    cachedTokens: said.cached_tokens ?? known.cachedTokens,
    reasoningOutside: said.reasoning_outside ?? known.reasoningOutside,
    reasoningFields: said.reasoning_fields ?? known.reasoningFields,
    // The operator may set null, which means that no reasoning is sent back.
    reasoningBack: said.reasoning_back === undefined ? known.reasoningBack : said.reasoning_back,
    onlyReasoningBack: said.only_reasoning_back ?? known.onlyReasoningBack,
    reasoningRequired: said.reasoning_required ?? known.reasoningRequired,
    reasoningEffort: said.reasoning_effort ?? known.reasoningEffort,
    // The operator may set null, which means that thinking cannot be turned off.
    thinkingOff: said.thinking_off === undefined ? known.thinkingOff : said.thinking_off,
    responses: said.responses ?? known.responses,
    imageResponseFormat: said.image_response_format ?? known.imageResponseFormat,
  };
}

/** Adds the fields that a route's model refuses to the fields that the quirks drop. */
export const withRouteDrop = (quirks: Quirks, routeDrop: readonly string[]): Quirks =>
  routeDrop.length === 0
    ? quirks
    : { ...quirks, drop: [...new Set([...quirks.drop, ...routeDrop])] };

/** Returns the quirks under their names in the configuration file. */
export const quirksByName = (quirks: Quirks): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(quirks).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
