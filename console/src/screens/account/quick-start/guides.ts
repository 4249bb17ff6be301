/** The guides for clients. They are the pages of `docs/guides`, built into the console. */

/** Maps the name of each guide's file, without `.md`, to the products that the guide covers. */
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

/** The placeholder for the gateway's address in the guides. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8787';

/** Returns a guide without its title, with the gateway's own address in its examples. */
export const guideFor = (text: string, address: string): string =>
  text.replace(/^# .*\n/, '').replaceAll(WRITTEN_ADDRESS, address);

/** The part of a guide below a heading. The part before the first heading has an empty title. */
export type GuideSection = { readonly id: string; readonly title: string; readonly text: string };

/**
 * Matches a heading of the second level, or the start or end of a code block. Within a code block,
 * `##` is not a heading.
 */
const HEADING_OR_FENCE = /^(?:## (.+)|```.*)$/;

/** Splits a guide at its headings. A section without text is omitted. */
export function sectionsOf(text: string): readonly GuideSection[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    const [found, title] = HEADING_OR_FENCE.exec(line) ?? [];
    if (found !== undefined && title === undefined) isCode = !isCode;
    if (title !== undefined && !isCode) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ title, lines }) => ({ id: slugOf(title), title, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '');
}

/** Returns the anchor of a heading, as code hosts such as GitHub derive it from the title. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
