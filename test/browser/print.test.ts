/** Tests printing: a printed document has no menu and no buttons, but contains all amounts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { picoOf } from './support/bill.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

/** The number of days of past requests. */
const DAYS = 12;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: DAYS, seed: 3 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Returns the amounts that are visible on the page. */
const amountsOn = (page: Page): Promise<readonly string[]> =>
  page
    .getByRole('main')
    .getByText(/^\u2212?(?:CN¥|\$)[\d,]+\.\d{2,9}\s*$/)
    .filter({ visible: true })
    .allInnerTexts();

/**
 * Switches to the print styles. Checks that elements that are useless on paper, such as menus,
 * form fields and buttons, are hidden.
 */
async function toPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  for (const part of ['banner', 'navigation', 'tablist', 'textbox', 'combobox'] as const) {
    expect(await page.getByRole(part).filter({ visible: true }).count()).toBe(0);
  }
  const buttons = page.locator('.mantine-Button-root, .mantine-ActionIcon-root');
  expect(await buttons.filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('[data-print-head]').innerText()).toContain('default · acc_');
  expect(await page.getByText('Skip to content').isVisible()).toBe(false);
  const surface = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(surface).toBe('rgba(0, 0, 0, 0)');
}

test('a statement has a page that adds up, on the screen and on paper', async () => {
  await during(installation.visit({ scheme: 'dark' }), async (page) => {
    await goTo(page, '/console/billing?tab=statements');
    // The newest month may have begun just now. The past has at least six days of this month.
    const month = new Date(Date.now() - (DAYS / 2) * 86_400_000).toISOString().slice(0, 7);
    await page.getByRole('link', { name: `Print statement ${month} USD` }).click();
    await page.getByRole('cell', { name: 'Closing balance' }).waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    const shown = await amountsOn(page);
    const amounts = shown.map(picoOf);
    const lines = amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0n);
    expect(amounts.length).toBeGreaterThan(5);
    expect(lines).toBe(amounts.at(-1) ?? -1n);
    await toPaper(page);
    expect(await amountsOn(page)).toEqual(shown);
    expect(await page.getByText(/^gen-[\w-]+, \d+ requests?$/).count()).toBeGreaterThan(2);
    for (const text of ['Issued by', 'default', 'Period (UTC)', 'Opening balance']) {
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    }
  });
});

test('the bill of a request is printed without its page', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/requests?status=completed');
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').first().click();
    const bill = page.getByRole('dialog');
    await bill.getByText('Charged').first().waitFor();
    await settled(page);
    const shown = (await bill.innerText()).match(/\$[\d.]+/g);
    await toPaper(page);
    expect(await page.getByRole('heading', { level: 1 }).filter({ visible: true }).count()).toBe(0);
    expect((await bill.innerText()).match(/\$[\d.]+/g)).toEqual(shown);
    expect(shown?.length).toBeGreaterThan(3);
  });
});

test('the ledger is printed with exact amounts', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/billing?tab=ledger');
    const shown = await amountsOn(page);
    await toPaper(page);
    expect(await amountsOn(page)).toEqual(shown);
    expect(shown.length).toBeGreaterThan(20);
  });
});

test('a card payment has a receipt, which says if it is not paid', async () => {
  for (const [status, isPaid] of [
    ['paid', true],
    ['pending', false],
  ] as const) {
    await during(installation.visit({ language: 'zh', locale: 'zh-CN' }), async (page) => {
      await page.route('**/console/api/top-ups/ord_1', (route) =>
        route.fulfill({
          json: {
            ...{ id: 'ord_1', amount: '1250.500000000', bonus: '62.525000000', currency: 'CNY' },
            ...{ status, url: null },
            created_at: '2026-11-22T05:43:36.000Z',
          },
        }),
      );
      await goTo(page, '/console/billing/top-ups/ord_1');
      await toPaper(page);
      const shown = ['收据', 'ord_1', '¥1,250.50', '62.525 CNY', '2026/11/22 05:43:36 UTC'];
      for (const text of [...shown, 'default · ']) {
        expect(await page.getByRole('main').getByText(text).first().isVisible()).toBe(true);
      }
      expect(await page.getByText('尚未完成').count()).toBe(isPaid ? 0 : 1);
    });
  }
});
