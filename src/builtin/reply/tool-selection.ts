/** Selects the tools that an answer calls and writes their arguments. */
import type { Conversation, Tool } from '../builtin-conversation.ts';
import { mentions, readEntities, wordsOf } from '../entities.ts';
import { type StepBudget, stepBudget, writeInstance } from '../schema/instance.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { LatestRequest } from './latest-request.ts';

export type PlannedCall = {
  readonly name: string;
  /** The arguments: a JSON object as text, or free text for a custom tool. */
  readonly input: string;
  readonly isFreeText: boolean;
};

/** Words that occur in many tool names and so do not identify a tool. */
const COMMON_WORDS = new Set(
  (
    'get fetch find lookup look do run call use make create set list show ' +
    'the a an of for to by with current my tool function api'
  ).split(' '),
);
/**
 * Tool names that are everyday words. They count as a tool name only after a word such as `use`, or
 * before ` tool`.
 */
const EVERYDAY_NAMES = new Set(
  'read write edit task agent open close ask send move copy view think plan memory bash'.split(' '),
);
/** The maximum number of characters of a request that are searched for tool names. */
const MAX_SEARCHED_CHARS = 4_000;
/** The maximum number of tool calls in an answer. It limits the work for a request. */
const MAX_CALLS = 16;

/** Returns the tool calls of the answer; empty when the answer is text. */
export function chooseCalls(
  conversation: Conversation,
  latest: LatestRequest,
  random: SeededRandom,
): readonly PlannedCall[] {
  const { choice, tools } = conversation;
  if (choice.kind === 'none') return [];
  const allowed = tools.filter(
    (tool) => choice.names.has(tool.name) && tool.input.kind !== 'server',
  );
  const asked = latest.asked.slice(0, MAX_SEARCHED_CHARS);
  const named = allowed
    .map((tool) => ({ tool, at: whereNamed(tool, asked) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  // Does not call a tool again that was already called for this request, so that agent loops end.
  const pending = named.filter(({ tool }) => !latest.called.has(tool.name));
  const chosen = pending.slice(0, conversation.parallelCalls ? MAX_CALLS : 1);
  const budget = stepBudget();
  if (chosen.length > 0) {
    return chosen.map(({ tool, at }) => {
      const next = named.find((each) => each.at > at)?.at ?? asked.length;
      return callOf(tool, asked, chosen.length > 1 ? asked.slice(at, next) : asked, budget);
    });
  }
  const forced = allowed[random.below(Math.max(1, allowed.length))];
  return choice.kind === 'must' && forced !== undefined
    ? [callOf(forced, asked, asked, budget)]
    : [];
}

/**
 * Returns the position where the text mentions the tool: by its name, by all words of its name, or
 * by a Chinese word of its description. Returns -1 if the text does not mention it.
 */
export function whereNamed(tool: Tool, text: string): number {
  const lower = text.toLowerCase();
  const name = tool.name.toLowerCase();
  const isEveryday = EVERYDAY_NAMES.has(name);
  if (mentions(lower, tool.name) && (!isEveryday || isSpokenOfAsTool(name, lower))) {
    return lower.indexOf(name);
  }
  const words = wordsOf(tool.name).filter((word) => !COMMON_WORDS.has(word) && word.length > 2);
  if (!isEveryday && words.length > 0 && words.every((word) => mentionsForm(lower, word))) {
    return Math.min(...words.map((word) => lower.indexOf(word)));
  }
  return whereDescribed(tool.description, text);
}

const isSpokenOfAsTool = (name: string, lower: string): boolean =>
  ['use ', 'call ', 'run ', 'using ', 'with ', 'use the ', 'call the ', '`', '调用', '使用'].some(
    (lead) => lower.includes(`${lead}${name}`),
  ) || [' tool', ' function', '工具'].some((tail) => lower.includes(`${name}${tail}`));

const mentionsForm = (lower: string, word: string): boolean =>
  lower.includes(word) && [word, `${word}s`, `${word}es`].some((form) => mentions(lower, form));

/** Chinese words that occur in most tool descriptions, and so do not identify a tool. */
const COMMON_PAIRS =
  /查询|获取|指定|一个|当前|返回|使用|工具|信息|用户|可以|城市|数据|进行|通过|根据|的/;

const MAX_DESCRIPTION_CHARS = 400;

/**
 * Returns the position where a Chinese request contains a word of the tool's description; -1 if it
 * contains none.
 */
function whereDescribed(description: string, text: string): number {
  if (!/\p{Script=Han}/u.test(text)) return -1;
  for (const run of description.slice(0, MAX_DESCRIPTION_CHARS).match(/\p{Script=Han}{2,}/gu) ??
    []) {
    for (let at = 0; at + 2 <= run.length; at += 1) {
      const pair = run.slice(at, at + 2);
      if (!COMMON_PAIRS.test(pair) && text.includes(pair)) return text.indexOf(pair);
    }
  }
  return -1;
}

/**
 * @param near the part of `asked` that is about this tool. The arguments are taken from the
 *   entities in `near`, or from those in `asked` if `near` contains none.
 */
function callOf(tool: Tool, asked: string, near: string, budget: StepBudget): PlannedCall {
  const { name, input } = tool;
  const nearEntities = readEntities(near);
  const isBare = [
    nearEntities.quoted,
    nearEntities.numbers,
    nearEntities.names,
    nearEntities.places,
  ].every((list) => list.length === 0);
  const text = isBare ? asked : near;
  if (input.kind === 'free_text') {
    const offered = readEntities(text).quoted.find((quote) => quote !== name);
    return { name, input: offered ?? text, isFreeText: true };
  }
  const schema = input.kind === 'schema' ? input.schema : {};
  const value = writeInstance(schema, withoutName(text, name), 'mentioned', budget);
  return { name, input: JSON.stringify(value), isFreeText: false };
}

/** Removes the tool's name from a text, so that the name is not used as an argument. */
const withoutName = (text: string, name: string): string => text.replaceAll(name, ' ');
