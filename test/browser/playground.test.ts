/** The playground as people use it, in both languages. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { send } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { type Say, wordsOf } from './support/words.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ credit: '20 USD' });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const EXAMPLE = 'Explain prompt caching in three sentences, with a small table.';

async function isAccessible(page: Page): Promise<void> {
  // A tooltip under the pointer is outside the landmarks.
  await page.mouse.move(0, 0);
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
}

/** Waits until an answer has ended. */
const answered = (page: Page, say: Say) =>
  page.getByRole('button', { name: say('Regenerate') }).first();

for (const language of LANGUAGES) {
  describe(`in ${language}`, () => {
    const say = wordsOf(language);

    test('Shift+Enter breaks the line, and Enter sends', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground');
        const field = page.getByRole('textbox', { name: say('Message') });
        await field.fill('Say hello.');
        await field.press('Shift+Enter');
        expect(await field.inputValue()).toBe('Say hello.\n');
        await field.press('Enter');
        await answered(page, say).waitFor();
        expect(await field.inputValue()).toBe('');
        await page.getByText(say('This conversation')).first().waitFor();
        await isAccessible(page);
      });
    });

    test('an example is sent at once, and its answer has a table', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground');
        await page.getByRole('button', { name: say(EXAMPLE) }).click();
        await answered(page, say).waitFor();
        await page.getByRole('article').getByRole('table').waitFor();
      });
    });

    test('comparing starts with another model and says that each column is billed', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground');
        await page.getByRole('button', { name: say('Compare') }).click();
        const models = page.getByRole('combobox', { name: say('Model') });
        const [first, second] = [models.nth(0), models.nth(1)];
        await second.waitFor();
        expect(await second.inputValue()).not.toBe(await first.inputValue());
        await page.getByText(say('Sent to {{count}} columns, each billed separately')).waitFor();
        await isAccessible(page);
      });
    });

    test('the settings show what was changed, and more when opened', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground');
        const parameters = page.getByRole('region', { name: say('Parameters') });
        await parameters.getByText(say('All at the defaults of the model')).waitFor();
        const field = parameters.getByLabel(say('Seed'));
        expect(await field.count()).toBe(0);
        await parameters.getByRole('button', { name: say('Edit') }).click();
        await field.fill('7');
        await parameters.getByRole('button', { name: say('Hide') }).click();
        await field.waitFor({ state: 'detached' });
        const changed = parameters.getByRole('listitem');
        expect(await changed.innerText()).toContain('7');
        await isAccessible(page);
        await changed.getByRole('button', { name: say('Reset {{name}}') }).click();
        await parameters.getByText(say('All at the defaults of the model')).waitFor();
      });
    });

    test('a message without credit offers ways to credit and the refused request', async () => {
      const owner = await newAccount(language);
      await during(installation.visit({ language, ...owner }), async (page, visit) => {
        visit.expectRefusal(/^402 POST \/console\/api\/chat\/completions$/);
        await goTo(page, '/console/playground');
        await page.getByRole('button', { name: say(EXAMPLE) }).click();
        const problem = page.getByRole('alert');
        await problem.getByText(say('Insufficient balance. Top up first.')).waitFor();
        const find = problem.getByRole('link', { name: say('Find in requests') });
        expect(await find.getAttribute('href')).toMatch(/requests\?id=req_/);
        await isAccessible(page);
        await problem.getByRole('link', { name: say('Redeem a code') }).click();
        await page.getByRole('heading', { level: 1, name: say('Billing') }).waitFor();
      });
    });
  });
}

/** A session of the owner of a new account, which has no credit. */
async function newAccount(tag: string) {
  await using host = await installation.visit();
  const context = host.context;
  const invitation = Object(
    await send(context, '/admin/v1/invitations', { role: 'owner', account_name: `Poor ${tag}` }),
  );
  const token = new URLSearchParams(new URL(String(invitation.url)).hash.slice(1)).get('token');
  await using guest = await installation.visitAsStranger();
  const person = { name: 'Grace Hopper', password: 'nine dry moths in a relay' };
  const email = `poor-${tag}@example.com`;
  await send(guest.context, '/console/api/sign-up', { ...person, email, token });
  return { signedInAs: await guest.context.storageState() };
}
