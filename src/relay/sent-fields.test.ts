import { expect, test } from 'bun:test';
import type { TokenCard } from '../catalogue/catalogue.ts';
import { scanObject } from '../json/scan.ts';
import { type CardLimits, flatTerms } from '../money/card-terms.ts';
import { NO_RATES, parseTokenPrice } from '../money/price.ts';
import { NO_FACTS } from '../money/price-of.ts';
import type { FeeUnit } from '../money/served.ts';
import { perPrice } from '../money/usage.ts';
import { readChatRequest } from '../protocols/chat/request.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import { readMessagesRequest } from '../protocols/messages/request.ts';
import { readResponsesRequest } from '../protocols/responses/request.ts';
import { fieldsOf } from '../upstreams/known-fields.ts';
import { sentFields } from './sent-fields.ts';

const UNSTATED: CardLimits = { uses: {}, tokensPerUse: {} };
const flat = flatTerms(NO_RATES);
const cardWith = (unit: FeeUnit, limits: CardLimits): TokenCard => ({
  ...{
    unit: 'token',
    id: 'card_1',
    model: 'm',
    channel: 'direct',
    currency: 'USD',
    example: false,
    list: null,
  },
  ...{ rates: NO_RATES, listed: perPrice(() => null) },
  terms: { ...flat, limits, admits: { ...flat.admits, tools: [unit] } },
});

type Sent = {
  readonly endpoint: TextFormat;
  readonly make: Parameters<typeof fieldsOf>[0];
  readonly pass?: readonly string[];
  readonly isTranslated?: boolean;
  readonly unit: FeeUnit;
  readonly limits?: CardLimits;
};

/** Returns the tools that a destination gets; null when they are sent unchanged. */
function toolsSent(tool: object, sent: Sent): unknown {
  const { endpoint, make, pass = [], isTranslated = false, unit, limits = UNSTATED } = sent;
  const messages = [{ role: 'user', content: 'Hi' }];
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages, tools: [tool] });
  const body = scanObject(new TextEncoder().encode(text), 64);
  const view = body.view();
  const other = endpoint === 'chat' ? 'messages' : 'chat';
  const { edits } = sentFields(
    {
      format: isTranslated ? other : endpoint,
      isTranslated,
      quirks: { drop: [], autoCache: false },
      upstream: { fields: fieldsOf(make, pass) },
      channel: { card: cardWith(unit, limits) },
    },
    {
      ...{ body, endpoint, modelId: 'm', accountId: 'acct_1', estimatedInput: 9, hasImages: false },
      request: endpoint === 'chat' ? readChatRequest(view) : readMessagesRequest(view),
    },
  );
  return JSON.parse(edits.get('tools') ?? 'null');
}

const SEARCH = { type: 'openrouter:web_search', parameters: { max_uses: 3 } };
const openRouter = { endpoint: 'chat', make: 'openrouter', unit: 'web_search' } as const;

test("OpenRouter's searches are limited as its parameters allow", () => {
  const parameters = { max_uses: 3, engine: 'exa', max_results: 5, max_characters: 2_500 };
  expect(toolsSent(SEARCH, openRouter)).toEqual([{ type: SEARCH.type, parameters }]);
  expect(() => toolsSent(SEARCH, { ...openRouter, make: 'generic' })).toThrow('cannot be limited');
});

test('tools that the operator passes on are sent as they came', () => {
  expect(toolsSent(SEARCH, { ...openRouter, pass: ['tools'] })).toBeNull();
  expect(toolsSent(SEARCH, { ...openRouter, make: 'generic', pass: ['tools'] })).toBeNull();
});

test('code execution is sold only with a limit on the card', () => {
  const code = { type: 'code_execution_20260521', name: 'code_execution' };
  const anthropic = { endpoint: 'messages', make: 'anthropic', unit: 'code_execution' } as const;
  expect(() => toolsSent(code, anthropic)).toThrow('cannot be limited');
  const limits = { ...UNSTATED, uses: { code_execution: 2 } };
  expect(toolsSent(code, { ...anthropic, limits })).toBeNull();
  // The translator refuses the tool, with its own message.
  expect(toolsSent(code, { ...anthropic, make: 'openai', isTranslated: true })).toBeNull();
});

test("calls of the provider's tools are limited together", () => {
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'f' }];
  const sent = (more: object, unit: FeeUnit = 'web_search') => {
    const text = JSON.stringify({ model: 'm', input: 'Hi', tools, ...more });
    const body = scanObject(new TextEncoder().encode(text), 64);
    const { edits, leftOut, ignored } = sentFields(
      {
        ...{ format: 'responses', isTranslated: false, quirks: { drop: [], autoCache: false } },
        upstream: { fields: fieldsOf('generic', []) },
        channel: { card: cardWith(unit, { ...UNSTATED, uses: { web_search: 3 } }) },
      },
      {
        ...{ body, endpoint: 'responses', modelId: 'm', accountId: 'acct_1', estimatedInput: 9 },
        ...{ hasImages: false, request: readResponsesRequest(body.view()) },
      },
    );
    return { calls: edits.get('max_tool_calls'), leftOut, ignored };
  };
  expect(sent({})).toEqual({ calls: '3', leftOut: [], ignored: [] });
  expect(sent({ max_tool_calls: 50 }).calls).toBe('3');
  expect(sent({ max_tool_calls: 2 }).calls).toBeUndefined();
  const unsold = { leftOut: ['tools[0].type'], ignored: ['web_search'] };
  expect(sent({}, 'x_search')).toMatchObject(unsold);
  expect(() => sent({ tool_choice: { type: 'web_search' } }, 'x_search')).toThrow('not sold');
});

test.each([
  [[], { tier: 'priority' }],
  [['service_tier'], {}],
])('a tier is requested unless the route drops it: %j', (drop, requested) => {
  const body = scanObject(
    new TextEncoder().encode(
      '{"model":"m","messages":[{"role":"user","content":"Hi"}],"service_tier":"priority"}',
    ),
    64,
  );
  const card = cardWith('web_search', UNSTATED);
  const terms = { ...card.terms, admits: { ...flat.admits, tier: ['priority'] } };
  const plan = sentFields(
    {
      ...{ format: 'chat', isTranslated: false, quirks: { drop, autoCache: false } },
      ...{ upstream: { fields: fieldsOf('openai', []) }, channel: { card: { ...card, terms } } },
    },
    {
      ...{ body, endpoint: 'chat', modelId: 'm', accountId: 'acct_1', estimatedInput: 9 },
      hasImages: false,
      request: readChatRequest(body.view()),
    },
  );
  expect(plan.requested).toEqual({ ...NO_FACTS, ...requested });
});

test.each([
  ['the price of writes pays', { cache_write: '6.25', cache_read: '0.5' }, {}, true],
  ['no price of writes is listed', { cache_write: null, cache_read: '0.5' }, {}, false],
  ['no price of reads is listed', { cache_write: '4', cache_read: null }, {}, false],
  ['reads cost as much as input', { cache_write: '6.25', cache_read: '5' }, {}, false],
  [
    'the operator switched it off',
    { cache_write: '6.25', cache_read: '0.5' },
    { autoCache: false },
    false,
  ],
  [
    'the upstream speaks chat',
    { cache_write: '6.25', cache_read: '0.5' },
    { format: 'chat' },
    false,
  ],
] as const)('a conversation is marked for the cache, or not: %s', (_, prices, to, marksCache) => {
  const body = scanObject(
    new TextEncoder().encode('{"model":"m","messages":[{"role":"user","content":"Hi"}]}'),
    64,
  );
  const { format, autoCache } = { format: 'messages', autoCache: true, ...to } as const;
  const rate = (price: string | null) => parseTokenPrice(price ?? '5') ?? NO_RATES.input;
  const rates = {
    ...NO_RATES,
    input: rate('5'),
    cacheWrite5m: rate(prices.cache_write),
    cacheRead: rate(prices.cache_read),
  };
  const card = {
    ...cardWith('web_search', UNSTATED),
    ...{ rates, terms: flatTerms(rates) },
    listed: { ...perPrice(() => null), ...prices },
  };
  const plan = sentFields(
    {
      ...{ format, isTranslated: format === 'messages', quirks: { drop: [], autoCache } },
      ...{ upstream: { fields: fieldsOf('anthropic', []) }, channel: { card } },
    },
    {
      ...{ body, endpoint: 'chat', modelId: 'm', accountId: 'acct_1', estimatedInput: 9 },
      hasImages: false,
      request: readChatRequest(body.view()),
    },
  );
  expect(plan.marksCache).toBe(marksCache);
});
