import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../../clock.fixture.ts';
import { changedFile, SMALL_FILE } from '../../config/file.fixture.ts';
import { runCli } from '../cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-price-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'modelgate.yaml');
writeFileSync(
  file,
  changedFile(
    'price: { input: "5.00", output: "25.00" }',
    `price:
          input: "5.00"
          output: "25.00"
          rows:
            - { when: { prompt_over: 500 }, input: "10.00", output: "30.00" }
            - { when: { hours: ["02:00-03:00"] }, input: "2.00", output: "2.00" }
            - { when: { prompt_over: 500, hours: ["02:00-03:00"] }, input: "4.00", output: "4.00" }
          times: [{ when: { geo: us }, tokens: "1.1" }]
          fees: { web_search: "0.01" }`,
  ).replace('default_channel: direct', 'settlement: CNY\n    default_channel: direct'),
);

const SHIPPED = join(folder, 'shipped.yaml');
const shipped = readFileSync(join(import.meta.dir, '../../../modelgate.yaml'), 'utf8');
writeFileSync(SHIPPED, shipped.replace(/^config: database/m, 'config: file'));
const price = (...argv: readonly string[]) => run('gen-x', file, argv);

async function run(model: string, config: string, argv: readonly string[]) {
  let [out, err] = ['', ''];
  const exit = await runCli(
    ['price', model, '--config', config, ...argv],
    { stdout: (text) => (out += text), stderr: (text) => (err += text) },
    {
      clock: manualClock(Date.parse('2026-11-22T12:00:00Z')),
      version: '1.2.3',
      ...{ fetch: unused, settings: unused },
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    },
  );
  return { exit, out, err };
}
const unused = () => Promise.reject(new Error('not called'));

test('explains each line and the charge, without a server', async () => {
  const { exit, out } = await price('--input', '600', '--output', '100', '--web-search', '2');
  expect(exit).toBe(0);
  expect(out).toContain('gen-x on direct at 2026-11-22T12:00:00.000Z, by card_');
  expect(out).toMatch(/600 +input +10\.00 per 1M tokens +0\.006000000000 +prompt_over: 500/);
  expect(out).toMatch(/2 +web_search +0\.010000000000 per use +0\.020000000000/);
  expect(out).toContain('cost 0.029000000000 USD; charged 0.205900000 CNY');
});

test('prices the input of an embedding model', async () => {
  const { exit, out } = await run('embed-1', SHIPPED, ['--input', '1500', '--json']);
  expect(exit).toBe(0);
  const { lines, charge } = JSON.parse(out);
  expect(lines).toMatchObject([{ item: 'input', count: 1500, price: '0.02', why: '' }]);
  expect(charge).toBe('0.000030000');
});

test('prices by what is served and when', async () => {
  const { out } = await price('--input', '100', '--geo', 'us', '--at', '02:30Z', '--json');
  expect(JSON.parse(out)).toMatchObject({
    at: '2026-11-22T02:30:00.000Z',
    lines: [{ item: 'input', price: '2.20', why: 'hours: 02:00-03:00; times 1.1 (geo: us)' }],
    cost: '0.000220000000',
    unpriced: [],
  });
  const local = await price('--input', '100', '--at', '2026-10-01T04:30+02:00', '--json');
  expect(JSON.parse(local.out)).toMatchObject({ cost: '0.000200000000' });
});

test('prices by the announced price that is in force at the time', async () => {
  const announced = join(folder, 'announced.yaml');
  const flat = 'price: { input: "5.00", output: "25.00" }';
  const upcoming = '[{ effective_from: 2026-12-01T00:00:00Z, input: "7.00", output: "30.00" }]';
  writeFileSync(announced, changedFile(flat, `${flat}\n        upcoming: ${upcoming}`));
  const inputAt = async (...at: readonly string[]) => {
    const { out } = await run('gen-x', announced, ['--input', '100', '--json', ...at]);
    const { lines, price_card: card } = JSON.parse(out);
    return { price: lines[0].price, card };
  };
  const now = await inputAt();
  expect(now.price).toBe('5.00');
  expect(await inputAt('--at', '2026-11-30T23:59:59Z')).toEqual(now);
  const later = await inputAt('--at', '2026-12-01T00:00:00Z');
  expect([later.price, later.card === now.card]).toEqual(['7.00', false]);
});

test('names what the card has no price for', async () => {
  const { out } = await price('--input', '1', '--tier', 'ultrafast');
  expect(out).toContain(
    'The price card has no price for tier: ultrafast, so the highest price of the card is shown.',
  );
});

test.each([
  [['--input', '1.5'], '--input must be a whole number, not "1.5".'],
  [['--at', 'noon'], '--at cannot read "noon".'],
  [['--at', '2026-10-01T02:00'], '--at cannot read'],
  [['--channel', 'stable'], 'gen-x has no channel "stable"'],
  [['--images', '5'], '--images has no effect: gen-x is not an image model.'],
  [['--quality', 'high'], '--quality has no effect: gen-x is not an image model.'],
])('refuses %p', async (argv, message) => {
  const { exit, err } = await price(...argv);
  expect(err).toContain(message);
  expect(exit).toBeGreaterThan(0);
});

describe('of images', () => {
  const sold = (id: string, price: string): string => `
  ${id}:
    kind: image
    maker: img
    sizes: [512x512, 1024x1024]
    qualities: [low, high]
    image_tokens: { 512x512: 100, 1024x1024/low: 200, 1024x1024/high: 7033 }
    default_channel: direct
    channels:
      direct:
        price: ${price}
        routes: [{ upstream: builtin, model: x }]
`;
  const images = join(folder, 'images.yaml');
  const byToken = `{ input: "5", image_output: "30", rows: [{ when: { quality: high }, input: "5", image_output: "40" }] }`;
  writeFileSync(images, `${SMALL_FILE}${sold('by-token', byToken)}`);
  const explain = (model: string, ...argv: readonly string[]) => run(model, images, argv);

  test('by the token counts the most tokens of the images, unless they are given', async () => {
    const asked = ['--images', '2', '--quality', 'high', '--input', '60', '--json'];
    expect(JSON.parse((await explain('by-token', ...asked)).out)).toMatchObject({
      lines: [
        { item: 'input', count: 60, price: '5.00', why: 'quality: high' },
        { item: 'image_output', count: 14_066, price: '40.00', per: '1M tokens' },
      ],
      cost: '0.562940000000',
    });
    const counted = await explain('by-token', '--image-output', '190', '--json');
    expect(JSON.parse(counted.out)).toMatchObject({ cost: '0.005700000000', unpriced: [] });
  });

  test('by the image multiplies the price of size and quality', async () => {
    const asked = ['--images', '3', '--size', '512x512', '--quality', 'hd', '--json'];
    expect(JSON.parse((await explain('img-x', ...asked)).out)).toMatchObject({
      lines: [{ item: '512x512/hd', count: 3, price: '0.020000000', per: 'image' }],
      cost: '0.060000000000',
      charge: '0.060000000',
    });
    const { out } = await explain('img-x');
    expect(out).toMatch(/1 +1024x1024 +0\.030000000 per image/);
  });

  test.each([
    [['--quality', 'max'], '--quality is "max", but the model offers only low, high.'],
    [['--size', '9x9'], '--size is "9x9", but the model offers only 512x512, 1024x1024.'],
    [['--images', 'two'], '--images must be a whole number'],
  ])('refuses %p', async (argv, message) => {
    const { exit, err } = await explain('by-token', ...argv);
    expect(err).toContain(message);
    expect(exit).toBeGreaterThan(0);
  });

  test.each(['--input', '--web-search', '--tier'])('by the image refuses %s', async (option) => {
    const { exit, err } = await explain('img-x', option, '1');
    expect(err).toContain(`${option} has no effect: img-x has a price per image.`);
    expect(exit).toBeGreaterThan(0);
  });
});
