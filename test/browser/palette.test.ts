/** Tests the command palette: it loses no key press, finds accounts, and returns the focus. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { invite, send } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test('letters arrive whole that are typed while the palette is still loading', async () => {
  await during(installation.visit(), async (page) => {
    const arrival = Promise.withResolvers<void>();
    await page.route('**/console/assets/command-palette-*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await goTo(page, '/console');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bill');
    arrival.resolve();
    await page.keyboard.type('ing');
    const field = page.getByRole('combobox');
    await field.waitFor();
    await eventually(
      'the word',
      () => field.inputValue(),
      (typed) => typed === 'billing',
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/billing');
  });
});

test('Escape gives the focus back to where it was, also the first time', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/billing');
    const button = page.locator('main').getByRole('textbox').first();
    await button.focus();
    for (const _opening of ['first', 'second']) {
      await page.keyboard.press('Control+k');
      await waitForFocus(page.getByRole('combobox'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await waitForFocus(button);
    }
  });
});

test('administrators find accounts by a part of their name', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('defau');
    await page.getByRole('group', { name: 'Accounts' }).getByRole('option').first().click();
    await page.waitForURL('**/console/admin/accounts/acc_*');
  });
});

/** Opens the command palette, types a text, and clicks the first option of the group. */
async function choose(page: Page, typed: string, group: string): Promise<void> {
  await goTo(page, '/console');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await page.getByRole('group', { name: group }).getByRole('option').first().click();
}

test('administrators find people by name or address, and codes by batch or by a code', async () => {
  await invite(installation, 'member', 'palette');
  await during(installation.visit(), async (page, { context }) => {
    const batch = { reason: 'Harbor workshop', count: 1, amount: '5', currency: 'USD' };
    const { codes } = Object(await send(context, '/admin/v1/redeem-batches', batch));
    await choose(page, 'grace hop', 'People');
    await page.waitForURL('**/console/admin/people?search=member-palette%40example.com');
    for (const [typed, group] of [
      ['harbor', 'Redeem codes'],
      [String(codes[0]).toLowerCase(), 'Open'],
    ] as const) {
      await choose(page, typed, group);
      await page.waitForURL('**/console/admin/redeem-codes?batch=rdb_*');
      await page.getByRole('dialog', { name: batch.reason }).getByText('Not redeemed').waitFor();
    }
  });
});

test("administrators open another account's request by its id", async () => {
  await during(installation.visit(), async (page, { context }) => {
    const { id: account } = Object(await send(context, '/admin/v1/accounts', { name: 'Customer' }));
    const credit = { amount: '5', currency: 'USD', reason: 'Invoice' };
    await send(context, `/admin/v1/accounts/${account}/credits`, credit);
    const key = Object(
      await send(context, '/admin/v1/keys', { account_id: account, name: 'Theirs' }),
    );
    const answer = await context.request.post('/v1/chat/completions', {
      headers: { authorization: `Bearer ${key.secret}` },
      data: { model: 'gen-sonnet-5', messages: [{ role: 'user', content: 'Hello' }] },
    });
    const id = answer.headers()['x-request-id'] ?? '';
    expect(answer.status()).toBe(200);
    await choose(page, id, 'Open');
    await page.waitForURL(`**/console/admin/accounts/${account}?tab=requests&request=${id}`);
    const row = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    await row.getByRole('button', { name: `Refund ${id}` }).waitFor();
    expect(await row.count()).toBe(1);
  });
});

test('owners find their members; members see no people', async () => {
  const owner = await invite(installation, 'owner', 'palette');
  const member = await invite(installation, 'member', 'curious');
  await during(installation.visit(owner), async (page) => {
    await choose(page, 'lovelace', 'People');
    await page.waitForURL('**/console/members');
  });
  await during(installation.visit(member), async (page) => {
    await goTo(page, '/console');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lovelace');
    await page.getByText('No results.').waitFor();
  });
});
