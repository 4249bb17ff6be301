/**
 * Tests that keys can be created with only the keyboard, in both languages, and that each secret is
 * shown only once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { pressOn, typeInto } from './support/keyboard.ts';
import { invite, send } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

const MARKUP = '<img src=x onerror="window.smuggled = true">';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ hasText: name });

const namesOfKeys = async (page: Page): Promise<readonly string[]> => {
  const response = await page.context().request.get('/console/api/keys?limit=100');
  const { data } = await response.json();
  return data.map(({ name }: { readonly name: string }) => name);
};

/** Calls a model with the secret, as a program would. Returns the status. */
const statusWith = async (secret: string): Promise<number> => {
  const { status } = await fetch(`${installation.gateway.url}/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gen-sonnet-5',
      stream: false,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  return status;
};

for (const language of LANGUAGES) {
  describe(`in ${language}`, () => {
    const say = wordsOf(language);
    const name = `laptop ${language}`;

    test('a key is created by keyboard, shown once, and works', async () => {
      await during(installation.visit({ language, scheme: 'dark' }), async (page) => {
        await goTo(page, '/console/keys');
        await pressOn(page, page.getByRole('button', { name: say('Create key') }).first());
        const form = page.getByRole('dialog', { name: say('Create API key') });
        await typeInto(page, form.getByRole('textbox', { name: say('Name') }), name);
        await typeInto(page, form.getByLabel(say('Monthly spending limit')), '12.50');
        expect(await violationsOf(page)).toEqual([]);
        await pressOn(page, form.getByRole('button', { name: say('Create key') }));

        const shown = page.getByRole('dialog', { name: say('Save your key') });
        const secret = (await shown.getByLabel(say('New key')).innerText()).trim();
        expect(secret).toMatch(/^sk-mg-[0-9A-Za-z]{46}$/);
        expect(await violationsOf(page)).toEqual([]);
        // The Escape key must not close the dialog with the secret.
        await page.keyboard.press('Escape');
        await pressOn(page, shown.getByRole('button', { name: say('I saved it') }));
        await shown.waitFor({ state: 'hidden' });
        expect(await page.locator('body').innerText()).not.toContain(secret);
        await rowOf(page, name).waitFor();
        expect(await statusWith(secret)).toBe(200);
      });
    });
  });
}

test('pressing a button twice creates one key', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys?new=true');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('pressed twice');
    await form.getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
    expect((await namesOfKeys(page)).filter((name) => name === 'pressed twice')).toHaveLength(1);
  });
});

test('a key whose answer was lost is shown by a repeat, and is not created with other values', async () => {
  await using visit = await installation.visit();
  const { page } = visit;
  const lost = '**/console/api/keys';
  const loseAnswer = async (): Promise<void> => {
    await page.route(lost, async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' });
      await page.unroute(lost);
    });
  };
  const form = page.getByRole('dialog', { name: 'Create API key' });
  const create = async (name: string): Promise<void> => {
    await form.getByLabel('Name').fill(name);
    await form.getByRole('button', { name: 'Create key' }).click();
  };
  await goTo(page, '/console/keys?new=true');
  await form.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'In 1 day' }).click();
  await loseAnswer();
  await create('answered late');
  await form.getByText(/^Cannot reach the gateway\./).waitFor();
  await create('answered late');
  await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
  await goTo(page, '/console/keys?new=true');
  await loseAnswer();
  await create('not answered');
  await form.getByText(/^Cannot reach the gateway\./).waitFor();
  await create('another name');
  await form.getByText(/^An earlier attempt may have succeeded/).waitFor();
  const names = (await namesOfKeys(page)).filter((name) => /answered|another/.test(name));
  expect(names).toEqual(['answered late', 'not answered']);
});

test('invalid values are reported at their fields', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys?new=true');
    const form = page.getByRole('dialog');
    await form.getByLabel('Monthly spending limit').fill('1.0000000001');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByText('Enter an amount such as 5 or 0.50', { exact: false }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

/**
 * Creates a key and waits until it has expired. On a busy machine, the time may pass before the key
 * is created, so that the gateway refuses it. Then a later time is tried.
 */
async function createExpiredKey(context: BrowserContext): Promise<void> {
  for (let aheadMs = 1_000; ; aheadMs *= 2) {
    const endsMs = Date.now() + aheadMs;
    const data = { name: 'expired', expires_at: new Date(endsMs).toISOString() };
    const response = await context.request.post('/console/api/keys', { data });
    const isTooLate = response.status() === 400 && Date.now() >= endsMs;
    if (!response.ok() && !isTooLate) throw new Error(await response.text());
    await Bun.sleep(Math.max(0, endsMs - Date.now()));
    if (response.ok()) return;
  }
}

test('a key gets its scopes, and the removal of its creator names and disables it', async () => {
  const guest = await invite(installation, 'member', 'leaving');
  await during(installation.visitAsStranger(guest), async (page) => {
    await goTo(page, '/console/keys?new=true');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('scoped');
    await form.getByRole('button', { name: 'Advanced limits' }).click();
    expect(await form.getByLabel('Manage API keys').isDisabled()).toBe(true);
    for (const name of ['Send requests', 'Read usage', 'Top up']) {
      await form.getByLabel(name).uncheck();
    }
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose at least one scope.').waitFor();
    await form.getByLabel('Read usage').check();
    expect(await violationsOf(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Save your key' });
    const secret = (await shown.getByLabel('New key').innerText()).trim();
    expect(await statusWith(secret)).toBe(403);
    await page.getByRole('button', { name: 'I saved it' }).click();
    await page.getByRole('link', { name: 'scoped' }).click();
    await page.getByRole('row', { name: 'Scopes Read usage' }).waitFor();
    // A member cannot change the key that their own playground uses, so this key's row has no menu.
    const asked = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Hi' }] };
    await send(page.context(), '/console/api/chat/completions', asked);
    await goTo(page, '/console/keys');
    await rowOf(page, 'scoped')
      .getByRole('button', { name: /^Actions/ })
      .waitFor();
    const playground = rowOf(page, 'Playground · Grace Hopper');
    await playground.getByText('Used by the playground').waitFor();
    expect(await playground.getByRole('button', { name: /^Actions/ }).count()).toBe(0);
    await createExpiredKey(page.context());
  });
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/members');
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of their API keys is active: scoped').waitFor();
    await dialog.getByLabel('Disable these keys').check();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('textbox').fill('member-leaving@example.com');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await goTo(page, '/console/keys');
    await rowOf(page, 'scoped').getByText('Disabled').waitFor();
    expect(await rowOf(page, 'Playground · Grace Hopper').count()).toBe(0);
  });
});

test('markup in a name is displayed as text everywhere', async () => {
  await during(installation.visit(), async (page) => {
    await goTo(page, '/console/keys?new=true');
    await page.getByRole('dialog').getByLabel('Name').fill(MARKUP);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I saved it' }).click();
    await page.getByRole('link', { name: MARKUP }).click();
    await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor();
    await settled(page);
    for (const path of ['/console/usage?by=key', '/console/requests', '/console']) {
      await goTo(page, path);
    }
    expect(await page.evaluate(() => 'smuggled' in window)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });
});
