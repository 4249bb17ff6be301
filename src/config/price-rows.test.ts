import { describe, expect, test } from 'bun:test';
import { changedFile, problemsIn, tokenPrice } from './file.fixture.ts';
import { priceRows, timesExactly } from './price-rows.ts';

const FLAT = 'price: { input: "5.00", output: "25.00" }';

/**
 * Returns the problems of a price after these keys are added. The file positions are removed from
 * the messages.
 */
const problemsOf = (more: string, file?: string): readonly string[] =>
  problemsIn(changedFile(FLAT, `price: { input: "5.00", output: "25.00", ${more} }`, file)).map(
    (problem) => problem.replace('models.gen-x.channels.direct.', ''),
  );
const CALENDAR = 'calendars: { cn: { until: 2026-12-31, dates: [2026-10-01] } }\nfx:';
const withCalendar = changedFile('fx:', CALENDAR);

test('a scale becomes one row for each row that holds without its conditions', () => {
  const price = tokenPrice({
    input: '10',
    output: '50',
    cache_read: '1',
    rows: [
      { when: { prompt_over: 272_000 }, input: '20', output: '75', cache_read: '2' },
      { when: { tier: 'priority' }, input: '20', output: '100', cache_read: '2' },
      { when: { tier: 'priority', prompt_over: 272_000 }, input: '-', output: '-' },
      { when: { tier: ['flex', 'batch'] }, scale: '0.5' },
    ],
  });
  expect(priceRows(price).map(({ when, prices, index }) => ({ when, prices, index }))).toEqual([
    { when: {}, prices: { input: '10', output: '50', cache_read: '1' }, index: null },
    {
      when: { prompt_over: 272_000 },
      prices: { input: '20', output: '75', cache_read: '2' },
      index: 0,
    },
    {
      when: { tier: ['priority'] },
      prices: { input: '20', output: '100', cache_read: '2' },
      index: 1,
    },
    {
      when: { tier: ['priority'], prompt_over: 272_000 },
      prices: { input: '-', output: '-' },
      index: 2,
    },
    {
      when: { tier: ['flex', 'batch'] },
      prices: { input: '5.000000', output: '25.000000', cache_read: '0.500000' },
      index: 3,
    },
    {
      when: { tier: ['flex', 'batch'], prompt_over: 272_000 },
      prices: { input: '10.000000', output: '37.500000', cache_read: '1.000000' },
      index: 3,
    },
  ]);
});

test('a price times multiples is exact or nothing', () => {
  expect(timesExactly('12.5', ['1.1', '0.5'])).toBe('6.875000');
  expect(timesExactly('0.000001', ['1.1'])).toBeNull();
  expect(timesExactly('0.000001', ['1.1'], 12)).toBe('0.000001100000');
});

describe('valid rows have no problem', () => {
  test.each([
    'rows: [{ when: { prompt_over: 500 }, input: "10", output: "30" }]',
    'rows: [{ when: { prompt_from: 1000 }, input: "10", output: "30" }]',
    'rows: [{ when: { tier: priority }, input: "10", output: "30" }], admit: { tier: [default, priority] }',
    'rows: [{ when: { tier: priority }, input: "-", output: "-" }]',
    'rows: [{ when: { tier: priority }, input: "1", output: "2" }, { when: { speed: fast, tier: default }, input: "1", output: "2" }]',
    'times: [{ when: { geo: [us, eu] }, tokens: "1.1" }], admit: { geo: [us, eu] }',
    'fees: { web_search: "0.01" }, admit: { tools: [web_search] }, limits: { uses: { web_search: 5 } }',
    'names: { tier: { fast: priority } }, rows: [{ when: { tier: priority }, scale: "2" }], admit: { tier: [fast] }',
    'clock: { zone: Asia/Shanghai, at: end }, rows: [{ when: { hours: ["09:00-12:00", "14:00-24:00"], days: [mon], not_on: cn }, input: "1", output: "2" }]',
    'rows: [{ when: { from: "2026-12-01T00:00:00Z", until: "2026-12-31T00:00:00+08:00" }, input: "1", output: "2" }]',
    'models: { haiku: { input: "1", output: "5" } }',
    'cache_write: "-"',
  ])('%s', (more) => {
    expect(problemsOf(more, withCalendar)).toEqual([]);
  });
});

describe('a price with a mistake is refused with its line and a remedy', () => {
  test.each([
    [
      'rows: [{ when: { tier: priority }, input: "1", output: "2" }, { when: { tier: [priority, fast] }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0: can never apply: a later row applies to the same requests',
    ],
    [
      'rows: [{ when: { prompt_over: 500 }, input: "1", output: "2" }, { when: { tier: priority }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.1: applies to some of the same requests as rows.0; add a last row that has the conditions of both, and its prices, or "-" for not sold',
    ],
    [
      'rows: [{ when: { hours: ["09:00-12:00"] }, input: "1", output: "2" }, { when: { hours: ["11:00-14:00"] }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.1: applies to some of the same requests as rows.0; add a last row that has the conditions of both, and its prices, or "-" for not sold',
    ],
    [
      'rows: [{ when: { hours: ["09:00-12:00", "11:00-14:00"] }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.hours.1: overlaps the hours before it',
    ],
    [
      'rows: [{ when: { hours: ["22:00-06:00"] }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.hours.0: ends before it begins; write two ranges, such as 22:00-24:00 and 00:00-06:00',
    ],
    [
      'rows: [{ when: { hours: ["9-12"] }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.hours.0: write hours such as "09:00-12:00"',
    ],
    [
      'rows: [{ when: {}, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when: has no conditions, so no row before it could apply',
    ],
    [
      'rows: [{ when: { prompt_over: 5, prompt_from: 9 }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.prompt_from: cannot be combined with prompt_over; write one of them',
    ],
    [
      'rows: [{ when: { prompt_over: 1000 }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.prompt_over: can never apply: the context window is 1000',
    ],
    [
      'rows: [{ when: { from: "2026-12-02T00:00:00Z", until: "2026-12-01T00:00:00Z" }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.until: is not after `from`, so the row can never apply',
    ],
    [
      'rows: [{ when: { from: "2026-12-02" }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.from: write an instant with its offset, such as 2026-12-01T00:00:00Z',
    ],
    [
      'rows: [{ when: { from: "2027-02-29T00:00:00Z" }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.from: write an instant with its offset, such as 2026-12-01T00:00:00Z',
    ],
    [
      'rows: [{ when: { tier: auto }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.tier: is auto, which no provider reports; write the values that it stands for',
    ],
    [
      'names: { tier: { fast: priority } }, rows: [{ when: { tier: fast }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.tier: can never be fast, because names.tier maps this value to priority; write priority',
    ],
    [
      'rows: [{ when: { not_on: us }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.when.not_on: there is no calendar "us" under `calendars`; no calendar is defined',
    ],
    [
      'cache_read: "1", rows: [{ when: { tier: priority }, input: "1", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.cache_read: is missing, although the price without conditions has it; write a price, or "-" if these tokens are not sold under these conditions',
    ],
    [
      'rows: [{ when: { tier: priority }, input: "1" }]',
      'modelgate.yaml:12: price.rows.0.output: is missing: each row needs either its own prices or a `scale`',
    ],
    [
      'rows: [{ when: { tier: priority }, input: "-", output: "2" }]',
      'modelgate.yaml:12: price.rows.0.output: write "-" for both input and output, or for neither',
    ],
    [
      'rows: [{ when: { tier: priority }, scale: "2", input: "1" }]',
      'modelgate.yaml:12: price.rows.0.input: cannot be combined with `scale`; write one of them',
    ],
    [
      'rows: [{ when: { tier: flex }, scale: "0" }]',
      'modelgate.yaml:12: price.rows.0.scale: must be above zero: for a free model write prices of "0"',
    ],
    [
      'cache_read: "0.000001", rows: [{ when: { tier: flex }, scale: "0.5" }]',
      'modelgate.yaml:12: price.rows.0.scale: gives the price cache_read more than 6 decimals; write prices in this row instead of a scale',
    ],
    [
      'times: [{ when: { geo: us }, tokens: "0" }]',
      'modelgate.yaml:12: price.times.0.tokens: must be above zero: for a free model write prices of "0"',
    ],
    [
      'times: [{ when: { geo: us } }]',
      'modelgate.yaml:12: price.times.0: needs `tokens` or `fees`, such as tokens: "1.1"',
    ],
    [
      'cache_read: "0.000001", times: [{ when: { geo: us }, tokens: "1.1" }]',
      'modelgate.yaml:12: price.times.0.tokens: gives the price cache_read too many decimals to be charged exactly; write rows with prices instead',
    ],
    [
      'cache_read: "0.0005", times: [{ tokens: "1.01" }, { when: { geo: us }, tokens: "1.1" }]',
      'modelgate.yaml:12: price.times.1.tokens: gives the price cache_read too many decimals to be charged exactly; write rows with prices instead',
    ],
    [
      'fees: { web_search: "0.000000001" }, times: [{ fees: "0.0001" }]',
      'modelgate.yaml:12: price.times.0.fees: gives the price web_search too many decimals to be charged exactly; write rows with prices instead',
    ],
    [
      'clock: { zone: Mars/Olympus }',
      'modelgate.yaml:12: price.clock.zone: is not a time zone; write one such as Asia/Shanghai',
    ],
    [
      'admit: { tier: [priority] }',
      'modelgate.yaml:12: price.admit.tier.0: has no price: add an entry to `rows` or `times` with when: { tier: priority }',
    ],
    [
      'admit: { tools: [web_fetch] }',
      'modelgate.yaml:12: price.admit.tools.0: has no fee: add fees.web_fetch; write "0" if the provider charges only for tokens',
    ],
    [
      'fees: { code_execution: "0.01" }, admit: { tools: [code_execution] }',
      'modelgate.yaml:12: price.admit.tools.0: has no limit: add limits.uses.code_execution, because no request field can limit how often a request uses this tool',
    ],
    [
      'fees: { web: "1" }',
      'modelgate.yaml:12: price.fees.web: unknown key; known here: request, web_search, web_fetch, file_search, code_execution, x_search, maps',
    ],
  ])('%s', (more, problem) => {
    expect(problemsOf(more)).toEqual([problem]);
  });

  test('also in an announced price, with a time after the one before', () => {
    const at = (time: string, more = '') =>
      `{ effective_from: ${time}, input: "4.00", output: "20.00"${more} }`;
    const upcoming = (...prices: readonly string[]) =>
      problemsIn(changedFile(FLAT, `${FLAT}\n        upcoming: [${prices.join(', ')}]`)).map(
        (problem) => problem.replace(/^.*gen-x.channels.direct./, ''),
      );
    expect(upcoming(at('2026-12-01T00:00:00Z'), at('2026-12-01T08:00:01+08:00'))).toEqual([]);
    const late = 'is not after the time of the entry before it; sort the announced prices by time';
    expect(upcoming(at('2026-12-01T00:00:00Z'), at('2026-12-01T08:00:00+08:00'))).toEqual([
      `upcoming.1.effective_from: ${late}`,
    ]);
    expect(upcoming(at('2026-12-01'), at('2026-12-01T00:00Z', ', rows: [{ when: {} }]'))).toEqual([
      expect.stringContaining('upcoming.0.effective_from: write an instant with its offset'),
      expect.stringContaining('upcoming.1.rows.0.input: is missing'),
      expect.stringContaining('upcoming.1.rows.0.output: is missing'),
    ]);
    expect(upcoming(at('2027-02-29T00:00:00Z'))).toEqual([
      expect.stringContaining('upcoming.0.effective_from: write an instant with its offset'),
    ]);
    const many = Array.from({ length: 13 }, (_, day) => at(`2026-12-${10 + day}T00:00:00Z`));
    expect(upcoming(...many)).toEqual(['upcoming: write at most 12 announced prices']);
  });

  test('also in what the operator pays', () => {
    const cost = `${FLAT}\n        cost: { input: "1", output: "2", admit: { tools: [maps] } }`;
    expect(problemsIn(changedFile(FLAT, cost))).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.cost.admit.tools.0: has no fee: add fees.maps; write "0" if the provider charges only for tokens',
    ]);
  });

  test('when the model takes or makes what has its own price', () => {
    const file = changedFile(
      '    max_output: 100\n',
      '    max_output: 100\n    input: [text, audio]\n',
    );
    const [problem] = problemsIn(file);
    expect(problem).toEndWith('price.audio_input: is missing: the model accepts audio');
    expect(problemsOf('audio_input: "-"', file)).toHaveLength(1);
    expect(problemsOf('audio_input: "32"', file)).toEqual([]);
  });
});

describe('a calendar', () => {
  const problems = (calendar: string): readonly string[] =>
    problemsIn(changedFile('fx:', `calendars: { cn: ${calendar} }\nfx:`));

  test('may not have ended', () => {
    expect(problems('{ until: 2026-11-22, dates: [] }')).toEqual([]);
    expect(problems('{ until: 2026-11-21, dates: [] }')).toEqual([
      'modelgate.yaml:1: calendars.cn.until: ended on 2026-11-21; add the dates of the next period and raise `until`',
    ]);
  });

  test('has its dates before its end', () => {
    expect(problems('{ until: 2026-12-31, dates: [2027-01-01] }')).toEqual([
      'modelgate.yaml:1: calendars.cn.dates.0: is after `until`, which is 2026-12-31',
    ]);
    expect(problems('{ until: 2026-12-31, dates: [2026-02-30] }')).toEqual([
      'modelgate.yaml:1: calendars.cn.dates.0: write the date as YYYY-MM-DD',
    ]);
  });
});
