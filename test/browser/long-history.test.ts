/**
 * Tests the console with 100,000 requests. The delay after each click or key press is only logged,
 * because it depends on the machine.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const REQUESTS = 100_000;
/** The longest delay that people perceive as immediate. */
const AT_ONCE_MS = 100;
/**
 * The maximum number of elements of the usage page. Its charts have one element per group of bars,
 * not per bar.
 */
const MAX_ELEMENTS = 1_500;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: REQUESTS, days: 80, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Makes the page record the time from each click or key press to the next paint. */
const keepDelays = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry instanceof PerformanceEventTiming && entry.interactionId > 0) {
          delays.push(entry.duration);
        }
      }
    }).observe(Object.assign({ type: 'event' }, { durationThreshold: 16 }));
  });

const delaysOf = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => Object(window).delays);

const firstRow = async (page: Page): Promise<string> =>
  await page.getByRole('row').nth(1).innerText();

test('100,000 requests are paged, filtered and opened', async () => {
  await during(installation.visit({ isNew: true }), async (page) => {
    await keepDelays(page);
    await goTo(page, '/console/requests?range=90d');
    const newest = await firstRow(page);
    const listed = await page.getByRole('row').count();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('row').nth(listed).waitFor();
    expect(await firstRow(page)).toBe(newest);

    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'gen-v4-pro' }).click();
    await page.waitForURL(/model=gen-v4-pro/);
    const rows = page.getByRole('row').filter({ hasText: 'gen-' });
    const others = rows.filter({ hasNotText: 'gen-v4-pro' });
    await others.first().waitFor({ state: 'detached' });
    await settled(page);
    expect(await rows.count()).toBeGreaterThan(10);
    expect(await others.count()).toBe(0);

    await page.getByRole('row').nth(2).getByRole('link').first().click();
    const sheet = page.getByRole('dialog', { name: 'Request' });
    await sheet.getByRole('table', { name: 'Receipt' }).waitFor();
    const delays = await delaysOf(page);
    console.log(`presses on ${REQUESTS} requests, ms until shown:`, delays);
    console.log(`  above ${AT_ONCE_MS} ms: ${delays.filter((ms) => ms > AT_ONCE_MS).length}`);
  });
});

test('the usage report of 90 days opens', async () => {
  await during(installation.visit({ isNew: true }), async (page) => {
    await goTo(page, '/console/usage');
    const startMs = performance.now();
    await page.getByText('90 d', { exact: true }).click();
    await page.waitForURL(/range=90d/);
    await settled(page);
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(elements).toBeLessThan(MAX_ELEMENTS);
    const total = await page.context().request.get('/console/api/usage?limit=1');
    expect(total.ok()).toBe(true);
    console.log(`90 days of use after ${Math.round(performance.now() - startMs)} ms`);
  });
});
