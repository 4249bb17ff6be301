import { describe, expect, test } from 'bun:test';
import { NO_FACTS } from '../../money/price-of.ts';
import { readChatRequest } from '../chat/request.ts';
import { readMessagesRequest } from '../messages/request.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const inChat = (more: object) => readChatRequest({ model: 'm', messages, ...more });
const inMessages = (more: object) =>
  readMessagesRequest({ model: 'm', max_tokens: 8, messages, ...more });

describe('thinking that an upstream may bill without showing it', () => {
  test.each([
    { reasoning_effort: 'low' },
    { reasoning: { effort: 'high', exclude: true } },
    { reasoning: { max_tokens: 2_000 } },
    { reasoning: { enabled: true } },
    { thinking: { type: 'enabled' } },
    { enable_thinking: true },
    { thinking_budget: 100 },
    { think: 'high' },
    { include_reasoning: true },
    { prompt_mode: 'reasoning' },
    { chat_template_kwargs: { enable_thinking: true } },
    { extra_body: { google: { thinking_config: { thinking_budget: -1 } } } },
    { reasoning: { exclude: true } },
    // The switches in each of the next rows contradict each other. The one that requests thinking
    // applies.
    { reasoning_effort: 'none', reasoning: { max_tokens: 2_000 } },
    { reasoning_effort: 'none', thinking: { type: 'enabled' } },
    { reasoning_effort: 'high', thinking: { type: 'disabled' } },
    { reasoning: { effort: 'none', max_tokens: 2_000 } },
    { reasoning: { enabled: false, effort: 'high' } },
    { thinking: { type: 'disabled', budget_tokens: 2_000 } },
    { enable_thinking: false, chat_template_kwargs: { enable_thinking: true } },
  ])('is asked for by %j', (more) => {
    expect(inChat(more).mayThinkUnseen).toBe(true);
  });

  test.each([
    {},
    { reasoning_effort: 'none' },
    { reasoning: { effort: 'none' } },
    { reasoning: { enabled: false, exclude: true } },
    { reasoning: { effort: 'none', exclude: true, summary: 'auto' } },
    { reasoning_effort: 'none', thinking: { type: 'disabled', display: 'omitted' } },
    { reasoning: null },
    { thinking: { type: 'disabled' } },
    { enable_thinking: false },
    { thinking_budget: 0 },
    { chat_template_kwargs: { enable_thinking: false } },
  ])('is not asked for by %j', (more) => {
    expect(inChat(more).mayThinkUnseen).toBe(false);
  });
});

test.each([
  [{}, false],
  [{ thinking: { type: 'disabled' } }, false],
  [{ thinking: { type: 'disabled', display: 'omitted' } }, false],
  [{ thinking: { type: 'adaptive' } }, true],
  [{ thinking: { type: 'disabled', budget_tokens: 2_000 } }, true],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'low' } }, true],
] as const)('Messages with %j may think unseen: %p', (more, isAsked) => {
  expect(inMessages(more).mayThinkUnseen).toBe(isAsked);
});

test('the tier, speed and place that are requested', () => {
  expect(inChat({}).extras.requested).toEqual(NO_FACTS);
  expect(inChat({ service_tier: 'priority' }).extras.requested).toEqual({
    ...NO_FACTS,
    tier: 'priority',
  });
  const asked = { service_tier: 'auto', speed: 'fast', inference_geo: 'us' };
  expect(inMessages(asked).extras.requested).toEqual({
    ...NO_FACTS,
    ...{ tier: 'auto', speed: 'fast', geo: 'us' },
  });
});

test('tools that the provider runs, with the limit of their uses', () => {
  const fetch = { type: 'web_fetch_20260318', name: 'web_fetch', max_uses: 1 };
  const tools = [
    { name: 'f', input_schema: {} },
    { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
    { type: 'web_search_20260318', name: 'web_search', max_uses: -1 },
    fetch,
  ];
  const search = { unit: 'web_search', type: 'web_search_20260318', mayFill: false } as const;
  expect(inMessages({ tools }).extras.serverTools).toEqual([
    { ...search, param: 'tools[1]', maxUses: 3 },
    { ...search, param: 'tools[2]', maxUses: null },
    {
      ...search,
      unit: 'web_fetch',
      type: fetch.type,
      param: 'tools[3]',
      maxUses: 1,
      mayFill: true,
    },
  ]);
});

test('a limit of uses in chat counts only for a type of one make, which obeys it', () => {
  const uses = (tool: object) =>
    inChat({ tools: [tool] }).extras.serverTools.map(({ maxUses }) => maxUses);
  expect(uses({ type: 'openrouter:web_search', parameters: { max_uses: 2 } })).toEqual([2]);
  expect(uses({ type: 'openrouter:web_fetch', max_uses: 3 })).toEqual([3]);
  expect(uses({ type: 'openrouter:web_search' })).toEqual([null]);
  expect(uses({ type: 'web_search', max_uses: 2 })).toEqual([null]);
  for (const max_uses of [0, 1.5, '3', 2 ** 60])
    expect(uses({ type: 'openrouter:web_fetch', max_uses })).toEqual([null]);
});

test('the tokens that providers add for tools', () => {
  expect(inMessages({}).extras.addedTokens).toBe(0);
  const own = { name: 'f', input_schema: {} };
  expect(inMessages({ tools: [own] }).extras.addedTokens).toBe(804);
  const bash = { type: 'bash_20250124', name: 'bash' };
  expect(inMessages({ tools: [own, bash] }).extras.addedTokens).toBe(804 + 325);
});
