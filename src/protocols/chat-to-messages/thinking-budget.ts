/**
 * Requests thinking, or none, in the way that each Claude model accepts. Those before version 4.6
 * refuse `adaptive` thinking with an effort, and think with a budget of tokens instead. Those from
 * version 5 think unless a request switches it off, and some always think.
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

/** The member `thinking` of a request without thinking, before it is adapted to the model. */
export const THINKING_OFF = { type: 'disabled' } as const;
/**
 * Matches names of Claude models that think by default. They accept `disabled`, but only with an
 * effort up to `high`.
 */
const THINKS_BY_DEFAULT = /claude-(?:(?:opus|sonnet)-5|haiku-5[-.]5)(?![-.]?\d{1,2}(?!\d))/;
/**
 * Matches names of Claude models that refuse `disabled`. `between_tools` is their mode with least
 * thinking, with an effort up to `high`.
 */
const THINKS_BETWEEN_TOOLS = /claude-sonnet-5[-.]5(?!\d)/;
/** Matches names of Claude models that always think. They think least with the effort `low`. */
const ALWAYS_THINKS = /claude-(?:opus-5[-.]5(?!\d)|fable-|mythos-)/;

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
  asked: JsonObject,
  model: string,
  maxTokens: number,
  messages: readonly Block[],
): JsonObject {
  const members = asked['thinking'] === THINKING_OFF ? withoutThinking(asked, model) : asked;
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

/** Returns the members with the model's way to think least. Most models need no member for it. */
function withoutThinking(members: JsonObject, model: string): JsonObject {
  const { thinking: _, ...others } = members;
  const config = asJsonObject(members['output_config']) ?? {};
  const { effort } = config;
  if (ALWAYS_THINKS.test(model))
    return { ...others, output_config: { ...config, effort: effort ?? 'low' } };
  const isBetween = THINKS_BETWEEN_TOOLS.test(model);
  if (!isBetween && !THINKS_BY_DEFAULT.test(model)) return others;
  const isTooHigh = effort === 'xhigh' || effort === 'max';
  return {
    ...members,
    ...(isBetween ? { thinking: { type: 'between_tools' } } : {}),
    ...(isTooHigh ? { output_config: { ...config, effort: 'high' } } : {}),
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
