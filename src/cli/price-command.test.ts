import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import { changedFile } from '../config/file.fixture.ts';
import { runCli } from './cli.ts';

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

async function price(...argv: readonly string[]) {
  let [out, err] = ['', ''];
  const exit = await runCli(
    ['price', 'gen-x', '--config', file, ...argv],
    { stdout: (text) => (out += text), stderr: (text) => (err += text) },
    {
      clock: manualClock(Date.parse('2026-11-22T12:00:00Z')),
      version: '1.2.3',
      ...{ fetch: unused, settings: unused },
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused },
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

test('names what the card has no price for', async () => {
  const { out } = await price('--input', '1', '--tier', 'ultrafast');
  expect(out).toContain('The card has no price for tier: ultrafast: its highest price is shown.');
});

test.each([
  [['--input', '1.5'], '--input is a whole number, not "1.5".'],
  [['--at', 'noon'], '--at cannot read "noon".'],
  [['--at', '2026-10-01T02:00'], '--at cannot read'],
  [['--channel', 'stable'], 'gen-x has no channel "stable"'],
])('refuses %p', async (argv, message) => {
  const { exit, err } = await price(...argv);
  expect(err).toContain(message);
  expect(exit).toBeGreaterThan(0);
});
