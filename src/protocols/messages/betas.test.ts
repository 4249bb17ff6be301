import { expect, test } from 'bun:test';
import { type Admits, flatTerms } from '../../money/card-terms.ts';
import { NO_RATES } from '../../money/price.ts';
import { sentHeaders } from './betas.ts';

const FLAT = flatTerms(NO_RATES).admits;
const VERSION = { 'anthropic-version': '2023-06-01' };

function sent(
  betas: string,
  admits: Partial<Admits> = {},
  pass: 'all' | ReadonlySet<string> = new Set(),
  contextWindow = 200_000,
) {
  const given = { ...VERSION, 'anthropic-beta': betas };
  const { headers, ignored } = sentHeaders(
    given,
    { admits: { ...FLAT, ...admits }, contextWindow },
    pass,
  );
  expect(headers).toMatchObject(VERSION);
  return [headers['anthropic-beta'] ?? null, ignored];
}

test('sends values that change no price, as they came', () => {
  const values = 'claude-code-20250219, interleaved-thinking-2025-05-14,effort-2025-11-24';
  expect(sent(values)).toEqual([values, []]);
  expect(sentHeaders(VERSION, { admits: FLAT, contextWindow: 1 }, new Set())).toEqual({
    headers: VERSION,
    ignored: [],
  });
});

test.each([
  ['fast-mode-2026-02-01', { speed: ['fast'] }],
  ['web-search-2025-03-05', { tools: ['web_search'] }],
  ['code-execution-2025-05-22', { tools: ['code_execution'] }],
] as const)('sends %s only if the card admits what it unlocks', (value, admits) => {
  expect(sent(value)).toEqual([null, [value]]);
  expect(sent(value, admits)).toEqual([value, []]);
});

test('leaves out a lifetime of one hour if the card admits none', () => {
  const value = 'extended-cache-ttl-2025-04-11';
  expect(sent(value)).toEqual([value, []]);
  expect(sent(value, { cacheTtl: ['5m'] })).toEqual([null, [value]]);
});

test('leaves out and names values that reach accounts or other models, and unknown ones', () => {
  const others = [
    ...['files-api-2025-04-14', 'skills-2025-10-02', 'mcp-client-2025-11-20', 'oauth-2025-04-20'],
    ...['advisor-tool-2026-03-01', 'server-side-fallback-2026-07-01', 'message-threads-2026-08-12'],
    ...['user-profiles-billing-2026-10-01', 'fallback-credit-2026-06-01', 'new-2031-01-01'],
  ];
  expect(sent(['effort-2025-11-24', ...others].join(', '))).toEqual(['effort-2025-11-24', others]);
});

test('sends what the operator passes', () => {
  expect(sent('new-2031-01-01', {}, new Set(['new-2031-01-01']))).toEqual(['new-2031-01-01', []]);
  expect(sent(' new-2031-01-01,', {}, 'all')).toEqual([' new-2031-01-01,', []]);
});

test('a longer context is unlocked only on models that are sold with it', () => {
  const long = 'context-1m-2025-08-07';
  expect(sent(long)).toEqual([null, [long]]);
  expect(sent(long, {}, new Set(), 1_000_000)).toEqual([long, []]);
});
