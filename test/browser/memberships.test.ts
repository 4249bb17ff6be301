/**
 * Tests an account's members: one member joins a second account, and another member has a spending
 * limit.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { invite, send } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

const EMAIL = 'member-two@example.com';
const PASSWORD = 'nine dry moths in a relay';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

async function invitationUrl(): Promise<string> {
  await using host = await installation.visit();
  const place = { role: 'owner', account_name: 'Second Ltd' };
  const invitation = Object(await send(host.context, '/admin/v1/invitations', place));
  return new URL(invitation.url).pathname + new URL(invitation.url).hash;
}

test('a person joins a second account, and each tab shows the chosen one', async () => {
  await invite(installation, 'member', 'two');
  const url = await invitationUrl();
  await during(installation.visitAsStranger(), async (page, { context }) => {
    await page.goto(url);
    await page.getByRole('link', { name: 'I already have a login' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('You join as Grace Hopper').waitFor();
    await settled(page);
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    const other = await context.newPage();
    await goTo(other, '/console/keys');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
    // The other tab showed the first account. It must switch to the second account automatically.
    await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await other.close();

    const menu = page.getByRole('button', { name: 'Profile menu: Grace Hopper' });
    await menu.click();
    const second = page.getByRole('menuitemradio', { name: 'Second Ltd', checked: true });
    await second.waitFor();
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      expect([width, await violationsOf(page), await overflowOf(page)]).toEqual([width, [], []]);
    }
    await page.getByRole('menuitemradio', { name: 'default' }).click();
    await page.getByRole('link', { name: 'Members', exact: true }).waitFor({ state: 'detached' });
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'default', checked: true }).waitFor();
    await shownToAdministrators();

    // A member of two accounts can leave one of them.
    await page.keyboard.press('Escape');
    await goTo(page, '/console/profile');
    await page.getByRole('button', { name: 'Leave this account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave default?' });
    await dialog.getByLabel('Type default to confirm').fill('default');
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await dialog.getByRole('button', { name: 'Leave this account' }).click();
    await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
    await goTo(page, '/console/profile');
    await page.getByText('Account Second Ltd').waitFor();
    expect(await page.getByRole('button', { name: 'Leave this account' }).count()).toBe(0);
  });
}, 180_000);

async function shownToAdministrators(): Promise<void> {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/admin/people');
    const row = page.getByRole('row').filter({ hasText: EMAIL });
    await row.getByText('and 1 other').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await Bun.file(await (await download).path()).text();
    expect(csv).toMatch(new RegExp(`${EMAIL},[^,]*,default and 1 other,`));
  });
}

const QUESTION = 'Explain prompt caching in three sentences, with a small table.';

test('an owner limits what a member spends with keys and the playground, and raises it', async () => {
  const guest = await invite(installation, 'member', 'limited');
  await using member = await installation.visitAsStranger(guest);
  const { id, secret } = Object(await send(member.context, '/console/api/keys', { name: 'mine' }));
  const call = async (): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(`${installation.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gen-sonnet-5',
        messages: [{ role: 'user', content: QUESTION }],
      }),
    });
    const { error } = Object(await response.json());
    return { status: response.status, limit: error?.limit, message: error?.message };
  };
  expect(await call()).toMatchObject({ status: 200 });
  const rowIn = (page: Page): Locator =>
    page.getByRole('row').filter({ hasText: 'member-limited@example.com' });
  const choose = async (page: Page, action: string): Promise<void> => {
    await rowIn(page).getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const setTo = async (page: Page, month: string): Promise<void> => {
    await choose(page, 'Set limit');
    const form = page.getByRole('dialog', { name: 'Limits of Grace Hopper' });
    await form.getByLabel('Monthly spending limit').fill(month);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    await rowIn(page).getByText(`of $${month} this month`).waitFor();
  };
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/members');
    await setTo(page, '0.0001');
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    expect(await call()).toMatchObject({
      status: 402,
      limit: 'member_month',
      message: expect.stringMatching(
        /^The monthly spending limit of the member who created this API key leaves 0\.0+ USD/,
      ),
    });

    member.expectRefusal(/^402 POST \/console\/api\/chat\/completions$/);
    await goTo(member.page, '/console/playground');
    await member.page.getByRole('button', { name: QUESTION }).click();
    const problem = member.page.getByRole('alert');
    await problem.getByText(/^Your spending limit in this account/).waitFor();
    await goTo(member.page, '/console');
    const balances = member.page.getByRole('region', { name: 'Balance' });
    await balances.getByText('Your spending limit').waitFor();
    expect([await violationsOf(member.page), await overflowOf(member.page)]).toEqual([[], []]);

    // An administrator can change the limit too, on the account's page.
    const { data } = await (await page.request.get('/admin/v1/accounts?search=default')).json();
    await goTo(page, `/console/admin/accounts/${data[0].id}?tab=people`);
    await setTo(page, '50.00');
    expect(await call()).toMatchObject({ status: 200 });
    expect(member.problems()).toEqual([]);
    await choose(page, 'Remove');
    await page.getByText(/^The spending limit of Grace Hopper continues to apply/).waitFor();
    await page.getByRole('dialog').getByRole('textbox').fill('member-limited@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await rowIn(page).waitFor({ state: 'detached' });
    // The removed person is no longer in any list of members, but the page of their key still shows
    // their spending limit.
    await goTo(page, `/console/keys/${id}`);
    const creator = page.getByRole('row').filter({ hasText: "Creator's spending limit" });
    await creator.getByText('of $50.00 this month').waitFor();
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], []]);
    await creator.getByRole('button', { name: 'Set limit Removed member' }).click();
    const form = page.getByRole('dialog', { name: 'Limits of Removed member' });
    await form.getByLabel('Monthly spending limit').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await creator.waitFor({ state: 'detached' });
  });
}, 180_000);
