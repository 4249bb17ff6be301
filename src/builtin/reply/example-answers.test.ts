import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, builtinCaller } from '../builtin-caller.fixture.ts';
import { exampleAnswer } from './example-answers.ts';

const CONSOLE = join(import.meta.dir, '../../../console/src');

/**
 * Returns the interface texts in a console file whose keys match `name`: first the English text,
 * then the Chinese one.
 */
const textsIn = (file: string, name: string): readonly string[] =>
  [...readFileSync(join(CONSOLE, file), 'utf8').matchAll(new RegExp(`${name}: '(.+)',`, 'g'))].map(
    ([, text = '']) => text,
  );

const EXAMPLES = textsIn('screens/playground/chat/chat-texts.ts', 'example\\w+');
const PROMPTS = [...EXAMPLES, ...textsIn('screens/sign-in/setup-screen.tsx', 'question')];

describe('example answers', () => {
  test('the console has three examples and a first request in two languages', () => {
    expect(PROMPTS.length).toBe(8);
  });

  test.each([...PROMPTS, 'Hello!', '你好', 'Why is the sky blue?'])('%s', async (prompt) => {
    const language = /\p{Script=Han}/u.test(prompt) ? 'chinese' : 'english';
    const answer = exampleAnswer(prompt, language, 'gen-v4-pro');
    expect(answer).not.toBeNull();
    expect(answer?.text).not.toMatch(/\{\{|<think>|<!--/);
    expect(/\p{Script=Han}/u.test(answer?.text ?? '')).toBe(language === 'chinese');
    const body = { model: 'gen-v4-pro', messages: [{ role: 'user', content: prompt }] };
    const sent = await builtinCaller().json('chat', { ...body, reasoning_effort: 'max' });
    expect(at(sent, 'choices.0.message.content')).toBe(answer?.text ?? '');
    const reasoning = String(at(sent, 'choices.0.message.reasoning_content'));
    for (const thought of answer?.thoughts ?? []) expect(reasoning).toContain(thought);
  });

  test('answer the prompts that the console shows in traditional Chinese', () => {
    const prompts = [
      '用三句話介紹提示詞快取，並給一個對比表。',
      '寫一個按月份分組訂單的 TypeScript 函式，並附測試。',
      '球拍和球一共 1.10 元，球拍比球貴 1 元。球多少錢？',
      '你好！你是誰？',
      '天空為什麼是藍色的？',
    ];
    const unanswered = prompts.filter((prompt) => exampleAnswer(prompt, 'chinese', 'm') === null);
    expect(unanswered).toEqual([]);
  });

  test('show a table, code with a language, and steps of thinking', () => {
    const answers = EXAMPLES.map((prompt, index) =>
      exampleAnswer(prompt, index < EXAMPLES.length / 2 ? 'english' : 'chinese', 'm'),
    );
    const texts = answers.map((answer) => answer?.text ?? '');
    expect(
      texts.filter((text) => /^\|(?:-+:?\|)+$/m.test(text.replace(/---:/g, '---'))).length,
    ).toBe(4);
    expect(texts.filter((text) => text.includes('```ts\n')).length).toBe(2);
    expect(answers.every((answer) => (answer?.thoughts.length ?? 0) >= 2)).toBe(true);
  });

  test('a prompt with material of its own gets no example', () => {
    expect(exampleAnswer('Hello there', 'english', 'm')).toBeNull();
    expect(exampleAnswer(`Hello! ${'word '.repeat(80)}`, 'english', 'm')).toBeNull();
  });

  test('further choices of one request have other words', async () => {
    const messages = [{ role: 'user', content: 'Hello!' }];
    const answer = await builtinCaller().json('chat', { model: 'm', messages, n: 2 });
    expect(at(answer, 'choices.0.message.content')).not.toBe(
      at(answer, 'choices.1.message.content'),
    );
  });
});
