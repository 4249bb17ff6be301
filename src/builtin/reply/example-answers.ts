/** The answers in `examples/` to the example prompts of the console and the quick start. */
import chinese from './examples/chinese.md' with { type: 'text' };
import english from './examples/english.md' with { type: 'text' };
import type { Language } from './phrases.ts';

export type ExampleAnswer = {
  /** The steps of thinking before the answer. */
  readonly thoughts: readonly string[];
  /** The answer in Markdown. */
  readonly text: string;
};

/**
 * The patterns of example prompts in English, simplified and traditional Chinese, each with the
 * name of its answer.
 */
const PROMPTS: readonly (readonly [name: string, asks: RegExp])[] = [
  ['prompt-caching', /prompt cach(?:ing|e)|提示[词詞]?(?:缓存|緩存|快取)/i],
  ['orders-by-month', /orders by month|按月份?(?:对订单|對訂單)?分[组組]|(?:订单|訂單)按月/i],
  ['bat-and-ball', /bat and (?:a|the) ball|球拍和球/i],
  ['blue-sky', /why is the sky blue|天空[为為]什[么麼]是[蓝藍]/i],
  [
    'who-are-you',
    /^(?:(?:hello|hi)[\s,.!]*)?who are you\s*\?*$|^[你您好！!，,。\s]*[你您]是[谁誰][？?]*$/i,
  ],
  ['hello', /^(?:hello|hi)[\s!.]*$|^[你您]好[！!。]*$/i],
];

/**
 * Parses a file and returns its answers by name. In the file, an answer consists of a comment with
 * its name, its thinking, and its text.
 */
function answersIn(file: string): ReadonlyMap<string, ExampleAnswer> {
  const sections = file.split(/^<!-- (.+) -->\n<think>\n/m).slice(1);
  const answers = new Map<string, ExampleAnswer>();
  for (let at = 0; at + 1 < sections.length; at += 2) {
    const [thoughts = '', text = ''] = (sections[at + 1] ?? '').split('\n</think>\n');
    answers.set(sections[at] ?? '', { thoughts: thoughts.split('\n'), text: text.trim() });
  }
  return answers;
}

const ANSWERS: Readonly<Record<Language, ReadonlyMap<string, ExampleAnswer>>> = {
  english: answersIn(english),
  chinese: answersIn(chinese),
};

/**
 * The maximum length of a prompt that gets an example answer. A longer prompt gets a generic
 * answer.
 */
const MAX_PROMPT_CHARS = 200;

/** Returns the example answer for a prompt; null when the prompt is not one of the examples. */
export function exampleAnswer(
  prompt: string,
  language: Language,
  model: string,
): ExampleAnswer | null {
  if (prompt.length > MAX_PROMPT_CHARS) return null;
  const [name = ''] = PROMPTS.find(([, asks]) => asks.test(prompt.trim())) ?? [];
  const answer = ANSWERS[language].get(name);
  return answer === undefined
    ? null
    : { ...answer, text: answer.text.replaceAll('{{model}}', () => model) };
}
