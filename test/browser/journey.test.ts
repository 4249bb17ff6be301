/**
 * From the first start to a bill that adds up, as a person goes through it: once in English, in light and by
 * mouse, and once in Chinese, in dark and by keyboard alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { GatewayProcess } from '../gateway-process.ts';
import { violationsOf } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { startConsoleGateway } from './console-gateway.ts';
import { type Hand, keyboardOf, mouse } from './hand.ts';
import { OPENING_MS } from './installation.ts';
import { ADA, setupLinkOf } from './people.ts';
import { settled } from './settled.ts';
import { type Language, openVisit, type Scheme, type Visit } from './visit.ts';
import { type Say, wordsOf } from './words.ts';

type Traveller = {
  readonly language: Language;
  readonly scheme: Scheme;
  readonly by: 'mouse' | 'keyboard';
};
const TRAVELLERS: readonly Traveller[] = [
  { language: 'en', scheme: 'light', by: 'mouse' },
  { language: 'zh', scheme: 'dark', by: 'keyboard' },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, OPENING_MS);
afterAll(() => browser.close());

for (const { language, scheme, by } of TRAVELLERS) {
  describe(`in ${language}, ${scheme}, by ${by}`, () => {
    const say: Say = wordsOf(language);
    let gateway: GatewayProcess;
    let visit: Visit;
    let page: Page;
    let hand: Hand;

    beforeAll(async () => {
      gateway = await startConsoleGateway({ credit: '20 USD' });
      visit = await openVisit(browser, gateway.url, { language, scheme });
      page = visit.page;
      hand = by === 'mouse' ? mouse : keyboardOf(page);
    }, OPENING_MS);
    afterAll(async () => {
      await visit[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
    });

    /** What everybody should be able to read, and nothing went wrong unseen. */
    async function isGood(): Promise<void> {
      await settled(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(visit.problems()).toEqual([]);
    }

    test('the link of the log leads to an administrator', async () => {
      await page.goto(setupLinkOf(gateway));
      await hand.write(page.getByLabel(say('Your name')), ADA.name);
      await hand.write(page.getByLabel(say('E-mail address')), ADA.email);
      await hand.write(page.getByRole('textbox', { name: say('Password') }), ADA.password);
      await isGood();
      await hand.press(page.getByRole('button', { name: say('Create the administrator') }));
      await page.getByRole('heading', { name: say('What you sell') }).waitFor();
      // The token is not left in the address, where the next person at this machine would find it.
      expect(page.url()).not.toContain('token');
      await isGood();
      await hand.press(page.getByRole('link', { name: say('Continue') }));
    });

    test('the first key is tried at once', async () => {
      await hand.press(page.getByRole('button', { name: say('Make the key') }));
      await hand.press(page.getByRole('button', { name: say('Send a first request') }));
      await page.getByText(say('Your gateway works.')).waitFor();
      await isGood();
      await hand.press(page.getByRole('link', { name: say('To the console') }));
      await page.getByRole('heading', { level: 1, name: say('Overview') }).waitFor();
      await isGood();
    });
  });
}
