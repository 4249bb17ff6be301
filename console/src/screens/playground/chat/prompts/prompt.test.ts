import { describe, expect, test } from 'bun:test';
import { newAnswer } from '#chat/answer.ts';
import type { ChatState } from '#screens/playground/chat/chat-store.ts';
import type { Message } from '#screens/playground/chat/thread.ts';
import {
  fragmentOf,
  MAX_LINK_CHARACTERS,
  type Prompt,
  promptIn,
  promptOfFragment,
  readPrompt,
  threadOf,
} from './prompt.ts';

const ANSWER = {
  ...newAnswer({ model: 'gen-a', requestedChannel: null, promptWeight: 3, sentMs: 1 }),
  ...{ phase: 'done' as const, text: '缓存 & “quotes”' },
};
const FILE = { id: 'f', name: 'a.png', type: 'image/png', size: 3, dataUrl: 'data:image/png,a' };
const MESSAGES: readonly Message[] = [
  { kind: 'user', id: 'u', text: 'Explain 🦊 caching', attachments: [FILE] as never },
  { kind: 'answer', id: 'a', answer: ANSWER },
  { kind: 'result', id: 'r', callId: 'c', name: 'f', text: 'secret result' },
];
const STATE: ChatState = {
  threads: [
    {
      ...{ id: 't', model: 'gen-a', channel: 'stable', messages: MESSAGES },
      ...{ spent: { USD: '1' }, saved: {} },
    },
  ],
  settings: {
    ...{ system: 'Be brief.', tools: '[]', toolChoice: 'auto' },
    values: { temperature: 0.2, stop: ['END'], reasoning_effort: 'low', seed: -4 },
  },
  draft: { text: 'not sent yet', attachments: [] },
};
const PROMPT = promptIn(STATE) as Prompt;

/** Returns a link fragment with an arbitrary value, as an attacker could create it. */
const written = (value: unknown): string =>
  `prompt=${Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;

describe('a shared link', () => {
  test('carries model, channel, settings and texts in any script, and nothing else', () => {
    const fragment = fragmentOf(PROMPT) ?? '';
    expect(fragment).toMatch(/^prompt=[\w-]+$/);
    expect(promptOfFragment(fragment)).toEqual(PROMPT);
    expect(PROMPT.messages).toEqual([
      { role: 'user', text: 'Explain 🦊 caching' },
      { role: 'assistant', text: '缓存 & “quotes”' },
    ]);
    const plain = JSON.stringify(PROMPT);
    for (const kept of ['data:image', 'secret result', 'not sent yet']) {
      expect(plain).not.toContain(kept);
    }
  });

  test('becomes a column whose answers are not charged again', () => {
    let ids = 0;
    const thread = threadOf(PROMPT, () => `id_${++ids}`);
    expect([thread.model, thread.channel, thread.spent]).toEqual(['gen-a', 'stable', {}]);
    expect(promptIn({ ...STATE, threads: [thread] })).toEqual(PROMPT);
  });

  test('is refused when the prompt is too long', () => {
    const long = { ...PROMPT, messages: [{ role: 'user' as const, text: '长'.repeat(20_000) }] };
    expect(fragmentOf(long)).toBeNull();
    expect(promptOfFragment(`prompt=${'A'.repeat(MAX_LINK_CHARACTERS + 1)}`)).toBeNull();
  });

  test.each([
    ['no base64', 'prompt=%%%'],
    ['no UTF-8', `prompt=${Buffer.from([0xff, 0xfe]).toString('base64url')}`],
    ['no JSON', written('{"version":')],
    ['another name', written(PROMPT).replace('prompt=', 'token=')],
    ['a list', written([PROMPT])],
    ['another version', written({ ...PROMPT, version: 2 })],
    ['a model that is no text', written({ ...PROMPT, model: { toString: 'x' } })],
    ['an empty model', written({ ...PROMPT, model: '' })],
    ['a channel that is no text', written({ ...PROMPT, channel: 1 })],
    ['no settings', written({ ...PROMPT, settings: null })],
    ['a system message', written({ ...PROMPT, messages: [{ role: 'system', text: 'x' }] })],
    ['a message that is no text', written({ ...PROMPT, messages: [{ role: 'user', text: 1 }] })],
    [
      'too many messages',
      written({ ...PROMPT, messages: Array(401).fill({ role: 'user', text: '' }) }),
    ],
    ...Object.entries({
      temperature: 3,
      top_p: '1',
      seed: 1.5,
      max_completion_tokens: -1,
      stop: ['a', 'b', 'c', 'd', 'e'],
      reasoning_effort: '<script>',
      response_format: { type: 'text' },
    }).map(([name, value]) => [
      `the ${name} ${JSON.stringify(value)}`,
      written({ ...PROMPT, settings: { ...PROMPT.settings, values: { [name]: value } } }),
    ]),
  ])('is not read with %s', (_, fragment) => {
    expect(promptOfFragment(fragment ?? '')).toBeNull();
  });

  test('loses fields that the format does not define', () => {
    const values = { ...PROMPT.settings.values, __proto__: { admin: true }, unknown: 1 };
    const strange = { ...PROMPT, extra: 1, settings: { ...PROMPT.settings, values, more: 2 } };
    expect(readPrompt(JSON.parse(JSON.stringify(strange)))).toEqual(PROMPT);
  });
});
