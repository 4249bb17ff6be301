import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import { NO_PLAN } from '../request-fields.ts';
import { withMaxUses } from './max-uses.ts';
import { readMessagesRequest } from './request.ts';

const SEARCH = { type: 'web_search_20260318', name: 'web_search' };
const FETCH = { type: 'web_fetch_20260318', name: 'web_fetch' };
const CODE = { type: 'code_execution_20260521', name: 'code_execution' };
const OWN = { name: 'f', input_schema: { type: 'object' } };

const LIMITS: CardLimits = {
  uses: { web_search: 5, web_fetch: 2, code_execution: 1 },
  tokensPerUse: { web_fetch: 770 },
};
const UNSTATED: CardLimits = { uses: {}, tokensPerUse: {} };

/**
 * Returns the tools as they are sent upstream. By default, the limits are five searches and two
 * fetches.
 */
function limited(
  tools: readonly object[],
  messages: readonly object[] = [{ role: 'user', content: 'Hi' }],
  limits = LIMITS,
): unknown {
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages, tools });
  const body = scanObject(new TextEncoder().encode(text), 64);
  const { serverTools } = readMessagesRequest(body.view()).extras;
  const { edits } = withMaxUses(NO_PLAN, body, serverTools, limits);
  return JSON.parse(edits.get('tools') ?? 'null');
}

test("a provider's tool without a limit gets the limit that the hold covers", () => {
  expect(limited([OWN, SEARCH, FETCH])).toEqual([
    OWN,
    { ...SEARCH, max_uses: 5 },
    { ...FETCH, max_uses: 2, max_content_tokens: 700 },
  ]);
  expect(limited([{ ...SEARCH, max_uses: null }])).toEqual([{ ...SEARCH, max_uses: 5 }]);
});

test('a fetched page is as long as the hold covers, at most', () => {
  const sent = (max_content_tokens: unknown) =>
    limited([{ ...FETCH, max_uses: 1, max_content_tokens }]);
  for (const [asked, tokens] of [
    [900_000, 700],
    [100, 100],
    [-1, 700],
    ['9', 700],
  ] as const)
    expect(sent(asked)).toEqual([{ ...FETCH, max_uses: 1, max_content_tokens: tokens }]);
});

test('a tool inside messages without a limit is refused', () => {
  const asking = (tool: object) => () =>
    limited([], [{ role: 'user', content: 'Hi', tools: [tool] }]);
  expect(asking(SEARCH)).toThrow('messages[0].tools[0].max_uses: field required');
  expect(asking({ ...SEARCH, max_uses: 2 })()).toBeNull();
  expect(asking(CODE)()).toBeNull();
  expect(asking({ ...FETCH, max_uses: 2 })).toThrow('messages[0].tools[0].type: ');
});

test('limits of the caller and tools without uses stay as they are', () => {
  expect(limited([{ ...SEARCH, max_uses: 1 }, CODE, OWN])).toBeNull();
  expect(limited([{ ...SEARCH, max_uses: 1 }, FETCH])).toEqual([
    { ...SEARCH, max_uses: 1 },
    { ...FETCH, max_uses: 2, max_content_tokens: 700 },
  ]);
});

test('a fetch without a limit on the card may fill the context window, so pages are not cut', () => {
  const hi = [{ role: 'user', content: 'Hi' }];
  const asked = { ...FETCH, max_content_tokens: 9_000 };
  expect(limited([asked], hi, UNSTATED)).toEqual([{ ...asked, max_uses: 10 }]);
  expect(limited([{ ...asked, max_uses: 3 }], hi, UNSTATED)).toBeNull();
  const inside = [{ role: 'user', content: 'Hi', tools: [{ ...FETCH, max_uses: 2 }] }];
  expect(limited([], inside, UNSTATED)).toBeNull();
});

test('a tool whose uses no field limits needs a limit on the card', () => {
  const hi = [{ role: 'user', content: 'Hi' }];
  const asking = (limits: CardLimits) => () => limited([CODE], hi, limits);
  expect(asking(LIMITS)()).toBeNull();
  expect(asking(UNSTATED)).toThrow(
    expect.objectContaining({
      code: 'unsupported_value',
      param: 'tools[0].type',
      message: expect.stringContaining('charges for each use of "code_execution_20260521"'),
    }),
  );
});
