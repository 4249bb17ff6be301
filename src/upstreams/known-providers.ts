/** The name, protocol and URL of known providers, which the form for connecting one suggests. */
import type { UpstreamMake } from '../config/upstream-schema.ts';

export type KnownProvider = {
  readonly name: string;
  readonly protocol: 'openai' | 'anthropic';
  /** The usual base URL; null if it depends on the operator's own server or account. */
  readonly baseUrl: string | null;
  /** Whether the provider refuses requests without a key. */
  readonly needsKey: boolean;
  /** Whether operators run the server themselves, usually in a private network. */
  readonly isOwnServer: boolean;
};

const hosted = (name: string, baseUrl: string | null): KnownProvider => ({
  ...{ name, baseUrl, protocol: 'openai', needsKey: true, isOwnServer: false },
});
const ownServer = (name: string, baseUrl: string | null): KnownProvider => ({
  ...{ name, baseUrl, protocol: 'openai', needsKey: false, isOwnServer: true },
});

/** The known providers, in the order in which the form shows them. */
export const KNOWN_PROVIDERS: Readonly<Record<UpstreamMake, KnownProvider>> = {
  openai: hosted('OpenAI', 'https://api.openai.com/v1'),
  anthropic: { ...hosted('Anthropic', 'https://api.anthropic.com'), protocol: 'anthropic' },
  gemini: hosted('Google Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai'),
  deepseek: hosted('DeepSeek', 'https://api.deepseek.com'),
  moonshot: hosted('Moonshot AI', 'https://api.moonshot.ai/v1'),
  xai: hosted('xAI', 'https://api.x.ai/v1'),
  openrouter: hosted('OpenRouter', 'https://openrouter.ai/api/v1'),
  bedrock: hosted('Amazon Bedrock', null),
  modelgate: hosted('Modelgate', null),
  litellm: ownServer('LiteLLM', 'http://127.0.0.1:4000/v1'),
  ollama: ownServer('Ollama', 'http://127.0.0.1:11434/v1'),
  vllm: ownServer('vLLM', 'http://127.0.0.1:8000/v1'),
  sglang: ownServer('SGLang', 'http://127.0.0.1:30000/v1'),
  'llama.cpp': ownServer('llama.cpp', 'http://127.0.0.1:8080/v1'),
  generic: { ...hosted('OpenAI-compatible', null), needsKey: false },
};
