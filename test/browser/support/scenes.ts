/** For screenshots: the scenes, each with the actions that prepare it. */
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { settled } from './settled.ts';
import type { Language } from './visit.ts';

export type Scene = {
  readonly name: string;
  readonly who?: 'stranger';
  readonly language?: Language;
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
};

const QUESTION = 'Explain prompt caching in three sentences, with a small table.';
const PICTURE = 'A lighthouse on a cliff at sunset, in the style of a woodcut';

async function chat(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Regenerate' }).waitFor();
}

async function draw(page: Page): Promise<void> {
  await page.getByLabel('Prompt').fill(PICTURE);
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const picture = page.getByRole('img', { name: PICTURE });
  await picture.first().waitFor();
  await eventually(
    'the picture is loaded',
    () =>
      picture
        .first()
        .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    Boolean,
  );
}

const follow =
  (pattern: RegExp | string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('main').getByRole('link', { name: pattern }).first().click();
    await settled(page);
  };

async function openRequest(page: Page): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'Production' }).first();
  await row.getByRole('link').first().click();
  const sheet = page.getByRole('dialog', { name: 'Request' });
  await sheet.getByRole('table', { name: 'Receipt' }).waitFor();
}

async function palette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('us');
}

export const SCENES: readonly Scene[] = [
  { name: 'sign-in', who: 'stranger', path: '/console/sign-in' },
  { name: 'overview', path: '/console' },
  { name: 'overview-zh', language: 'zh', path: '/console' },
  { name: 'keys', path: '/console/keys' },
  { name: 'new-key', path: '/console/keys?new=true' },
  { name: 'key', path: '/console/keys', act: follow('Production') },
  { name: 'quick-start', path: '/console/quick-start' },
  { name: 'playground', path: '/console/playground', act: chat },
  { name: 'images', path: '/console/playground/images', act: draw },
  { name: 'models', path: '/console/models' },
  { name: 'model', path: '/console/models/gen-sonnet-5' },
  { name: 'usage', path: '/console/usage?range=30d' },
  { name: 'requests', path: '/console/requests' },
  { name: 'request', path: '/console/requests?model=gen-sonnet-5', act: openRequest },
  { name: 'billing', path: '/console/billing' },
  { name: 'status', path: '/console/status' },
  { name: 'reference', path: '/console/reference' },
  { name: 'members', path: '/console/members' },
  { name: 'profile', path: '/console/profile' },
  { name: 'palette', path: '/console', act: palette },
  { name: 'admin-accounts', path: '/console/admin/accounts' },
  { name: 'admin-account', path: '/console/admin/accounts', act: follow('Northwind Robotics') },
  { name: 'admin-people', path: '/console/admin/people' },
  { name: 'admin-redeem-codes', path: '/console/admin/redeem-codes' },
  { name: 'admin-channels', path: '/console/admin/routes' },
  { name: 'admin-cards', path: '/console/admin/cards' },
  { name: 'admin-ledger', path: '/console/admin/books' },
  { name: 'admin-audit', path: '/console/admin/audit' },
  { name: 'admin-settings', path: '/console/admin/settings' },
];
