/**
 * Tests invalid URLs, a lost network, a slow gateway and an upgrade: the console keeps loaded data
 * and typed text, and explains the problem.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { ADA, invite, send } from './support/people.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 300, days: 5, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const hasFocusWithin = (element: Element): boolean => element.contains(document.activeElement);

const banner = (page: Page) => page.getByRole('region', { name: 'Connection' });

/** URLs that contain typing errors, are from an older version, or were made up. */
const BAD_ADDRESSES = [
  '/console/usage?range=zzz',
  '/console/usage?range=custom',
  '/console/usage?from=abc&to=2026-02-30',
  '/console/usage?from=0000-01-01&to=9999-12-31',
  '/console/requests?range=zzz&min_cost=a&status=what&outcome=none',
  '/console/requests?from=2026-11-21&to=2026-11-01',
  '/console/models?max=abc&sort=constructor&view=__proto__',
  '/console/models/compare?ids=,,,&ids=x',
  '/console/models/%E0%A4%A',
  '/console/keys?state=toString',
  '/console/billing?tab=constructor',
  '/console/billing?tab=ledger&kind=gift&from=2026-13-01',
  '/console/quick-start?model=nothing&channel=none&stream=1',
  '/console/playground?model=nothing',
  '/console/admin/people?tab=__proto__',
  '/console/admin/audit?from=yesterday&to=%F0%9F%98%80',
  '/console/admin/routes?tab=none&trouble=yes',
  '/console/admin/cards?tab=1&channel=nothing',
];

test('a wrong address shows the page without its wrong parts', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^404 GET \/console\/models\//);
    for (const address of BAD_ADDRESSES) {
      await goTo(page, address);
      expect([address, await page.locator('h1').allInnerTexts()]).toEqual([
        address,
        expect.not.arrayContaining(['This page could not be shown']),
      ]);
      expect([address, await page.getByRole('alert').allInnerTexts()]).toEqual([address, []]);
    }
  });
});

test('a document that does not exist has a page with its title and a way back', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^404 GET \/console\/api\/top-ups\/nothing$/);
    for (const [address, title] of [
      ['statements/2020-01/USD', 'Statement'],
      ['top-ups/nothing', 'Receipt'],
    ] as const) {
      await goTo(page, `/console/billing/${address}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.title()).toStartWith(`${title} · `);
      await page.getByRole('link', { name: 'Back to billing' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
  });
});

describe('without a network', () => {
  test('what was loaded stays, and the rest follows once the network is back', async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.forget((problem) => /net::ERR_|preload/.test(problem));
      await goTo(page, '/console/usage');
      await navigateTo(page, '/console/billing?tab=ledger');
      await navigateTo(page, '/console/keys');
      await page.getByRole('link', { name: 'Production' }).waitFor();
      await page.context().setOffline(true);
      await banner(page).getByText('Cannot reach the gateway').waitFor();
      await page.getByRole('link', { name: 'Production' }).waitFor();
      // A page whose data was never loaded must show an error instead of loading forever.
      await page.getByRole('link', { name: 'Billing' }).click();
      await page.getByRole('alert').getByText('Cannot reach the gateway').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.context().setOffline(false);
      await page.getByText('USD wallet').first().waitFor();
      await banner(page).getByText('Cannot reach').waitFor({ state: 'detached' });
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
    });
  });
});

test('a list that cannot be read shows the error alone', async () => {
  await during(installation.visit(), async (page, { expectRefusal }) => {
    expectRefusal(/^400 GET \/admin\/v1\/channels$/);
    await page.route('**/admin/v1/channels', (route) => route.fulfill({ status: 400, body: '{}' }));
    await goTo(page, '/console/admin/cards');
    const card = page.getByRole('tabpanel').locator('section').first();
    await card.getByRole('alert').waitFor();
    expect(await card.getByRole('table').count()).toBe(0);
    expect(await card.locator('.mantine-Skeleton-root').count()).toBe(0);
  });
});

test('a model page whose catalog cannot be read has its title and the error', async () => {
  await during(installation.visit(), async (page, { expectRefusal }) => {
    expectRefusal(/^400 GET \/console\/api\/models$/);
    await page.route('**/console/api/models', (route) =>
      route.fulfill({ status: 400, body: '{}' }),
    );
    await page.goto('/console/models/gen-sonnet-5');
    await page.getByRole('alert').waitFor();
    await page.getByRole('heading', { level: 1, name: 'gen-sonnet-5' }).waitFor();
    expect(await page.title()).toStartWith('gen-sonnet-5 · ');
  });
});

test('a slow answer leaves its space empty, then shows a placeholder of its shape', async () => {
  await during(installation.visit(), async (page) => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/console/api/statements', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto('/console/billing?tab=statements');
    const placeholder = page.getByRole('tabpanel').locator('.mantine-Skeleton-root').first();
    await placeholder.waitFor();
    const { delay, name } = await placeholder.evaluate((element) => {
      const { animationDelay, animationName } = getComputedStyle(element);
      return { delay: animationDelay, name: animationName };
    });
    expect([delay, name]).toEqual(['0.15s', 'skeleton-appears']);
    gate.resolve();
    await settled(page);
    await page.getByRole('table').first().waitFor();
  });
});

describe('after an upgrade of the gateway', () => {
  /** Makes the gateway serve a console with other file names, as after an upgrade. */
  const upgrade = async (page: Page): Promise<void> => {
    await page.route('**/console/', async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replaceAll(/\/assets\/[\w-]+\.js/g, '/assets/new.js');
      await route.fulfill({ response, body: html });
    });
    await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
  };

  test('a page whose file is gone says so, and one press loads the new one', async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.expectRefusal(/^404 GET \/console\/assets\//);
      visit.forget((problem) =>
        /console was upgraded|dynamically imported module|preload|MIME type/.test(problem),
      );
      await goTo(page, '/console/keys');
      await upgrade(page);
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('alert').getByText('The gateway was upgraded').waitFor();
      await banner(page).getByText('The gateway was upgraded').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.unrouteAll();
      await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    });
  });
});

describe('a half-filled form', () => {
  const open = async (page: Page) => {
    await goTo(page, '/console/keys?new=true');
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('laptop of Lin');
    const question = page.getByRole('dialog', { name: 'Discard changes?' });
    return { dialog, name: dialog.getByRole('textbox', { name: 'Name' }), question };
  };

  test('is not closed by a click outside, Escape or the close button without a question', async () => {
    await during(installation.visit(), async (page) => {
      const { dialog, name, question } = await open(page);
      const ways = [
        () => page.mouse.click(5, 450),
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: 'Close' }).click(),
      ];
      for (const close of ways) {
        await close();
        await question.waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await question.getByRole('button', { name: 'Keep editing' }).click();
        await question.waitFor({ state: 'detached' });
        expect(await name.inputValue()).toBe('laptop of Lin');
        await eventually(
          'focus returns to the dialog',
          () => dialog.evaluate(hasFocusWithin),
          Boolean,
        );
      }
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Billing' }).click();
      await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    });
  });

  test('on a page is not left or reloaded without a question', async () => {
    await during(installation.visit(), async (page) => {
      await goTo(page, '/console/billing');
      const code = page.getByRole('textbox', { name: 'Code' });
      await code.fill('MG-AAAAA');
      const question = page.getByRole('dialog', { name: 'Discard changes?' });
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await page.getByRole('tab', { name: 'Ledger' }).click();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await code.inputValue()).toBe('MG-AAAAA');
      const asked = page.waitForEvent('dialog');
      // The test refuses to leave the page. `page.reload` would then wait until its time limit.
      const reload = page.evaluate(() => location.reload());
      await (await asked).dismiss();
      await reload;
      expect(await code.inputValue()).toBe('MG-AAAAA');
      await code.fill('');
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    });
  });

  test('stays when the session ends: the person signs in on the page, and goes on', async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.expectRefusal(/^401 /);
      const { dialog, name } = await open(page);
      await page.context().clearCookies();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.getByText(`Sign in as ${ADA.email} to continue.`).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await again.getByRole('textbox', { name: 'Password' }).fill('seven big engines');
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.getByText('Incorrect email or password.').waitFor();
      await again.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('laptop of Lin');
      expect(await dialog.getByRole('alert').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('sk-mg-').first().waitFor();
    });
  });
});

test('a tab shows nothing of one person to another who signs in in a second tab', async () => {
  const guest = await invite(installation, 'member', 'tabs');
  await during(installation.visit(guest), async (page, visit) => {
    visit.expectRefusal(/^401 /);
    await goTo(page, '/console/profile');
    const email = page.locator('[value="member-tabs@example.com"]').first();
    await email.waitFor({ state: 'attached' });
    const second = await page.context().newPage();
    await send(visit.context, '/console/api/sign-out', {});
    await goTo(second, '/console/sign-in');
    await second.getByLabel('Email address').fill(ADA.email);
    await second.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await email.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Accounts' }).waitFor();
  });
});

describe('a filter', () => {
  test('with a typo says what to enter, and the list stays', async () => {
    await during(installation.visit(), async (page) => {
      await goTo(page, '/console/requests');
      const rows = await page.getByRole('row').count();
      const cost = page.getByRole('textbox', { name: 'Minimum cost' });
      await cost.fill('1,5');
      await cost.press('Enter');
      await page.getByText('Enter an amount such as 0.01').waitFor();
      expect(await page.getByRole('row').count()).toBe(rows);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  test('finds people by a part of the address, and names them in the audit log', async () => {
    const guest = await invite(installation, 'read_only', 'found');
    expect(guest.signedInAs.cookies.length).toBeGreaterThan(0);
    await during(installation.visit(), async (page) => {
      await goTo(page, '/console/admin/people');
      const email = page.getByRole('textbox', { name: 'Email contains' });
      await email.fill('ONLY-fou');
      await email.press('Enter');
      await page.getByText('read_only-found@example.com').first().waitFor();
      await page.getByText(ADA.email).first().waitFor({ state: 'detached' });
      await goTo(page, '/console/admin/audit');
      await page.getByRole('combobox', { name: 'Actor' }).fill('ada@');
      await page.getByRole('option', { name: ADA.email }).click();
      await page.waitForURL(/actor=/);
      await page.getByRole('combobox', { name: 'Action' }).click();
      await page.getByRole('option', { name: 'Invitation created' }).click();
      await page.waitForURL(/action=invitation/);
      await page.getByRole('table').getByText('Invitation created').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  });
});

test('a conflict shows what the API says, and a key says what it is for', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^409 POST /);
    const asked = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Hi' }] };
    await send(visit.context, '/console/api/chat/completions', asked);
    await goTo(page, '/console/keys');
    await page.getByText('Used by the playground').waitFor();
    const message = 'The account has reached its limit of 1000 API keys.';
    await page.route('**/console/api/keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 409,
            headers: { 'x-request-id': 'req_conflict' },
            json: { error: { type: 'x', code: 'conflict', message, param: null } },
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('one too many');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText(message).waitFor();
    await dialog.getByRole('alert').getByText('req_conflict').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('one too many');
  });
});

test('a payment page that cannot be opened is not the fault of a model', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.expectRefusal(/^502 POST \/console\/api\/top-ups$/);
    const limits = { min: '5', max: '1000' };
    await page.route('**/console/api/top-ups*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 502,
            headers: { 'x-request-id': 'req_payment' },
            json: {
              error: { type: 'x', code: 'payment_provider_failed', message: 'x', param: null },
            },
          })
        : route.fulfill({
            json: {
              ...{ data: [], bonuses: { USD: [{ from: '100', percent: '7.5' }], CNY: [] } },
              card_limits: { USD: limits, CNY: limits },
            },
          }),
    );
    await goTo(page, '/console/billing');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('The payment page could not be opened. You were not charged.').waitFor();
    await page.getByText('req_payment').waitFor();
    const amount = page.getByRole('textbox', { name: 'Amount' });
    expect(await amount.inputValue()).toBe('10');
    // The bonus is shown before the person pays.
    await page.getByText('Bonus: 7.5% on $100.00 or more').waitFor();
    await amount.fill('499.99');
    await page.getByText('You pay $499.99 and get $537.48925.').waitFor();
  });
});
