/**
 * The models in the form that Codex reads from its `model_catalog_url`. The instructions are those
 * that Codex 0.169 gives to models that it does not know (github.com/openai/codex, Apache License
 * 2.0).
 */
import type { Card, Catalogue, Channel, ChatModel } from '../../../catalogue/catalogue.ts';
import type { ChannelFacts } from '../catalogue-body.ts';
import instructions from './codex-instructions.md' with { type: 'text' };

/** The levels of reasoning effort that every translator can express. */
const EFFORTS = [
  { effort: 'low', description: 'Fast answers with little reasoning' },
  { effort: 'medium', description: 'Balances speed and reasoning' },
  { effort: 'high', description: 'More reasoning for hard problems' },
] as const;

/**
 * Maximum tokens of a tool's output. Codex truncates longer output. This is Codex's limit for
 * unknown models.
 */
const TOOL_OUTPUT_TOKENS = 10_000;

/**
 * Returns the entry of a model. Codex rejects the whole list if an entry lacks one of the first
 * twelve members below.
 */
const codexModel = (
  model: ChatModel,
  priority: number,
  { parameters }: Pick<ChannelFacts, 'parameters'>,
) => {
  const channel: Channel<Card> | undefined = model.channels.get(model.defaultChannel);
  const reasons = channel !== undefined && parameters(channel).includes('reasoning_effort');
  return {
    slug: model.id,
    display_name: model.name,
    supported_reasoning_levels: reasons ? EFFORTS : [],
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority,
    base_instructions: instructions,
    truncation_policy: { mode: 'tokens', limit: TOOL_OUTPUT_TOKENS },
    experimental_supported_tools: [],
    support_verbosity: false,
    supports_reasoning_summaries: reasons,
    default_reasoning_summary: 'auto',
    supports_parallel_tool_calls: true,
    context_window: model.contextWindow,
    input_modalities: model.input.filter((each) => each === 'text' || each === 'image'),
    apply_patch_tool_type: 'freeform',
    use_responses_lite: false,
    tool_mode: 'direct',
  };
};

/** Returns the chat models in the order of the catalogue. */
export const codexModels = ({ models }: Catalogue, facts: Pick<ChannelFacts, 'parameters'>) =>
  [...models.values()]
    .filter((model) => model.kind === 'chat')
    .map((model, index) => codexModel(model, index, facts));
