/** The guides for clients. They are the pages of `docs/guides`, built into the console. */

/** Maps the file of each guide, without `.md`, to the products that it is about. */
export const GUIDES = {
  'openai-sdk': 'OpenAI SDK',
  'anthropic-sdk': 'Anthropic SDK',
  'openai-agents': 'OpenAI Agents SDK',
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  python: 'LangChain, LlamaIndex, pydantic-ai, LiteLLM (Python)',
  'go-java': 'Go, Java',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  agents: 'opencode, Cline, Continue, Qwen Code, aider, Cursor',
  embeddings: 'Embeddings',
  'chat-apps': 'Cherry Studio, Open WebUI, Dify',
} as const;
export type GuideName = keyof typeof GUIDES;

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

/** The gateway's address as the guides write it. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8787';

/** Returns a guide without its title, with the gateway's own address in its examples. */
export const guideFor = (text: string, address: string): string =>
  text.replace(/^# .*\n/, '').replaceAll(WRITTEN_ADDRESS, address);
