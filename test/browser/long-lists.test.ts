/** Tests lists of 10,000 rows. The page renders only the rows near the visible part. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { send } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { during } from './support/visit.ts';

const ROWS = 10_000;
/**
 * The maximum number of rendered rows. It includes the rows that are visible in a window of 900 px,
 * some rows above and below, and the rows of the page's other tables.
 */
const MAX_RENDERED = 80;

/** The tested lists, each with its page and the API response that it shows. */
const LISTS = {
  'API keys': ['/console/keys', '/console/api/keys'],
  requests: ['/console/requests', '/console/api/requests'],
  'the ledger': ['/console/billing?tab=ledger', '/console/api/ledger'],
  members: ['/console/members', '/console/api/members'],
  invitations: ['/console/members', '/console/api/invitations'],
  accounts: ['/console/admin/accounts', '/admin/v1/accounts'],
  people: ['/console/admin/people', '/admin/v1/people'],
  'redeem codes': ['/console/admin/redeem-codes', '/admin/v1/redeem-batches'],
  'the audit log': ['/console/admin/audit', '/admin/v1/audit'],
} as const;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 60, days: 3, seed: 11 } });
  await using host = await installation.visit();
  await send(host.context, '/console/api/invitations', { role: 'member' });
  const batch = { reason: 'Fair', count: 2, amount: '5', currency: 'USD' };
  await send(host.context, '/admin/v1/redeem-batches', batch);
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

type List = { readonly data: readonly Readonly<Record<string, unknown>>[] };

/** Makes the API return `ROWS` rows: the gateway's own rows, repeated with other ids. */
async function lengthen(page: Page, path: string): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch();
      const list: List = await response.json();
      const data = Array.from({ length: ROWS }, (_, at) => {
        const row = list.data[at % list.data.length];
        return { ...row, id: `${row?.['id']}_${at}`, request_id: `req_${at}` };
      });
      await route.fulfill({ response, json: { ...list, data, next: null } });
    },
  );
}

test.each(Object.entries(LISTS))('%s: only rows near the view are rendered', async (_, list) => {
  const [path, api] = list;
  await during(installation.visit(), async (page) => {
    await lengthen(page, api);
    await goTo(page, path);
    const long = page.locator(`table[aria-rowcount="${ROWS + 1}"]`);
    await long.locator('tr[data-index]').first().waitFor();
    const rendered = await page.locator('tr').count();
    expect(rendered).toBeGreaterThan(10);
    expect(rendered).toBeLessThan(MAX_RENDERED);
    // Scrolls to the end of the list. Even there, the page renders only a part of the list.
    const height = await long.evaluate((table) => table.scrollHeight);
    expect(height).toBeGreaterThan(ROWS * 30);
    await long.evaluate((table) => window.scrollTo(0, table.getBoundingClientRect().bottom - 400));
    await long.locator(`tr[data-index="${ROWS - 1}"]`).waitFor();
    expect(await page.locator('tr').count()).toBeLessThan(MAX_RENDERED);
  });
});

test('models: the cards are rendered as the page is scrolled, and all for a print', async () => {
  await during(installation.visit(), async (page) => {
    const many = 60;
    await page.route('**/console/api/models', async (route) => {
      const response = await route.fetch();
      const { data }: List = await response.json();
      const models = Array.from({ length: many }, (_, at) => ({
        ...data[at % data.length],
        ...{ id: `model-${at}`, name: `Model ${at}` },
      }));
      await route.fulfill({ response, json: { data: models } });
    });
    await goTo(page, '/console/models');
    const cards = page.getByRole('main').getByRole('article');
    await cards.first().waitFor();
    expect(await cards.count()).toBeLessThan(many);
    const printed = await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      const count = document.querySelectorAll('main article').length;
      dispatchEvent(new Event('afterprint'));
      return count;
    });
    expect(printed).toBe(many);
    const last = cards.filter({ hasText: `model-${many - 1}` });
    while ((await last.count()) === 0) await cards.last().scrollIntoViewIfNeeded();
    expect(await cards.count()).toBe(many);
  });
});
