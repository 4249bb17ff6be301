import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import type { FeeUnit } from '../../money/served.ts';
import { NO_PLAN } from '../request-fields.ts';
import { withMaxUses } from './max-uses.ts';
import { readMessagesRequest } from './request.ts';

const SEARCH = { type: 'web_search_20260318', name: 'web_search' };
const FETCH = { type: 'web_fetch_20260318', name: 'web_fetch' };
const CODE = { type: 'code_execution_20260521', name: 'code_execution' };
const OWN = { name: 'f', input_schema: { type: 'object' } };

/** Returns the tools that are sent, with five searches and two fetches at most. */
function limited(
  tools: readonly object[],
  messages: readonly object[] = [{ role: 'user', content: 'Hi' }],
): unknown {
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages, tools });
  const body = scanObject(new TextEncoder().encode(text), 64);
  const { serverTools } = readMessagesRequest(body.view()).extras;
  const most = (unit: FeeUnit) => ({ uses: unit === 'web_search' ? 5 : 2, tokensPerUse: 700 });
  const { edits } = withMaxUses(NO_PLAN, body, serverTools, most);
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
