/**
 * Tests numbers that operators and callers compare, which are the amounts and monthly totals of the
 * ledger, and the usage by group.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { goTo } from './support/settled.ts';
import { during } from './support/visit.ts';

/**
 * The price of Gen Sonnet 5 on `direct`. The test configures the operator's cost only for this
 * model on this channel.
 */
const PRICED =
  'price: { input: "3.00", output: "15.00", cache_read: "0.30", cache_write: "3.75", example: true }';
const COST = 'cost: { input: "2.00", output: "10.00", cache_read: "0.20", cache_write: "2.50" }';

let installation: Installation;
beforeAll(async () => {
  const shipped = shippedConfig();
  const config = shipped.replace(
    new RegExp(`(gen-sonnet-5:[^]*?direct:\\s+)(${RegExp.escape(PRICED)})`),
    (_, before: string, price: string) => `${before}${price}\n        ${COST}`,
  );
  expect(config).not.toBe(shipped);
  installation = await openInstallation({ config, past: { requests: 900, days: 40, seed: 3 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Returns a table's rows, each as a map from column headings to cell texts. */
const rowsOf = (page: Page, table: string): Promise<readonly Readonly<Record<string, string>>[]> =>
  page.getByRole('table', { name: table }).evaluate((element) => {
    const headings = [...element.querySelectorAll<HTMLElement>('thead th')].map((it) =>
      it.innerText.trim(),
    );
    return [...element.querySelectorAll('tbody tr')].map((row) =>
      Object.fromEntries(
        [...row.children].map((cell, at) => [headings[at] ?? '', cell.textContent.trim()]),
      ),
    );
  });

/** The names of the keys of the past requests. */
const ANY_KEY = /Production|Staging|Claude Code|Nightly batch/;

/**
 * Whether a month has so many requests that some of them are of the model with a known cost. If the
 * past has only a few hours of a month, there may be none.
 */
const hasMany = (row: { readonly requests: number }): boolean => row.requests >= 50;

test('the ledger shows profit and margin by month, and counts unknown costs apart', async () => {
  await during(installation.visit(), async (page, { context }) => {
    await goTo(page, '/console/admin/books');
    const months = page.getByRole('region', { name: 'Last 12 months' });
    await months
      .getByRole('table', { name: 'Last 12 months' })
      .getByText('33.3%')
      .first()
      .waitFor();
    const answer = await context.request.get('/admin/v1/books/months');
    const { data } = Object(await answer.json());
    const used = data.filter(
      (row: Readonly<Record<string, unknown>>) =>
        row['currency'] === 'USD' && row['requests'] !== 0,
    );
    expect(used.filter(hasMany).length).toBeGreaterThan(1);
    const rows = await rowsOf(page, 'Last 12 months');
    for (const [at, row] of used.toReversed().entries()) {
      if (!hasMany(row)) continue;
      // For every kind of token, the cost is two thirds of the price, so the margin is one third.
      expect(row.margin).toBeCloseTo(1 / 3, 3);
      expect(row.requests_without_cost).toBeGreaterThan(0);
      expect(row.requests_without_cost).toBeLessThan(row.requests);
      expect(rows[at]).toMatchObject({
        Margin: '33.3%',
        'Cost unknown': String(row.requests_without_cost),
      });
    }
    await months.getByText(/requests of unknown cost/).waitFor();
    const download = page.waitForEvent('download');
    await months.getByRole('button', { name: 'Download' }).last().click();
    await page.getByRole('menuitem', { name: 'JSON Lines' }).click();
    expect((await download).suggestedFilename()).toMatch(/ledger-months-USD\.jsonl$/);
    expect(await violationsOf(page)).toEqual([]);
  });
});

test('usage is grouped by model and key, with the speed of each and exact sums', async () => {
  await awayFromMidnight();
  await during(installation.visit(), async (page, { context }) => {
    await goTo(page, '/console/usage?range=30d');
    await page
      .getByRole('combobox', { name: 'Then group by' })
      .selectOption({ label: 'and API key' });
    await page.waitForURL(/and=key/);
    const table = page.getByRole('table', { name: 'Model and API key' });
    await table.getByText('Production').first().waitFor();
    const [from, to] = await page.evaluate(() =>
      [29, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)),
    );
    const path = `/console/api/usage?group_by=model,key&limit=1000&from=${from}&to=${to}`;
    const { data } = Object(await (await context.request.get(path)).json());
    const pairs = new Map<string, number>();
    for (const { model, key_id: key, requests } of data) {
      const pair = `${model} ${key}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + requests);
    }
    const rows = await rowsOf(page, 'Model and API key');
    expect(rows.length).toBe(pairs.size);
    const shown = rows.map((row) => Number(row['Requests']));
    expect(shown.toSorted()).toEqual([...pairs.values()].toSorted());
    expect(rows.some((row) => /^\d+ ms|^[\d.]+ s/.test(row['First token'] ?? ''))).toBe(true);
    expect(rows.some((row) => Number(row['Tokens/s']) > 0)).toBe(true);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).last().click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await Bun.file(await (await download).path()).text();
    expect(csv.split('\r\n')[0]).toContain('Model,API key,Requests');
    expect(await violationsOf(page)).toEqual([]);
    await table.getByRole('link').first().click();
    await page.waitForURL(/requests\?.*model=.*key_id=|requests\?.*key_id=.*model=/);
  });
});

test('the amounts of the ledger and of statements are exact and lead to their requests', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/billing?tab=ledger&kind=settle');
    const amounts = page.getByRole('table').getByText(/^−\$\d/);
    await amounts.first().waitFor();
    // Figure spaces (U+2007), which are as wide as digits, pad each amount, so that all decimal
    // points are aligned.
    const ends = await amounts.evaluateAll((cells) =>
      cells.map(({ textContent }) => /\.(\d{2,9}\u2007*)$/.exec(textContent ?? '')?.[1]?.length),
    );
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).toBeGreaterThan(4);
    await goTo(page, '/console/billing');
    await page.getByRole('link', { name: 'All top-ups' }).click();
    await page.waitForURL(/tab=ledger&kind=credit/);
    await goTo(page, '/console/billing?tab=ledger&kind=settle');
    await page.getByRole('link', { name: 'Request', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('table', { name: 'Receipt' }).waitFor();
    await goTo(page, '/console/billing?tab=statements');
    // On the first days of a month, its requests may be of any key, or there may be none.
    const charged = page.getByRole('table').locator('a[href*="by=key"]');
    await charged.filter({ hasText: /[1-9]/ }).first().click();
    await page.waitForURL(/\/usage\?.*by=key/);
    await page.getByRole('table').getByText(ANY_KEY).first().waitFor();
  });
});
