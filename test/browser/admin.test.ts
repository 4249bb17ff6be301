/**
 * Tests the operator's screens: the content that must be visible on them, on a desktop and on a
 * phone.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { invite, send } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';

const PHONE = { width: 375, height: 800 };
const CREDITS = ['500', '75.50'];

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
  await using visit = await installation.visit();
  for (const amount of CREDITS) {
    const name = `Customer of ${amount}`;
    const { id } = Object(await send(visit.context, '/admin/v1/accounts', { name }));
    const credit = { amount, currency: 'USD', reason: 'Invoice' };
    await send(visit.context, `/admin/v1/accounts/${id}/credits`, credit);
  }
  const batch = { reason: 'Workshop', count: 2, amount: '5', currency: 'USD' };
  const { codes } = Object(await send(visit.context, '/admin/v1/redeem-batches', batch));
  await send(visit.context, '/console/api/redeem', { code: codes[0] });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

/** Opens a page of the operator's screens and returns the text of its table. */
async function tableOf(page: Page, path: string, table: string): Promise<string> {
  await goTo(page, `/console/admin/${path}`);
  return await page.getByRole('table', { name: table }).innerText();
}

test('accounts have totals and sort by balance', async () => {
  await using visit = await installation.visit();
  // The total includes the first account, which has 100 USD and has redeemed 5 USD.
  expect(await tableOf(visit.page, 'accounts', 'Accounts')).toContain('$680.50');
  await visit.page.getByRole('button', { name: 'Available USD' }).click();
  const first = visit.page.getByRole('table', { name: 'Accounts' }).locator('tbody tr').first();
  expect(await first.innerText()).toContain('Customer of 75.50');
});

test('the price table has exact prices, and a cell opens its history', async () => {
  await using visit = await installation.visit();
  const table = 'Prices in force by model and channel';
  expect(await tableOf(visit.page, 'cards', table)).toContain('$5.50 / $27.50');
  await visit.page.getByRole('button', { name: /price history of gen-opus-4-8 on stable/ }).click();
  const history = visit.page.getByRole('dialog').getByRole('table');
  await history.getByText('$27.50').first().waitFor();
});

test('all routes are in one table, with the channel and its state', async () => {
  await using visit = await installation.visit();
  const text = await tableOf(visit.page, 'routes', 'Routes');
  for (const part of ['builtin/gen-opus-4-8', 'Direct · Default', 'Closed']) {
    expect(text).toContain(part);
  }
});

test('a batch shows which account redeemed a code', async () => {
  await using visit = await installation.visit();
  await goTo(visit.page, '/console/admin/redeem-codes');
  await visit.page.getByRole('button', { name: 'Workshop', exact: true }).click();
  await settled(visit.page);
  const codes = visit.page.getByRole('table', { name: 'Codes of the batch' });
  const redeemed = codes.getByRole('row').filter({ hasText: 'default' });
  expect(await redeemed.innerText()).toContain('Redeemed');
  expect(await codes.getByText('Not redeemed').count()).toBe(1);
});

for (const [language, table, created] of [
  ['en', 'Audit log entries', 'Account created'],
  ['zh', '审计日志记录', '创建账户'],
] as const) {
  test(`the audit log names people and things (${language})`, async () => {
    await using visit = await installation.visit({ language });
    await visit.page.goto('/console/admin/audit');
    await settled(visit.page);
    const row = visit.page
      .getByRole('table', { name: table })
      .getByRole('row')
      .filter({ hasText: 'Customer of 500' })
      .filter({ hasText: created });
    const text = await row.innerText();
    expect(text).toContain('ada@example.com');
    expect(text).not.toMatch(/account\.create|usr_|acc_/);
  });
}

test('a phone shows the state and the amount of each row', async () => {
  await using visit = await installation.visit();
  await visit.page.setViewportSize(PHONE);
  await goTo(visit.page, '/console/admin/accounts');
  const row = visit.page.getByRole('row').filter({ hasText: 'Customer of 500' });
  for (const part of ['Active', '$500.00']) {
    expect(await row.getByText(part).isVisible()).toBe(true);
    const box = await row.getByText(part).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
  }
});

test('settings have names, are searchable, and show their paths', async () => {
  await using visit = await installation.visit();
  await goTo(visit.page, '/console/admin/settings?search=first+byte');
  const names = visit.page.getByRole('table').locator('tbody tr');
  expect(await names.allInnerTexts()).toHaveLength(1);
  expect(await names.innerText()).toContain('First byte timeout limits.first_byte_timeout');
});

test('no table of the administration is cut on a laptop', async () => {
  await using visit = await installation.visit();
  await visit.page.setViewportSize({ width: 1280, height: 800 });
  for (const path of [
    'accounts',
    'people',
    'redeem-codes',
    'routes',
    'routes?tab=prices',
    'audit',
  ]) {
    await goTo(visit.page, `/console/admin/${path}`);
    const tables = visit.page.getByRole('main').locator('table');
    await tables.first().waitFor();
    // A table hides columns only after it has measured its width, so the test waits.
    await eventually(
      `no table of ${path} is cut`,
      () =>
        tables.evaluateAll(
          (all) =>
            all.filter(
              ({ parentElement: frame, scrollWidth }) => scrollWidth > (frame?.clientWidth ?? 0),
            ).length,
        ),
      (cut) => cut === 0,
    );
  }
});

test('a phone leaves out details without a value', async () => {
  await using visit = await installation.visit();
  await visit.page.setViewportSize(PHONE);
  await goTo(visit.page, '/console/admin/accounts');
  const row = visit.page.getByRole('row').filter({ hasText: 'Customer of 500' });
  expect(await row.locator('[data-heading="Keys"]').isVisible()).toBe(true);
  expect(await row.locator('[data-heading="Available CNY"]').isVisible()).toBe(false);
});

test('a credit whose answer was lost is not booked again with another amount', async () => {
  await using visit = await installation.visit();
  const { page, context } = visit;
  const { id } = Object(await send(context, '/admin/v1/accounts', { name: 'Lost answer' }));
  await goTo(page, `/console/admin/accounts/${id}`);
  await page.route('**/credits', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' });
  });
  await page.getByRole('button', { name: 'Add credit USD' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Amount').fill('2');
  await form.getByLabel('Reason').fill('Invoice');
  await form.getByRole('button', { name: 'Add credit' }).click();
  await form.getByText(/^Cannot reach the gateway\./).waitFor();
  await page.unroute('**/credits');
  await form.getByLabel('Amount').fill('3');
  await form.getByRole('button', { name: 'Add credit' }).click();
  await form.getByText(/An earlier attempt was already applied/).waitFor();
  await form.getByText('$2.00').waitFor();
});

test('an exchange buys CNY with USD, from the card of either wallet', async () => {
  await using visit = await installation.visit();
  const { page, context } = visit;
  const { id } = Object(await send(context, '/admin/v1/accounts', { name: 'Exchanging' }));
  const credit = { amount: '10', currency: 'USD', reason: 'Invoice' };
  await send(context, `/admin/v1/accounts/${id}/credits`, credit);
  await goTo(page, `/console/admin/accounts/${id}`);
  for (const [currency, available] of [
    ['USD', '¥7.10'],
    ['CNY', '¥14.20'],
  ]) {
    await page.getByRole('button', { name: `Exchange currency ${currency}` }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Amount to buy in CNY').fill('7.10');
    await form.getByText(/^Paid in USD, at 7\.10*$/).waitFor();
    await form.getByText('$1.00').waitFor();
    await form.getByLabel('Reason').fill('A model that settles in CNY');
    await form.getByRole('button', { name: 'Exchange currency' }).click();
    await page.getByText(`Available now: CN${available}`).waitFor();
    await form.waitFor({ state: 'hidden' });
  }
});

test('the refusal of a refund that somebody else made is shown', async () => {
  await using visit = await installation.visit();
  const { page, context } = visit;
  const body = { model: 'gen-sonnet-5', messages: [{ role: 'user', content: 'Hello' }] };
  await send(context, '/console/api/chat/completions', body);
  const { data } = await (await context.request.get('/admin/v1/requests?limit=1')).json();
  const [{ id }] = data;
  const { person } = await (await context.request.get('/console/api/session')).json();
  await goTo(page, `/console/admin/accounts/${person.account.id}?tab=requests`);
  await page.getByRole('button', { name: `Refund ${id}` }).click();
  await send(context, `/admin/v1/requests/${id}/refund`, { amount: 'all', reason: 'First' });
  const form = page.getByRole('dialog');
  await form.getByLabel('Reason').fill('Second');
  await form.getByRole('button', { name: 'Refund request' }).click();
  await form
    .getByRole('alert')
    .getByText(/^Nothing can be refunded for this request/)
    .waitFor();
});

test('a person moves to an account that is found by its name', async () => {
  await invite(installation, 'member', 'moving');
  await using visit = await installation.visit();
  const { page } = visit;
  await goTo(page, '/console/admin/people?search=member-moving');
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Change role or account' }).click();
  const account = page.getByRole('dialog').getByRole('combobox', { name: 'Account' });
  expect(await account.inputValue()).toBe('default');
  await account.fill('Customer of 500');
  await page.getByRole('option', { name: 'Customer of 500' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('row').filter({ hasText: 'Customer of 500' }).waitFor();
});
