/**
 * Tests the business overview: it shows figures of all accounts, and each figure links to the list
 * from which it is computed.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES, SCHEMES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

const WIDTHS = [375, 768, 1280, 1920];
const HEIGHT = 900;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({
    past: { requests: 400, days: 36, seed: 3, credit: '12 USD' },
  });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

for (const [index, language] of LANGUAGES.entries()) {
  const say = wordsOf(language);
  const scheme = SCHEMES[index] ?? 'light';
  test(`fits every width and has no barrier, in ${language}`, async () => {
    const viewport = { width: 1280, height: HEIGHT };
    await during(installation.visit({ language, scheme, viewport }), async (page) => {
      await goTo(page, '/console/admin/home?range=30d');
      const figures = page.getByRole('region', { name: say('Revenue') });
      await figures
        .getByText(/\$\d+\.\d{2}/)
        .first()
        .waitFor();
      // The charts of a longer range show months, so that the heading names no days.
      await page.getByText(say('Charges ({{currency}})')).first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        await settled(page);
        expect([width, await overflowOf(page)]).toEqual([width, []]);
      }
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}

test('its figures are those of the API and lead to the lists behind them', async () => {
  await awayFromMidnight();
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/admin/home?range=30d');
    const main = page.locator('main');
    await main.getByText('Failure rate').waitFor();
    const { from, to } = { from: day(29), to: day(0) };
    const answer = await page.request.get(`/admin/v1/summary?from=${from}&to=${to}`);
    const { books, models } = await answer.json();
    const dollars = books.find(({ currency }: { currency: string }) => currency === 'USD');
    const shown = await page.getByRole('region', { name: 'Revenue' }).innerText();
    expect(shown).toContain(`$${Number(dollars.revenue).toFixed(2)}`);
    for (const [name, path] of [
      ['Charges less refunds', /\/admin\/books$/],
      ['Unhealthy routes now', /\/admin\/routes\?trouble=true$/],
      ['New people', /\/admin\/people$/],
      [models[0].id, /\/models\/[\w-]+$/],
    ] as const) {
      await goTo(page, '/console/admin/home?range=30d');
      await main.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(path);
    }
  });
});

const DAY_MS = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
