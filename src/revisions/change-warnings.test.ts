import { expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { finish } from '../config/document/steps.ts';
import { changedFile, settingsOf } from '../config/file.fixture.ts';
import {
  catalogueWarnings,
  listWarnings,
  outputWarnings,
  priceWarnings,
  warningSteps,
} from './change-warnings.ts';
import { differenceSteps } from './difference.ts';
import { documentOf, SMALL } from './revisions.fixture.ts';

const pricesAfter = (piece: string, by: string): readonly string[] =>
  finish(warningSteps(priceWarnings(SMALL, documentOf(changedFile(piece, by))))).map(
    ({ code, path, message }) => `${code} ${path} ${message}`,
  );

test('a price that becomes zero, or changes by more than a factor of ten, is doubtful', () => {
  const at = 'models.gen-x.channels.direct.price.input';
  expect(pricesAfter('input: "5.00"', 'input: "0.00"')).toEqual([
    `price_zero ${at} becomes 0, from 5.00: it would be free`,
  ]);
  expect(pricesAfter('input: "5.00"', 'input: "50.00"')).toEqual([]);
  expect(pricesAfter('input: "5.00"', 'input: "0.50"')).toEqual([]);
  for (const price of ['50.000001', '0.499999', '5000']) {
    expect(pricesAfter('input: "5.00"', `input: "${price}"`)).toEqual([
      expect.stringContaining(`price_jump ${at} changes by more than a factor of 10`),
    ]);
  }
  expect(pricesAfter('512x512: "0.01"', '512x512: "0"')).toEqual([
    expect.stringContaining('price_zero models.img-x.channels.direct.price.per_image.512x512'),
  ]);
  expect(pricesAfter('"7.1000"', '"71.1000"')).toEqual([
    expect.stringContaining('price_jump fx.USD/CNY'),
  ]);
  const free = 'output: "25.00", cache_read: "0"';
  expect(pricesAfter('output: "25.00"', free)).toEqual([
    expect.stringContaining('price_zero models.gen-x.channels.direct.price.cache_read becomes 0:'),
  ]);
  expect(pricesAfter('output: "25.00"', 'output: "25.0"')).toEqual([]);
});

const FLAT = 'price: { input: "5.00", output: "25.00" }';
const from = (day: number, input: string) =>
  `{ effective_from: 2026-12-0${day}T00:00:00Z, input: "${input}", output: "25.00" }`;
const announced = (...prices: readonly string[]) =>
  changedFile(FLAT, `${FLAT}\n        upcoming: [${prices.join(', ')}]`);

test('an announced price is compared with the one that it replaces', () => {
  const at = 'models.gen-x.channels.direct.upcoming';
  const warned = (before: string, after: string) =>
    finish(warningSteps(priceWarnings(documentOf(before), documentOf(after)))).map(
      ({ code, path }) => [code, path],
    );
  const steps = announced(from(1, '40.00'), from(2, '400.00'));
  expect(warned(changedFile('', ''), steps)).toEqual([]);
  const jump = announced(from(1, '40.00'), from(2, '400.01'), from(3, '0'));
  expect(warned(steps, jump)).toEqual([
    ['price_jump', `${at}.1.input`],
    ['price_zero', `${at}.2.input`],
  ]);
  expect(warned(jump, jump)).toEqual([]);
});

test('a price that changes below an announced one says that the announced one stays', () => {
  const warned = (before: string, after: string) =>
    finish(warningSteps(priceWarnings(documentOf(before), documentOf(after)))).map(
      ({ code, path, message }) => `${code} ${path} ${message}`,
    );
  const before = announced(from(1, '6.00'));
  const changed = (text: string) => text.replace('input: "5.00"', 'input: "5.50"');
  expect(warned(before, changed(before))).toEqual([
    'announced_kept models.gen-x.channels.direct.upcoming.0 stays as announced, and replaces the changed price from 2026-12-01T00:00:00Z on',
  ]);
  expect(warned(before, changed(announced(from(1, '6.50'))))).toEqual([]);
  expect(warned(before, changed(changedFile('', '')))).toEqual([]);
  expect(warned(before, announced(from(1, '6.00'), from(2, '7.00')))).toEqual([]);
});

test('a changed model with more output than its context window gets a warning', () => {
  const warned = (before: string, after: string) =>
    finish(warningSteps(outputWarnings(documentOf(before), documentOf(after)))).map(
      ({ code, path, message }) => `${code} ${path} ${message}`,
    );
  const long = changedFile('max_output: 100', 'max_output: 1001');
  expect(warned(changedFile('', ''), long)).toEqual([
    'output_over_context models.gen-x.max_output is 1001, more than the context window of 1000 tokens holds',
  ]);
  expect(warned(long, long)).toEqual([]);
  expect(warned(long, changedFile('max_output: 100', 'max_output: 1000'))).toEqual([]);
});

test('a loss is named with the time at which it begins, and once', () => {
  const catalogueOf = (text: string) =>
    loadCatalogue(
      settingsOf(text.replace('routes', 'cost: { input: "4.00", output: "1" }\n        routes')),
      0,
    );
  const found = (before: string, after: string) =>
    finish(
      warningSteps(catalogueWarnings(catalogueOf(before), catalogueOf(after), () => true)),
    ).map(({ code, message }) => [code, message]);
  const small = changedFile('', '');
  const sold = 'sells input for 3.00 per 1M tokens, below its cost of 4.00 per 1M tokens';
  const later = announced(from(1, '6.00'), from(2, '3.00'), from(3, '3.00'));
  expect(found(small, later)).toEqual([
    ['below_cost', `${sold}, from 2026-12-02T00:00:00.000Z on`],
  ]);
  expect(found(later, announced(from(1, '6.00'), from(2, '3.00')))).toEqual([]);
});

test('models and channels that go away are named', () => {
  const catalogueOf = (text: string) => loadCatalogue(settingsOf(text), 0);
  const two = changedFile(
    '      direct:\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n',
    '      direct:\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n      stable:\n        price: { input: "5.00", output: "25.00" }\n        cost: { input: "6.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n',
  );
  const [more, less] = [catalogueOf(two), catalogueOf(changedFile('', ''))];
  const found = (before: typeof more, after: typeof more, isChanged = true) =>
    finish(warningSteps(catalogueWarnings(before, after, () => isChanged))).map(
      ({ code, path }) => [code, path],
    );
  expect(found(more, less)).toEqual([['channel_removed', 'models.gen-x.channels.stable']]);
  expect(found(less, more)).toEqual([['below_cost', 'models.gen-x.channels.stable']]);
  expect(
    finish(warningSteps(catalogueWarnings(less, more, () => true))).map(({ message }) => message),
  ).toEqual(['sells input for 5.00 per 1M tokens, below its cost of 6.00 per 1M tokens']);
  expect(found(less, more, false)).toEqual([]);
  expect(found(less, { ...less, models: new Map(), all: new Map() })).toEqual([
    ['model_removed', 'models.gen-x'],
    ['model_removed', 'models.img-x'],
  ]);
});

test('what becomes sold only on price lists is named, for the public and for each list', () => {
  const two = changedFile(
    '      direct:\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n',
    '      direct:\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n      stable:\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n',
  );
  const catalogueOf = (text: string) =>
    loadCatalogue(settingsOf(`${text}price_lists: { a: {}, b: {} }\n`), 0);
  const before = catalogueOf(two);
  const warned = (after: typeof before, was = before) =>
    finish(
      warningSteps(
        catalogueWarnings(was, after, () => false),
        listWarnings(was, after, () => false),
      ),
    ).map(({ code, path, message }) => `${code} ${path} ${message}`);
  const hidden = catalogueOf(two.replace('kind: image\n', 'kind: image\n    only_on: [a]\n'));
  expect(warned(hidden)).toEqual([
    'model_removed models.img-x is sold only on price lists; requests of all other accounts get 404',
    'model_removed price_lists.b.models.img-x is no longer sold to the accounts of this list; their requests get 404',
  ]);
  expect([warned(before, hidden), warned(hidden, hidden)]).toEqual([[], []]);
  const channel = catalogueOf(
    two.replace('      stable:\n', '      stable:\n        only_on: [b]\n'),
  );
  expect(warned(channel)).toEqual([
    'channel_removed models.gen-x.channels.stable is sold only on price lists; for all other accounts, requests for it go to the channel direct, or get 400 if they allow no fallbacks',
    'channel_removed price_lists.a.models.gen-x.channels.stable is no longer sold to the accounts of this list; their requests for it go to the channel direct, or get 400 if they allow no fallbacks',
  ]);
  // The check pauses twice for each model, even if the model gets no warning.
  const steps = [...warningSteps(catalogueWarnings(before, before, () => true))];
  expect(steps).toHaveLength(2 * before.models.size);
  const gone = catalogueOf(changedFile('', ''));
  expect(warned(gone, channel)).toEqual([
    'channel_removed models.gen-x.channels.stable is no longer sold; requests for it go to the channel direct, or get 400 if they allow no fallbacks',
  ]);
});

test('differences name each path once, and whole records that one side lacks', () => {
  const document = { a: { b: [1, 2], c: { d: 'x' } }, e: 1, f: { g: null } };
  const other = { a: { b: [1, 3], c: { d: 'x' } }, f: {}, h: { i: 'y'.repeat(400) } };
  expect(finish(differenceSteps(document, other))).toEqual([
    { path: 'a.b.1', before: '2', after: '3' },
    { path: 'e', before: '1', after: null },
    { path: 'f.g', before: 'null', after: null },
    { path: 'h', before: null, after: `{"i":"${'y'.repeat(294)}…` },
  ]);
  expect(finish(differenceSteps(document, JSON.parse(JSON.stringify(document))))).toEqual([]);
  const records = (from: number): object =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`m-${at}`, { x: from + at }]));
  const steps = differenceSteps({ models: records(0) }, { models: records(1) });
  expect([...steps].length).toBeGreaterThanOrEqual(50);
});
