/** Tests the playground in both languages, by the steps that people take. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { waitForFocus } from './support/keyboard.ts';
import { ADA, invite, newAccount } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES, type Language } from './support/visit.ts';
import { type Say, wordsOf } from './support/words.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ credit: '20 USD' });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

const EXAMPLE = 'Explain prompt caching in three sentences, with a small table.';

async function isAccessible(page: Page): Promise<void> {
  // Moves the pointer away, because the accessibility check would report a tooltip outside of the
  // page's landmarks.
  await page.mouse.move(0, 0);
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
}

/** Finds the button "Regenerate", which appears only after an answer has ended. */
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
        await page.getByText(say('Cost of this conversation')).first().waitFor();
        await isAccessible(page);
      });
    });

    test('an example is sent at once, and its answer has a table', async () => {
      const guest = await invite(installation, 'member', `playground-${language}`);
      await during(installation.visit({ language, ...guest }), async (page) => {
        await goTo(page, '/console/playground');
        const keyHint = page.getByText(
          say(
            'Your first message creates an API key for the playground. An account owner can limit that key under “API keys”.',
          ),
        );
        await keyHint.waitFor();
        const example = page.getByRole('button', { name: say(EXAMPLE) });
        await example.click();
        await answered(page, say).waitFor();
        await page.getByRole('article').getByRole('table').waitFor();
        await page.getByRole('button', { name: say('Clear chat') }).click();
        await example.waitFor();
        await keyHint.waitFor({ state: 'detached' });
        const undo = await page.getByRole('button', { name: say('Undo') }).boundingBox();
        const send = await page.getByRole('button', { name: say('Send') }).boundingBox();
        expect((undo?.y ?? 0) + (undo?.height ?? 0)).toBeLessThan(send?.y ?? 0);
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
        await parameters.getByText(say('All at model defaults')).waitFor();
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
        await parameters.getByText(say('All at model defaults')).waitFor();
      });
    });

    test('a prompt is kept in the browser, opened and deleted', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground');
        await page.getByRole('button', { name: say('Presets') }).click();
        await page.getByRole('menuitem', { name: say('Translator') }).click();
        const system = page.getByRole('textbox', { name: say('System prompt') });
        const text = await system.inputValue();
        expect(text).not.toBe('');
        await page.getByRole('button', { name: say('Prompts') }).click();
        const library = page.getByRole('dialog', { name: say('Prompts') });
        await library.getByLabel(say('Name')).fill('My translator');
        await library.getByRole('button', { name: say('Save prompt') }).click();
        await library.getByRole('listitem').getByText('My translator').waitFor();
        await isAccessible(page);
        await page.keyboard.press('Escape');
        await system.fill('something else');
        await page.reload();
        await page.getByRole('button', { name: say('Prompts') }).click();
        await library.getByRole('button', { name: say('Open') }).click();
        await library.waitFor({ state: 'hidden' });
        expect(await system.inputValue()).toBe(text);
        await page.getByRole('button', { name: say('Undo') }).click();
        expect(await system.inputValue()).toBe('something else');
        await page.getByRole('button', { name: say('Prompts') }).click();
        await library.getByRole('button', { name: say('Delete {{name}}') }).click();
        await library.getByText(say('No saved prompts')).waitFor();
      });
    });

    test('a shared link shows the prompt after the sign-in and sends nothing', async () => {
      const link = await sharedLink(language, say);
      await during(installation.visitAsStranger({ language }), async (page) => {
        const addresses: string[] = [];
        page.on('request', (request) => {
          addresses.push(`${request.method()} ${request.url()} ${request.headers()['referer']}`);
        });
        await page.goto(link);
        await page.getByRole('heading', { level: 1, name: say('Sign in') }).waitFor();
        await page.getByLabel(say('Email address')).fill(ADA.email);
        await page.getByRole('textbox', { name: say('Password') }).fill(ADA.password);
        await page.getByRole('button', { name: say('Sign in') }).click();
        await page.getByText(say('Shared prompt opened. Nothing was sent.')).waitFor();
        const system = page.getByRole('textbox', { name: say('System prompt') });
        expect(await system.inputValue()).toBe('Be brief.');
        await page.getByRole('article').waitFor();
        expect(page.url()).toMatch(/\/console\/playground$/);
        const [, fragment = ''] = link.split('#');
        expect(addresses.filter((each) => each.includes(fragment.slice(0, 40)))).toEqual([]);
        expect(addresses.filter((each) => each.includes('/completions'))).toEqual([]);
      });
    });

    test('a damaged link says so and changes nothing', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground#prompt=eyJ2ZXJzaW9uIjox');
        await page
          .getByText(say('The prompt in this link is incomplete or damaged. Ask for a new link.'))
          .waitFor();
        await page.getByRole('button', { name: say(EXAMPLE) }).waitFor();
      });
    });

    test('an image stays in the gallery of this browser until it is cleared', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground/images');
        const prompt = page.getByLabel(say('Prompt'));
        await prompt.fill('A lighthouse');
        await prompt.press('Enter');
        const gallery = page.getByRole('region', { name: say('Gallery') });
        const picture = gallery.getByRole('img', { name: say('Image {{number}}: {{prompt}}') });
        const kept = gallery.locator('img[src^="blob:"]');
        await kept.waitFor();
        await page.reload();
        await kept.waitFor();
        await eventually(
          'the kept image is drawn',
          () =>
            picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
          Boolean,
        );
        await gallery
          .getByRole('button', { name: say('Open image {{number}} in full size') })
          .click();
        await page.getByRole('dialog').locator('img').waitFor();
        await isAccessible(page);
        await page.keyboard.press('Escape');
        await gallery.getByRole('button', { name: say('Clear gallery') }).click();
        await gallery.waitFor({ state: 'detached' });
        await page.reload();
        await page.getByText(say('No images yet')).waitFor();
      });
    });

    test('images are shown one after another, by keys, buttons and swipes', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/playground/images');
        await page.getByLabel(say('Prompt')).fill('A lighthouse');
        await page.getByRole('textbox', { name: say('Number of images') }).fill('3');
        await page.getByRole('button', { name: say('Generate') }).click();
        const gallery = page.getByRole('region', { name: say('Gallery') });
        await gallery.locator('img[src^="blob:"]').nth(2).waitFor();
        const second = gallery
          .getByRole('button', { name: say('Open image {{number}} in full size') })
          .nth(1);
        await second.click();
        const dialog = page.getByRole('dialog');
        const at = (number: number) =>
          dialog.getByRole('status').filter({ hasText: new RegExp(`^${number} (?:of|/) 3$`) });
        const next = dialog.getByRole('button', { name: say('Next image') });
        await at(2).waitFor();
        await waitForFocus(next);
        await page.keyboard.press('Enter');
        await at(3).waitFor();
        await waitForFocus(next);
        await page.keyboard.press('ArrowRight');
        await at(1).waitFor();
        await page.keyboard.press('ArrowLeft');
        await at(3).waitFor();
        await dialog.locator('img').evaluate((image) => {
          const swipe = (type: string, clientX: number) => {
            const finger = new Touch({ identifier: 1, target: image, clientX, clientY: 9 });
            const fingers = type === 'touchstart' ? [finger] : [];
            const change = { changedTouches: [finger], touches: fingers, bubbles: true };
            image.dispatchEvent(new TouchEvent(type, change));
          };
          swipe('touchstart', 20);
          swipe('touchend', 120);
        });
        await at(2).waitFor();
        const download = dialog.getByRole('link', { name: say('Download image {{number}}') });
        expect(await download.getAttribute('download')).toMatch(/-2\.\w+$/);
        await isAccessible(page);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await waitForFocus(second);
        await page.getByLabel(say('Prompt')).fill('Something else');
        await second.click();
        await dialog.getByRole('button', { name: say('Reuse settings') }).click();
        expect(await page.getByLabel(say('Prompt')).inputValue()).toBe('A lighthouse');
      });
    });

    test('an answer without text says so', async () => {
      await during(installation.visit({ language }), async (page) => {
        await page.route('**/console/api/chat/completions', (route) =>
          route.fulfill({
            contentType: 'text/event-stream',
            body: [
              { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' }, finish_reason: null }] },
              { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
              '[DONE]',
            ]
              .map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
              .join(''),
          }),
        );
        await goTo(page, '/console/playground');
        await page.getByRole('button', { name: say(EXAMPLE) }).click();
        await page.getByText(say('The model returned no text')).waitFor();
      });
    });

    test('a message without credit offers ways to credit and the refused request', async () => {
      const owner = await newAccount(installation, language);
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

/** Creates a conversation with a system prompt and an answer. Returns the link that shares it. */
async function sharedLink(language: Language, say: Say): Promise<string> {
  await using visit = await installation.visit({ language });
  const { page, context } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await goTo(page, '/console/playground');
  await page.getByRole('textbox', { name: say('System prompt') }).fill('Be brief.');
  await page.getByRole('button', { name: say(EXAMPLE) }).click();
  await answered(page, say).waitFor();
  await page.getByRole('button', { name: say('Share') }).click();
  await page
    .getByText(
      say(
        'Link copied. It contains the model, the settings and the messages, without attachments.',
      ),
    )
    .waitFor();
  return await page.evaluate(() => navigator.clipboard.readText());
}
