/** A person joins a second account with the sign-in that they have, and changes between the two. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
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
    await page.getByRole('link', { name: 'I can sign in already' }).click();
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
    // The other tab showed the first account. It follows by itself.
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
  });
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/admin/people');
    const row = page.getByRole('row').filter({ hasText: EMAIL });
    await row.getByText('and 1 other').waitFor();
  });
}, 60_000);
