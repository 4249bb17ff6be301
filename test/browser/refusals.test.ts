/** Tests that error messages are in the person's language and state how to fix the problem. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { ADA, GUEST, invite } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 200, days: 3, seed: 5 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

async function isReadable(page: Page): Promise<void> {
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
}

for (const language of LANGUAGES) {
  describe(`in ${language}`, () => {
    const say = wordsOf(language);

    test('a wrong password', async () => {
      await during(installation.visitAsStranger({ language }), async (page, visit) => {
        visit.expectRefusal(/^401 POST \/console\/api\/sign-in$/);
        await goTo(page, '/console/sign-in');
        await page.getByLabel(say('Email address')).fill(ADA.email);
        await page.getByRole('textbox', { name: say('Password') }).fill('seven big engines');
        await page.getByRole('button', { name: say('Sign in') }).click();
        await page.getByText(say('Incorrect email or password.')).waitFor();
        await isReadable(page);
      });
    });

    test('a page of a proxy instead of an answer', async () => {
      await during(installation.visitAsStranger({ language }), async (page, visit) => {
        visit.expectRefusal(/^413 POST \/console\/api\/sign-in$/);
        await goTo(page, '/console/sign-in');
        await page.route('**/console/api/sign-in', (route) =>
          route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' }),
        );
        await page.getByLabel(say('Email address')).fill(ADA.email);
        await page.getByRole('textbox', { name: say('Password') }).fill(ADA.password);
        await page.getByRole('button', { name: say('Sign in') }).click();
        await page
          .getByText(
            say(
              'A proxy in front of the gateway refused this request (status {{status}}). Ask the operator for help.',
            ),
          )
          .waitFor();
        await page.unroute('**/console/api/sign-in');
      });
    });

    test('a used or invented link', async () => {
      await during(installation.visitAsStranger({ language }), async (page, visit) => {
        visit.expectRefusal(/^4\d\d POST \/console\/api\/link$/);
        for (const path of ['/console/invitation', '/console/password-reset']) {
          await goTo(page, `${path}#token=${'a'.repeat(43)}`);
          await page.getByText(say('This link is no longer valid')).waitFor();
          await isReadable(page);
        }
      });
    });

    test('a session ended elsewhere leads to the sign-in and back', async () => {
      const guest = await invite(installation, 'member', language);
      await during(installation.visit({ language, ...guest }), async (page, visit) => {
        visit.expectRefusal(/^401 /);
        await goTo(page, '/console/keys');
        await page.context().request.post('/console/api/sign-out', { data: {} });
        await page.getByRole('link', { name: say('Billing') }).click();
        await page.getByRole('heading', { level: 1, name: say('Sign in') }).waitFor();
        await page
          .getByText(say('Your session has ended. Sign in to return to where you were.'))
          .waitFor();
        expect(page.url()).toContain('next=');
        await isReadable(page);
      });
    });

    test('a session ended elsewhere is followed when it begins again in another tab', async () => {
      const guest = await invite(installation, 'member', `${language}-tabs`);
      await during(installation.visit({ language, ...guest }), async (page, visit) => {
        visit.expectRefusal(/^401 /);
        const second = await visit.context.newPage();
        await goTo(page, '/console/keys');
        await goTo(second, '/console/billing');
        await page.getByRole('button', { name: say('Create key') }).click();
        const dialog = page.getByRole('dialog', { name: say('Create API key') });
        await dialog.getByRole('textbox', { name: say('Name') }).fill('laptop of Lin');
        await visit.context.clearCookies();
        await second.getByRole('link', { name: say('Usage') }).click();
        await second.getByRole('heading', { level: 1, name: say('Sign in') }).waitFor();
        await dialog.getByRole('button', { name: say('Create key') }).click();
        const again = page.getByRole('dialog', { name: say('Your session has ended') });
        await again.getByRole('textbox', { name: say('Password') }).fill(GUEST.password);
        await again.getByRole('button', { name: say('Sign in') }).click();
        await again.waitFor({ state: 'detached' });
        await second.getByRole('heading', { level: 1, name: say('Usage') }).waitFor();
      });
    });

    test('a page that needs another role', async () => {
      const guest = await invite(installation, 'read_only', language);
      await during(installation.visit({ language, ...guest }), async (page) => {
        for (const path of ['/console/admin/accounts', '/console/members', '/console/playground']) {
          await goTo(page, path);
          await page.getByRole('heading', { name: say('No access to this page') }).waitFor();
          expect(await page.getByText('Ada Lovelace').count()).toBe(0);
        }
        const accounts = await page.context().request.get('/admin/v1/accounts');
        expect(accounts.status()).toBe(403);
        await goTo(page, '/console/keys');
        expect(await page.getByRole('button', { name: say('Create key') }).count()).toBe(0);
        await isReadable(page);
      });
    });

    test('a mistyped code', async () => {
      await during(installation.visit({ language }), async (page, visit) => {
        visit.expectRefusal(/^4\d\d POST \/console\/api\/redeem$/);
        await goTo(page, '/console/billing');
        await page.getByRole('textbox', { name: say('Code') }).fill('MG-AAAAA-BBBBB');
        await page.getByRole('button', { name: say('Redeem') }).click();
        await page
          .getByText(
            say(
              'This is not a valid redeem code. A code looks like MG-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX. Copy the whole code.',
            ),
          )
          .waitFor();
        await isReadable(page);
      });
    });

    test('a field that only the API finds wrong', async () => {
      await during(installation.visit({ language }), async (page, visit) => {
        visit.expectRefusal(/^400 POST \/console\/api\/keys$/);
        const message = 'name must be text of 1 to 64 characters.';
        const error = { code: 'invalid_value', message, param: 'name' };
        const refusal = { status: 400, json: { error } };
        await page.route('**/console/api/keys', async (route) =>
          route.request().method() === 'POST'
            ? await route.fulfill(refusal)
            : await route.continue(),
        );
        await goTo(page, '/console/keys?new=true');
        const form = page.getByRole('dialog', { name: say('Create API key') });
        const name = form.getByRole('textbox', { name: say('Name') });
        await name.fill('Office');
        await form.getByRole('button', { name: say('Create key') }).click();
        await form.getByText(say('Enter {{a}} to {{b}} characters.')).waitFor();
        expect(await name.getAttribute('aria-invalid')).toBe('true');
        expect(await name.inputValue()).toBe('Office');
        await isReadable(page);
      });
    });

    test('a limit below the current spend', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/keys');
        await page.getByRole('link', { name: 'Production' }).click();
        await page.getByRole('button', { name: say('Edit limits') }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: say('Advanced limits') }).click();
        // A limit of a period would not be exceeded in the first minutes of a month.
        await dialog.getByLabel(say('Total spending limit')).fill('0.000000001');
        await page
          .getByText(
            say(
              '{{spent}} has already been spent {{window}}. If you save this limit, requests are refused immediately.',
            ),
          )
          .waitFor();
      });
    });

    test('an unknown page and a missing record', async () => {
      await during(installation.visit({ language }), async (page, visit) => {
        visit.expectRefusal(/^404 GET \/console\/api\/(?:keys|requests)\//);
        for (const path of ['/console/nowhere', '/console/keys/key_none']) {
          await goTo(page, path);
          await isReadable(page);
        }
      });
    });
  });
}

test('one retry shows a page that could not be loaded', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.forget((problem) => /net::ERR_|preload|cannot be reached/.test(problem));
    await page.route('**/console/api/**', (route) => route.abort('connectionreset'));
    await page.goto('/console/keys');
    await page.getByText('This page could not be shown').waitFor();
    await page.unroute('**/console/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  });
});

test.each([
  ['the sign-in page of a proxy', 200, '<html>'],
  ['an error page of a proxy', 502, '<html>'],
  ['half of an answer', 200, '{"data": ['],
])('%s is explained', async (_, status, body) => {
  await during(installation.visit({ language: 'zh' }), async (page, visit) => {
    visit.expectRefusal(/^502 GET /);
    await page.route('**/console/api/keys?**', (route) => route.fulfill({ status, body }));
    await goTo(page, '/console/keys');
    await page.getByRole('main').getByText('无法连接网关。请检查网络后重试').first().waitFor();
  });
});

test('an unreachable gateway', async () => {
  await during(installation.visit(), async (page, visit) => {
    visit.forget((problem) => /net::ERR_|preload|cannot be reached/.test(problem));
    await goTo(page, '/console/keys?new=true');
    await installation.gateway.stop();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Cannot reach the gateway/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    // While the gateway is unreachable, the browser cannot load the code of a page that was never
    // opened.
    await page.getByRole('link', { name: 'Billing' }).click();
    await page
      .getByRole('main')
      .getByText(/Cannot reach the gateway/)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
