import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import { KNOWN_FIELDS } from '../../upstreams/known-fields.ts';
import { NO_PLAN } from '../request-fields.ts';
import { readChatRequest } from './request.ts';
import { withToolLimits } from './tool-limits.ts';

const SEARCH = 'openrouter:web_search';
const FETCH = 'openrouter:web_fetch';
const LIMITS: CardLimits = {
  uses: { web_search: 4 },
  tokensPerUse: { web_search: 20_000, web_fetch: 1_100 },
};
const UNSTATED: CardLimits = { uses: {}, tokensPerUse: {} };

/** Returns the tools that are sent to a server of this make; null if they are sent unchanged. */
function limited(
  tools: readonly object[],
  limits = LIMITS,
  make: keyof typeof KNOWN_FIELDS = 'openrouter',
): unknown {
  const messages = [{ role: 'user', content: 'Hi' }];
  const body = scanObject(
    new TextEncoder().encode(JSON.stringify({ model: 'm', messages, tools })),
    64,
  );
  const { serverTools } = readChatRequest(body.view()).extras;
  const known = KNOWN_FIELDS[make].limitedTools ?? {};
  const { edits } = withToolLimits(NO_PLAN, body, serverTools, known, limits);
  return JSON.parse(edits.get('tools') ?? 'null');
}
const sent = (tool: object, limits = LIMITS): unknown => Object(limited([tool], limits))[0];

const OWN = { type: 'function', function: { name: 'f' } };

test('a search gets limits of uses, results and their length, and an engine that obeys them', () => {
  const parameters = { engine: 'exa', max_uses: 4, max_results: 5, max_characters: 1_000 };
  expect(limited([OWN, { type: SEARCH }])).toEqual([OWN, { type: SEARCH, parameters }]);
  // If the price card sets no limits, the defaults apply: ten uses of 50,000 tokens each.
  const usual = { engine: 'exa', max_uses: 10, max_results: 5, max_characters: 2_500 };
  expect(sent({ type: SEARCH }, UNSTATED)).toEqual({ type: SEARCH, parameters: usual });
});

test('limits of the caller below those stay, and others are cut', () => {
  const lower = { max_uses: 1, max_results: 2, max_characters: 300, max_total_results: 3 };
  expect(sent({ type: SEARCH, parameters: lower })).toEqual({
    type: SEARCH,
    parameters: { engine: 'exa', ...lower },
  });
  const higher = { max_results: 100, max_characters: 1_000_000, engine: 'auto' };
  expect(sent({ type: SEARCH, parameters: higher })).toEqual({
    type: SEARCH,
    parameters: { engine: 'exa', max_uses: 4, max_results: 10, max_characters: 500 },
  });
});

test('the shorthand becomes the tool that it stands for, with no more uses than are held', () => {
  const tool = { type: 'web_search', allowed_domains: ['a.example'], parameters: { max_uses: 9 } };
  const written = { engine: 'exa', max_uses: 4, max_results: 5, max_characters: 1_000 };
  const parameters = { allowed_domains: ['a.example'], ...written };
  expect(sent(tool)).toEqual({ type: SEARCH, parameters });
});

test('a fetch gets a limit of uses and of the length of a page', () => {
  const written = { engine: 'openrouter', max_uses: 10, max_content_tokens: 1_000 };
  expect(sent({ type: FETCH })).toEqual({ type: FETCH, parameters: written });
  const asked = { max_uses: 2, max_content_tokens: 70, blocked_domains: ['b.example'] };
  expect(sent({ type: FETCH, parameters: asked })).toEqual({
    type: FETCH,
    parameters: { ...asked, engine: 'openrouter' },
  });
});

test.each([
  [{ engine: 'native' }, 'tools[0].engine', 'only "exa" is sold'],
  [{ mode: 'deep-reasoning' }, 'tools[0].mode', 'can be sent here'],
  [{ x_search: {} }, 'tools[0].x_search', 'can be sent here'],
])(
  'the parameters %j are refused, since they cost more or escape the limits',
  (more, param, why) => {
    for (const tool of [
      { type: SEARCH, parameters: more },
      { type: 'web_search', ...more },
    ]) {
      expect(() => limited([tool])).toThrow(
        expect.objectContaining({ param, message: expect.stringContaining(why) }),
      );
    }
  },
);

test('a make without limits for a tool sells it only if the card states one', () => {
  const search = { type: 'web_search', max_uses: 1 };
  expect(() => limited([search], UNSTATED, 'generic')).toThrow('cannot be limited');
  expect(limited([search], LIMITS, 'generic')).toBeNull();
  // The hold is computed from limits that only OpenRouter obeys, so another server is refused.
  const own = { type: SEARCH, parameters: { max_uses: 1 } };
  expect(() => limited([own], LIMITS, 'generic')).toThrow('cannot be limited');
});
