/** Which tools an answer calls, and with what. */
import type { Conversation, Tool } from '../builtin-conversation.ts';
import { writeInstance } from '../schema/instance.ts';
import { patternSample } from '../schema/pattern-sample.ts';
import { type StepBudget, stepBudget } from '../schema/scalar-value.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { mentions, readEntities, wordsOf } from './entities.ts';
import type { LatestRequest } from './latest-request.ts';

export type PlannedCall = {
  readonly name: string;
  /** JSON text of an object, or the free text of a custom tool. */
  readonly input: string;
  readonly isFreeText: boolean;
};

/** Verbs and fillers that many tool names share; they say nothing about which tool is meant. */
const COMMON_WORDS = new Set(
  'get fetch find lookup look do run call use make create set list show the a an of for to by with current my tool function api'.split(
    ' ',
  ),
);
/** Everyday verbs that are also tool names; these are only called when spoken of as a tool. */
const EVERYDAY_NAMES = new Set(
  'read write edit task agent open close ask send move copy view think plan memory bash'.split(' '),
);
/** Longer requests are searched for tool names this far. */
const MAX_SEARCHED_CHARS = 4_000;
/** No request that is meant needs more calls at once. */
const MAX_CALLS = 16;

/** The calls to make now; none when the answer is to be words. */
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
  // What was called for this request is done, so a loop of calls comes to its end.
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

/** Where in the text a tool is named, by its name or clearly by the words of it; -1 when it is not. */
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

/** Pairs of Han characters that most descriptions share. */
const COMMON_PAIRS =
  /查询|获取|指定|一个|当前|返回|使用|工具|信息|用户|可以|城市|数据|进行|通过|根据|的/;

/** Descriptions are searched this far. */
const MAX_DESCRIPTION_CHARS = 400;

/** Chinese requests name a tool by the words of its description, since names are Latin. */
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

/** `near` is the part of the request that speaks of this tool; the whole serves when that is bare. */
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
    const offered = readEntities(text).quoted.find((quote) => quote !== name) ?? text;
    const matching = input.pattern === null ? null : patternSample(input.pattern, 0, Infinity);
    return { name, input: matching ?? offered, isFreeText: true };
  }
  const schema = input.kind === 'schema' ? input.schema : {};
  const value = writeInstance(schema, withoutName(text, name), 'mentioned', budget);
  return { name, input: JSON.stringify(value), isFreeText: false };
}

/** The tool's own name is no value for its arguments. */
const withoutName = (text: string, name: string): string => text.replaceAll(name, ' ');
