/**
 * Tests charts of up to 80 days of data: one color per model on every page, a small DOM, keyboard
 * control, and links from bars to their requests.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

/**
 * The number of requests: enough that each model has some on each day. `long-history.test.ts` uses
 * more.
 */
const REQUESTS = 4_000;
/**
 * The maximum number of elements of a page with three 90-day charts. If each bar were an element,
 * the page would have 8,600.
 */
const MAX_ELEMENTS = 1_500;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: REQUESTS, days: 80, seed: 5 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const chart = (page: Page, name: string): Locator => page.getByRole('figure', { name });
const bars = (page: Page, name: string): Locator => chart(page, name).getByRole('slider');

/** Returns the color of each model, read from the page's legend. */
const colorsOf = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.getByRole('list', { name: 'Legend' }).evaluateAll((legends) =>
    Object.fromEntries(
      legends
        .flatMap((legend) => [...legend.children])
        .map((entry) => {
          const dot = entry.querySelector('span span');
          return [entry.textContent, dot === null ? '' : getComputedStyle(dot).backgroundColor];
        }),
    ),
  );

test('a model has the same color on the overview and on every chart of the usage', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    await during(installation.visit({ scheme }), async (page) => {
      await goTo(page, '/console');
      const overview = await colorsOf(page);
      expect(Object.keys(overview).length).toBeGreaterThan(5);
      expect(new Set(Object.values(overview)).size).toBe(Object.keys(overview).length);
      await goTo(page, '/console/usage?range=7d');
      expect(await colorsOf(page)).toEqual(overview);
      await page.getByText('90 d', { exact: true }).click();
      await page.waitForURL(/range=90d/);
      await settled(page);
      expect(await colorsOf(page)).toEqual(overview);
    });
  }
});

test('90 days are few elements, also while a bar is selected', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/usage?range=90d');
    await bars(page, 'Tokens').hover();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(elements).toBeLessThan(MAX_ELEMENTS);
    expect(await chart(page, 'Tokens').locator('path').count()).toBeLessThan(12);
  });
});

test('a shorter range is shown without a request', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/usage?range=30d');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('group_by=day')) asked.push(request.url());
    });
    await page.getByText('7 d', { exact: true }).click();
    await page.waitForURL(/range=7d/);
    await settled(page);
    expect(await bars(page, 'Spend').getAttribute('aria-valuemax')).toBe('7');
    expect(asked).toEqual([]);
  });
});

test('the keys move over the bars and their parts, and Enter opens the requests', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/usage?range=30d');
    const slider = bars(page, 'Requests');
    await slider.focus();
    await page.keyboard.press('Home');
    const first = (await slider.getAttribute('aria-valuetext')) ?? '';
    expect(first).toMatch(/^\w{3}, \w{3} \d+, \d{4}: Total [\d,]+: gen-/);
    await page.keyboard.press('ArrowRight');
    const second = (await slider.getAttribute('aria-valuetext')) ?? '';
    expect(second).not.toBe(first);
    // The lowest segment of the bar belongs to the first model that was used on that day.
    const lowest = /^(?<day>.+): Total [\d,]+: (?<model>\S+) (?<count>\d+)/.exec(second)?.groups;
    await page.keyboard.press('ArrowUp');
    expect(await slider.getAttribute('aria-valuetext')).toBe(
      `${lowest?.['day']}: ${lowest?.['model']} ${lowest?.['count']}`,
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/requests\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('model')).toBe(lowest?.['model'] ?? '');
    expect(searchParams.get('from')).toBe(searchParams.get('to'));
    await settled(page);
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    expect(await rows.count()).toBe(Number(lowest?.['count']));
  });
});

test('a click on a bar of the overview opens its day, and one on the histogram zooms', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console');
    await page
      .getByRole('slider')
      .first()
      .click({ position: { x: 40, y: 2 } });
    await page.waitForURL(/\/console\/requests\?from=/);
    await settled(page);
    const day = new URL(page.url()).searchParams.get('from');
    const histogram = bars(page, 'Requests over time');
    expect(await histogram.getAttribute('aria-valuemax')).toBe('24');
    await histogram.click({ position: { x: 300, y: 60 } });
    await page.waitForURL(/from=\d{4}-\d{2}-\d{2}T/);
    expect(decodeURIComponent(page.url())).toContain(`from=${day}T`);
  });
});

test('the table beside a chart has the same figures', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/usage?range=7d');
    await bars(page, 'Requests').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const text = (await bars(page, 'Requests').getAttribute('aria-valuetext')) ?? '';
    const total = /Total ([\d,]+)/.exec(text)?.[1] ?? 'none';
    await page.getByRole('button', { name: 'Show as table: Requests' }).click();
    const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(2);
    expect(await row.innerText()).toContain(total);
  });
});
