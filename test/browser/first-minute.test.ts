/**
 * Tests what a new customer without credit and an administrator see in their first minute, in both
 * languages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { newAccount } from './support/people.ts';
import { goTo, settled } from './support/settled.ts';
import { during, LANGUAGES } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ credit: '20 USD' });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

for (const language of LANGUAGES) {
  describe(`in ${language}`, () => {
    const say = wordsOf(language);

    test('a newcomer is led to credit before a request', async () => {
      const owner = await newAccount(installation, `steps-${language}`);
      await during(installation.visit({ language, ...owner }), async (page) => {
        await goTo(page, '/console');
        const steps = page.getByRole('region', { name: say('Get started') }).getByRole('listitem');
        await steps.first().waitFor();
        expect(await steps.count()).toBe(3);
        await steps.nth(0).getByText(say('Get credit')).waitFor();
        await steps
          .nth(0)
          .getByText(say('No code? Ask the administrator of this gateway for credit.'))
          .waitFor();
        await settled(page);
        expect(await violationsOf(page)).toEqual([]);
        await steps
          .nth(0)
          .getByRole('link', { name: say('Redeem a code') })
          .click();
        await page.getByRole('heading', { level: 1, name: say('Billing') }).waitFor();
      });
    });

    test('an administrator sees what is left, until it is hidden', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console');
        const list = page.getByRole('region', { name: say('Get started') });
        const step = (name: string) =>
          list.getByRole('listitem').filter({ has: page.getByText(say(name)) });
        await step('Replace the example prices')
          .getByRole('link', { name: say('View prices') })
          .waitFor();
        await step('Invite people').getByRole('link').waitFor();
        // The account was credited and a key was created when the gateway first started, so these
        // steps are done and have no link.
        expect(await step('Get credit').getByRole('link').count()).toBe(0);
        expect(await step('Create a key').getByRole('link').count()).toBe(0);
        await settled(page);
        expect(await violationsOf(page)).toEqual([]);
        await list.getByRole('button', { name: say('Hide') }).click();
        await list.waitFor({ state: 'detached' });
        await page.reload();
        await page.getByRole('heading', { level: 1, name: say('Overview') }).waitFor();
        await settled(page);
        expect(await list.count()).toBe(0);
        await page.getByRole('button', { name: say('Show {{count}} remaining steps') }).click();
        await step('Connect a provider').getByRole('link').waitFor();
      });
    });

    test('the quick start creates a key, fills it into the code and sees its request', async () => {
      await during(installation.visit({ language }), async (page) => {
        const { gateway } = installation;
        await goTo(page, '/console/quick-start');
        const step = (title: string) =>
          page.locator('section', { has: page.getByRole('heading', { name: say(title) }) }).last();
        const arrival = step('View your request');
        const name = `quick ${language}`;
        await step('Create or choose a key')
          .getByRole('button', { name: say('Create key') })
          .click();
        const form = page.getByRole('dialog');
        await form.getByRole('textbox', { name: say('Name') }).fill(name);
        await form.getByRole('button', { name: say('Create key') }).click();
        const secret = await page.getByRole('status', { name: say('New key') }).innerText();
        await page.getByRole('button', { name: say('I saved it') }).click();
        await step('Run a first request').getByText(secret).waitFor();
        await arrival
          .getByText(say('Waiting for the first request with the key {{name}}'))
          .waitFor();
        expect(await arrival.getByRole('img', { name: say('Done') }).count()).toBe(0);
        const sent = await fetch(`${gateway.url}/v2/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gen-sonnet-5',
            messages: [{ role: 'user', content: 'Hi' }],
          }),
        });
        expect(sent.status).toBe(200);
        await arrival.getByRole('img', { name: say('Done') }).waitFor();
        await arrival.getByText('gen-sonnet-5').waitFor();
        await settled(page);
        expect(await violationsOf(page)).toEqual([]);
      });
    });

    test('the clients of the quick start fit one line, and libraries choose a language', async () => {
      await during(installation.visit({ language }), async (page) => {
        await page.setViewportSize({ width: 768, height: 1024 });
        await goTo(page, '/console/quick-start');
        const tabs = page.getByRole('tablist', { name: say('Clients') });
        const tops = await tabs
          .getByRole('tab')
          .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
        expect([tops.length, new Set(tops).size]).toEqual([8, 1]);
        await tabs.getByRole('tab', { name: 'OpenAI', exact: true }).click();
        await page.getByText('pip install openai').waitFor();
        await page.getByText('TypeScript', { exact: true }).click();
        await page.getByText('npm install openai').waitFor();
        await tabs.getByRole('tab', { name: 'Anthropic', exact: true }).click();
        await page.getByText('npm install @anthropic-ai/sdk').waitFor();
      });
    });

    test('the quick start runs its request and shows the bill', async () => {
      await during(installation.visit({ language }), async (page) => {
        await goTo(page, '/console/quick-start');
        await page.getByRole('button', { name: say('Run it here') }).click();
        const bill = page.getByRole('region', { name: say('Receipt of this request') });
        await bill
          .getByText(say('Recalculated in your browser. Matches the ledger exactly.'))
          .waitFor();
        await settled(page);
        expect(await violationsOf(page)).toEqual([]);
      });
    });
  });
}
