/** The configuration lines that connect a provider, read from its guide in `docs/guides`. */

/** The providers that have a guide, by the name of its file. */
export const PROVIDERS = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  deepseek: 'DeepSeek',
  ollama: 'Ollama',
  vllm: 'vLLM',
} as const;
export type Provider = keyof typeof PROVIDERS;

/** Returns the first configuration in a guide, without `data_dir`, which is set already. */
export function linesIn(guide: string): string {
  const [, block = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(guide) ?? [];
  return block.replace(/^data_dir: .*\n/m, '');
}
