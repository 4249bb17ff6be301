/**
 * Tests all steps from the first start to a correct bill: once in English with light theme and
 * mouse, once in Chinese with dark theme and only the keyboard.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { violationsOf } from './support/accessibility.ts';
import { billIn, nanoOf, picoOf } from './support/bill.ts';
import { sharedChromium } from './support/chromium.ts';
import { startConsoleGateway } from './support/console-gateway.ts';
import { type Hand, keyboardOf, mouse } from './support/hand.ts';
import { OPENING_MS } from './support/installation.ts';
import { ADA, setupLinkOf } from './support/people.ts';
import { settled } from './support/settled.ts';
import {
  closeWindows,
  type Language,
  openVisit,
  type Scheme,
  type Visit,
} from './support/visit.ts';
import { type Say, wordsOf } from './support/words.ts';

/**
 * Calls the API with the administrator's token, so that a test can compare the answer with the
 * page.
 */
async function asAdmin({ url, adminToken }: GatewayProcess, path: string) {
  const headers = { authorization: `Bearer ${adminToken}` };
  return await (await fetch(`${url}/admin/v1${path}`, { headers })).json();
}

const ACCOUNT = 'Northwind Robotics';

/** Returns the available USD of the first account, in nano-units. */
async function availableUsd(gateway: GatewayProcess): Promise<bigint> {
  const { data } = await asAdmin(gateway, '/accounts');
  const { wallets } = data[0];
  const [usd] = wallets.filter(({ currency }: { readonly currency: string }) => currency === 'USD');
  return nanoOf(usd.available);
}

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
  browser = await sharedChromium();
}, OPENING_MS);

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
      await closeWindows(browser, gateway.url);
      await gateway[Symbol.asyncDispose]();
    });

    /** Checks that the page is accessible and that the visit has had no unexpected error. */
    async function isGood(): Promise<void> {
      await settled(page);
      expect(await violationsOf(page)).toEqual([]);
      expect(visit.problems()).toEqual([]);
    }

    /** Opens a page through the menu. */
    const open = (pageName: string): Promise<void> =>
      hand.press(page.getByRole('navigation').getByRole('link', { name: say(pageName) }));

    test('the link from the log creates an administrator', async () => {
      await page.goto(setupLinkOf(gateway));
      await hand.write(page.getByLabel(say('Your name')), ADA.name);
      await hand.write(page.getByLabel(say('Email address')), ADA.email);
      await hand.write(page.getByLabel(say('Account name (optional)')), ACCOUNT);
      const password = page.getByRole('textbox', { name: say('Password') });
      await hand.write(password, 'password123');
      await page.getByText(say('Easy to guess. Use several unrelated words.')).waitFor();
      await password.fill('');
      await hand.write(password, ADA.password);
      await page.getByText(say('Good password')).waitFor();
      await isGood();
      await hand.press(page.getByRole('button', { name: say('Create administrator') }));
      await page.getByRole('heading', { name: say('Models to sell') }).waitFor();
      // The token must not stay in the URL, where the next user of the computer would find it.
      expect(page.url()).not.toContain('token');
      await isGood();
      // The account has the name that was typed into the form.
      expect((await asAdmin(gateway, '/accounts')).data[0].name).toBe(ACCOUNT);
      const own = page.getByRole('region', { name: say('Connect a provider') });
      await own.getByRole('combobox').click();
      await page.getByRole('option', { name: 'OpenAI' }).click();
      await own
        .getByText(gateway.configPath ?? 'modelgate.yaml')
        .first()
        .waitFor();
      await isGood();
      await hand.press(page.getByRole('link', { name: say('Keep demo models') }));
    });

    test('the first key is tested in the setup', async () => {
      await hand.press(page.getByRole('button', { name: say('Create key') }));
      await hand.press(page.getByRole('button', { name: say('Send first request') }));
      await page.getByText(say('Your gateway works')).waitFor();
      const bill = page.getByRole('region', { name: say('Receipt of this request') });
      await bill
        .getByText(say('Recalculated in your browser. Matches the ledger exactly.'))
        .waitFor();
      await isGood();
      await hand.press(page.getByRole('link', { name: say('Open console') }));
      await page.getByRole('heading', { level: 1, name: say('Overview') }).waitFor();
      await isGood();
    });

    test('a playground answer streams and shows its cost', async () => {
      await open('Playground');
      await hand.write(page.getByRole('textbox', { name: say('Message') }), 'Say hello.');
      await hand.press(page.getByRole('button', { name: say('Send') }));
      await page.getByRole('button', { name: say('Regenerate') }).waitFor();
      await page.getByRole('group', { name: say('Usage of this answer') }).waitFor();
      await isGood();
    });

    test("its bill in the request log equals the ledger's charge", async () => {
      await hand.press(page.getByRole('link', { name: say('Open in request log') }));
      const sheet = page.getByRole('dialog', { name: say('Request') });
      await sheet
        .getByText(say('Recalculated in your browser. Matches the ledger exactly.'))
        .waitFor();
      const bill = await billIn(sheet.getByRole('table', { name: say('Receipt') }));
      const id = new URL(page.url()).searchParams.get('id');
      const { data } = await asAdmin(gateway, `/requests/${id}`);
      expect(bill.lines).toBeGreaterThan(0);
      expect(bill.due).toBeGreaterThan(0n);
      expect(nanoOf(data.cost)).toBe(bill.due);
      await isGood();
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
    });

    test('usage is reported', async () => {
      await open('Usage');
      await page.getByRole('table').getByText('gen-opus-4-8').first().waitFor();
      await isGood();
    });

    test('redeem codes are created and one is redeemed', async () => {
      await open('Redeem codes');
      await hand.press(page.getByRole('button', { name: say('Create batch') }).first());
      const form = page.getByRole('dialog', { name: say('New batch of codes') });
      await hand.write(form.getByLabel(say('Number of codes')), '1');
      await hand.write(form.getByLabel(say('Amount per code')), '5.0625');
      await hand.write(form.getByLabel(say('Reason')), 'a workshop');
      await hand.press(form.getByRole('button', { name: say('Create batch') }));
      const shown = page.getByRole('dialog', { name: say('New redeem codes') });
      const [code = ''] = /MG-[0-9A-Z-]+/.exec(await shown.innerText()) ?? [];
      await hand.press(shown.getByRole('button', { name: say('I saved it') }));
      await isGood();
      const before = await availableUsd(gateway);
      await open('Billing');
      await hand.write(page.getByRole('textbox', { name: say('Code') }), code);
      await hand.press(page.getByRole('button', { name: say('Redeem') }));
      const added = page.getByText(say('{{amount}} added. {{available}} available now.'));
      // The exact amount, which a list would round to 5.06.
      expect(await added.innerText()).toContain('$5.0625');
      expect(await availableUsd(gateway)).toBe(before + 5_062_500_000n);
      await isGood();
    });

    test('an administrator credits the account with a reason', async () => {
      const before = await availableUsd(gateway);
      await open('Accounts');
      await hand.press(page.getByRole('link', { name: ACCOUNT }).first());
      await hand.press(page.getByRole('button', { name: say('Add credit', ' USD') }));
      const form = page.getByRole('dialog');
      await hand.write(form.getByLabel(say('Amount')), '25.000000001');
      await hand.write(form.getByLabel(say('Reason')), 'a wire transfer');
      await hand.press(form.getByRole('button', { name: say('Add credit') }));
      await page
        .getByText(say('The operation was applied. Available now: {{available}}.'))
        .waitFor();
      expect(await availableUsd(gateway)).toBe(before + 25_000_000_001n);
      await isGood();
    });

    test('an image costs the announced price', async () => {
      await open('Images');
      await hand.write(page.getByLabel(say('Prompt')), 'A lighthouse at dusk');
      const price = page
        .locator('[aria-live="polite"]')
        .filter({ has: page.getByText(say('Price')) });
      const announced = (await price.locator('p').last().innerText()).trim();
      await hand.press(page.getByRole('button', { name: say('Generate') }));
      const picture = page.getByRole('img', { name: say('Image {{number}}: {{prompt}}') });
      await picture.waitFor();
      const isLoaded = (image: SVGElement | HTMLElement): boolean =>
        image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0;
      await eventually('the picture is loaded', () => picture.evaluate(isLoaded), Boolean);
      const { data } = await asAdmin(gateway, '/requests?limit=1');
      expect([data[0].endpoint, nanoOf(data[0].cost)]).toEqual([
        'images',
        picoOf(announced) / 1000n,
      ]);
      await isGood();
    });

    test('the ledger is correct, and the header shows its balance', async () => {
      expect(await asAdmin(gateway, '/ledger/verify')).toMatchObject({ ok: true });
      expect(visit.problems()).toEqual([]);
    });
  });
}
