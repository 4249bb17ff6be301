/**
 * Requests thinking from older Claude models. Those before version 4.6 refuse `adaptive` thinking
 * with an effort, and think with a budget of tokens instead.
 */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { Block } from './cache-markers.ts';

/**
 * Matches names of Claude models before version 4.6, also with a prefix or date, such as
 * `us.anthropic.claude-haiku-4-5-20251001-v1:0`.
 */
const OLDER = /claude-(?:3[-.]7|(?:opus|sonnet|haiku)-4(?![-.]?(?:[6-9]|\d\d)(?!\d)))(?!\d)/;

/** Matches names of Claude models that think adaptively, but do not know the effort `xhigh`. */
const NO_XHIGH = /claude-(?:opus|sonnet)-4[-.]6(?!\d)/;

/** Minimum budget at Anthropic. */
const MIN_BUDGET = 1_024;
/** The budgets of efforts in Google's OpenAI-compatible API. Higher efforts have that of `high`. */
const BUDGETS: Readonly<Record<string, number>> = { low: MIN_BUDGET, medium: 8_192 };
const HIGH_BUDGET = 24_576;
/** Part of the output that thinking may use, in percent. The rest is left for the answer. */
const MAX_PERCENT = 80;

/**
 * Returns the members of a request for the model. For an older Claude model, replaces the effort by
 * a budget, or by one that the model knows. If the model cannot think within the output limit or
 * after these messages, the members request no thinking.
 */
export function withThinkingBudget(
  members: JsonObject,
  model: string,
  maxTokens: number,
  messages: readonly Block[],
): JsonObject {
  const { thinking, output_config: given, ...rest } = members;
  const { effort, ...config } = asJsonObject(given) ?? {};
  if (effort === 'xhigh' && NO_XHIGH.test(model))
    return { ...members, output_config: { ...config, effort: 'high' } };
  if (!OLDER.test(model)) return members;
  const wanted = BUDGETS[String(effort)] ?? HIGH_BUDGET;
  const budget = Math.min(wanted, Math.floor((maxTokens * MAX_PERCENT) / 100));
  const thinks = thinking !== undefined && budget >= MIN_BUDGET && canThinkAfter(messages);
  return {
    ...(thinks ? { thinking: { type: 'enabled', budget_tokens: budget } } : {}),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...rest,
  };
}

/**
 * Whether a model with a budget accepts the messages. A turn with calls must begin with its
 * thinking, which some clients do not send back.
 */
function canThinkAfter(messages: readonly Block[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const types = asArray(last?.['content']).map((block) => asJsonObject(block)?.['type']);
  return !types.includes('tool_use') || /thinking$/.test(String(types[0]));
}
