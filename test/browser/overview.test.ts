/** Tests what the overview shows without scrolling, on a phone and a laptop, in both languages. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { goTo } from './support/settled.ts';
import { during, LANGUAGES, SCHEMES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

const PHONE = { width: 375, height: 667 };
const LAPTOP = { width: 1280, height: 900 };

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({
    past: { requests: 400, days: 36, seed: 3, credit: '12 USD' },
  });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Returns the distance in pixels from the top of the page to the lower edge of an element. */
const endOf = async (element: Locator): Promise<number> => {
  const box = await element.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
};

const amountsIn = async (place: Locator): Promise<number> =>
  ((await place.innerText()).match(/[$¥][\d,]+\.\d{2}/g) ?? []).length;

for (const [index, language] of LANGUAGES.entries()) {
  const say = wordsOf(language);
  const scheme = SCHEMES[index] ?? 'light';
  const open = (page: Page) => ({
    hero: page.getByRole('region', { name: say('Balance') }),
    figure: (name: string) => page.locator('main').getByText(say(name)),
    card: (name: string) =>
      page.locator('main section').filter({ has: page.getByRole('heading', { name: say(name) }) }),
  });

  test(`a laptop shows balance, figures and the chart without scrolling, in ${language}`, async () => {
    await during(installation.visit({ language, scheme, viewport: LAPTOP }), async (page) => {
      await goTo(page, '/console');
      const { hero, figure, card } = open(page);
      expect(await amountsIn(hero)).toBe(2);
      await hero.getByText(say('About {{count}} days left at current spend')).waitFor();
      for (const name of [
        'Spent today',
        'Last 7 days',
        'Last 30 days',
        'Failure rate, last 7 days',
      ]) {
        expect(await endOf(figure(name))).toBeLessThan(LAPTOP.height / 2);
      }
      const chart = page.getByRole('heading', { name: say('Spend by model, last 30 days (USD)') });
      expect(await endOf(chart)).toBeLessThan(LAPTOP.height / 2);
      for (const name of ['Top models, last 30 days', 'Top keys, last 30 days']) {
        expect(await endOf(card(name))).toBeLessThan(LAPTOP.height);
        expect(await amountsIn(card(name))).toBe(3);
      }
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  test(`a phone shows balance, runway and spend without scrolling, in ${language}`, async () => {
    await during(installation.visit({ language, scheme, viewport: PHONE }), async (page) => {
      await goTo(page, '/console');
      const { hero, figure } = open(page);
      expect(await endOf(hero)).toBeLessThan(PHONE.height / 2);
      await hero.getByText(say('About {{count}} days left at current spend')).waitFor();
      expect(await endOf(figure('Last 7 days'))).toBeLessThan(PHONE.height);
      expect(await overflowOf(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}

test('8 digits of spend fit half of a narrow phone', async () => {
  const viewport = { width: 360, height: 780 };
  await during(installation.visit({ viewport }), async (page) => {
    await page.route('**/console/api/overview', async (route) => {
      const response = await route.fetch();
      const overview = await response.json();
      for (const spend of overview.spend) spend.last_30_days = '12345678.9';
      await route.fulfill({ response, json: overview });
    });
    await goTo(page, '/console');
    const box = await page.getByText('$12,345,678.90').boundingBox();
    const next = await page.getByText('Failure rate, last 7 days').boundingBox();
    const gapPx = 16;
    expect((box?.x ?? 0) + (box?.width ?? viewport.width) + gapPx).toBeLessThan(next?.x ?? 0);
  });
});

test('the model and the key with the highest spend lead to their pages', async () => {
  await during(installation.visit(), async (page) => {
    for (const [card, path] of [
      ['Top models, last 30 days', /\/console\/models\/[\w-]+$/],
      ['Top keys, last 30 days', /\/console\/keys\/key_\w+$/],
    ] as const) {
      await goTo(page, '/console');
      const section = page.locator('main section').filter({ hasText: card });
      await section.getByRole('listitem').first().getByRole('link').click();
      await page.waitForURL(path);
    }
  });
});
