import { describe, expect, test } from 'bun:test';
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import fc from 'fast-check';

// The imported modules read the saved language from browser storage, which tests do not have.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { createConsoleRouter } = await import('./routes.tsx');
const { dayRange, daysIn } = await import('./components/range/range.ts');
const { foundModels } = await import('./screens/public/models/model-search.ts');
const { chatModel } = await import('./catalogue/model.fixture.ts');

const router = createConsoleRouter(new QueryClient());
const NOW = Date.parse('2026-11-22T12:00:00Z');

type Search = Readonly<Record<string, unknown>>;

/** Returns the result of `useSearch()` on the page of a URL. */
function searchAt(address: string): Search {
  const history = createMemoryHistory({ initialEntries: [address] });
  router.update({ ...router.options, history });
  const match = router.matchRoutes(router.latestLocation).at(-1);
  if (match === undefined) throw new Error(`no page at ${address}`);
  if (match.searchError !== undefined) throw match.searchError;
  return match.search;
}

const known = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

const addressOf = (path: string, parameters: Iterable<readonly [string, string]>): string =>
  `${path.replace('$id', 'x')}?${new URLSearchParams([...parameters].map(([name, value]) => [name, value]))}`;

const RANGE = { from: '2026-11-01', to: '2026-11-21T08:30:00Z' };
const REPORT = { model: 'gen-v4', key_id: 'key_1', channel: 'direct', currency: 'CNY' };

/** A valid value for every parameter of every page. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/setup': { step: 'key' },
  '/sign-in': { next: '/requests?id=req_1', ended: 'true' },
  '/models': {
    ...{ q: 'a b', kind: 'image', input: 'text', maker: 'x', max: '1.50', sort: 'price' },
    view: 'table',
  },
  '/models/compare': { ids: 'a,b' },
  '/reference': { q: 'images' },
  '/keys': { q: '12', state: 'all', new: 'true' },
  '/quick-start': { model: 'gen-v4', channel: 'stable', stream: 'true' },
  '/billing': {
    ...{ tab: 'ledger', kind: 'credit', currency: 'USD', from: '2026-11-01', to: '2026-11-21' },
    payment: 'paid',
  },
  '/usage': { ...RANGE, ...REPORT, range: '30d', by: 'channel', and: 'key' },
  '/requests': {
    ...{ ...RANGE, ...REPORT, range: 'today', status: 'timed_out' },
    ...{ min_cost: '0.000000001', request: 'req_0', id: 'req_01' },
    ...{ list: 'refused', code: 'rate_limit_exceeded' },
  },
  '/playground': { model: 'gen-v4', channel: 'direct' },
  '/playground/images': { model: 'img-3', channel: 'direct' },
  '/admin/refusals': {
    ...RANGE,
    ...{ range: '7d', request: 'req_1', account_id: 'acc_1', key_id: 'key_1', model: 'gen-v4' },
    ...{ code: 'rate_limit_exceeded', id: 'req_1' },
  },
  '/admin/history': { revision: '12' },
  '/admin/home': { ...RANGE, range: '90d' },
  '/admin/accounts': { search: 'true' },
  '/admin/accounts/$id': { tab: 'requests', request: 'req_1' },
  '/admin/people': { tab: 'invitations', search: 'lin@exa', account_id: 'acc_1' },
  '/admin/redeem-codes': { batch: 'batch_1' },
  '/admin/providers/new': { setup: 'true' },
  '/admin/routes': { tab: 'upstreams', find: 'x', trouble: 'true' },
  '/admin/cards': { tab: 'rates', find: 'gen', model: 'gen-v4', channel: 'direct' },
  '/admin/mail': { state: 'failed' },
  '/admin/audit': {
    ...{ subject: '12', actor: 'admin', action: 'key.create', from: '2026-11-01' },
    to: '2026-11-21',
  },
  '/admin/settings': { search: 'limits.first byte', changed: 'true' },
};
const NAMES = [...new Set(Object.values(PARAMETERS).flatMap((sample) => Object.keys(sample)))];

/** Values as in mistyped, outdated and hostile URLs. */
const HOSTILE = [
  ...['', ' ', 'zzz', 'abc', '1,5', '$5', '-1', '1e400', 'NaN', 'Infinity', 'null', 'undefined'],
  ...['true', 'false', '0', '[]', '{}', '{"a":1}', '["x"]', '"quoted"', '__proto__', 'constructor'],
  ...['toString', '2026-02-30', '2026-13-01', '0000-01-01', '9999-12-31', '+275760-09-13'],
  ...['2026-11-21T25:00Z', '2026-11-21T08:30', 'custom', 'javascript:alert(1)', '//evil.example'],
  ...['\u0000', '\ud800', '\u202eabc', '名字', '👩‍💻', 'x'.repeat(201), 'x'.repeat(100_000)],
];
const values = (sample: readonly string[]) =>
  fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom(...sample), fc.string({ unit: 'binary' }));
const names = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom('__proto__', 'utm_source', 'X'));
const SAMPLES = Object.values(PARAMETERS).flatMap((sample) => Object.values(sample));
const parameters = fc.array(fc.tuple(names, values(SAMPLES)), { maxLength: 8 });

/** Runs the computations that screens make from their parameters while they render. */
function compute(path: string, search: Search): void {
  if (['/usage', '/requests', '/admin/home'].includes(path)) daysIn(dayRange(search, NOW));
  if (path === '/models') foundModels([chatModel('gen-v4')], search);
}

describe('search parameters', () => {
  const paths = Object.values(router.routesById)
    .filter(({ options }) => options.validateSearch !== undefined)
    .map(({ fullPath }): string => fullPath);

  test('of all pages are listed here', () => {
    expect(paths.toSorted()).toEqual(Object.keys(PARAMETERS).toSorted());
  });

  test.each(paths)('of %s reach the page when they are valid', (path) => {
    const sample = PARAMETERS[path] ?? {};
    const shown = known(searchAt(addressOf(path, Object.entries(sample))));
    const texts = Object.entries(shown).map(([name, value]) => [name, String(value)]);
    expect(Object.fromEntries(texts)).toEqual(sample);
  });

  test.each(paths)('of %s never reach the page when they are invalid or unknown', (path) => {
    const own = Object.keys(PARAMETERS[path] ?? {});
    fc.assert(
      fc.property(parameters, (pairs) => {
        const search = searchAt(addressOf(path, pairs));
        const shown = known(search);
        expect(Object.keys(shown).filter((name) => !own.includes(name))).toEqual([]);
        compute(path, search);
        // A link that is written from the parsed parameters parses to the same parameters.
        const texts = Object.entries(shown).map(([name, value]) => [name, String(value)] as const);
        expect(known(searchAt(addressOf(path, texts)))).toEqual(shown);
        // Each parsed parameter occurs in the URL exactly once, with this text.
        for (const [name, text] of texts) {
          const said = pairs.filter(([each]) => each === name).map(([, value]) => value);
          expect(said.map((value) => value.toWellFormed())).toEqual([text]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    '/usage?range=zzz',
    '/usage?range=custom',
    '/usage?from=abc',
    '/usage?from=2026-02-30&to=9999-12-31',
    '/requests?range=zzz',
    '/requests?range=7d&range=30d',
    '/models?max=abc',
    '/models?max=1,5',
    '/admin/accounts/x?tab=constructor',
    '/billing?tab=toString&kind=gift&from=2026-13-01',
  ])('%s shows the page as without parameters', (address) => {
    expect(known(searchAt(address))).toEqual({});
  });
});
