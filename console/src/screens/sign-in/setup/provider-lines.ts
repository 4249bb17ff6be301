/** The configuration lines that connect a provider, read from its guide in `docs/guides`. */

/** The names of the providers that have a guide, by the guide's file name without extension. */
export const PROVIDERS = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  deepseek: 'DeepSeek',
  ollama: 'Ollama',
  vllm: 'vLLM',
} as const;
export type Provider = keyof typeof PROVIDERS;

/** Returns the first YAML block of a guide, without `data_dir`, which is already configured. */
export function linesIn(guide: string): string {
  const [, block = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(guide) ?? [];
  return block.replace(/^data_dir: .*\n/m, '');
}
