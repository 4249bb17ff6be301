/** For screenshots: the scenes of the console, each with the actions that prepare its page. */
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { settled } from './settled.ts';
import type { Say } from './words.ts';

export type Scene = {
  readonly name: string;
  /** The title of the scene in the documentation. */
  readonly title: string;
  /**
   * The visitor that opens the page. Default: the administrator. `stranger` has no session.
   * `nobody` has no session either, and opens a new gateway that has no administrator yet.
   */
  readonly who?: 'stranger' | 'nobody';
  readonly path: string;
  /** Prepares the page. `say` finds texts in the page's language. */
  readonly act?: (page: Page, say: Say) => Promise<void>;
};

const QUESTION = 'Explain prompt caching in three sentences, with a small table.';
const PICTURE = 'A lighthouse on a cliff at sunset, in the style of a woodcut';

async function chat(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say(QUESTION) }).click();
  await page.getByRole('button', { name: say('Regenerate') }).waitFor();
}

async function draw(page: Page, say: Say): Promise<void> {
  await page.getByLabel(say('Prompt')).fill(PICTURE);
  await page.getByRole('button', { name: say('Generate') }).click();
  const picture = page.getByRole('main').locator('article img, figure img, img').first();
  await picture.waitFor();
  await eventually(
    'the picture is loaded',
    () => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    Boolean,
  );
}

const follow =
  (pattern: RegExp | string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('main').getByRole('link', { name: pattern }).first().click();
    await settled(page);
  };

async function openRequest(page: Page, say: Say): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'Production' }).first();
  await row.getByRole('link').first().click();
  const sheet = page.getByRole('dialog', { name: say('Request') });
  await sheet.getByRole('table', { name: say('Receipt') }).waitFor();
}

async function palette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('us');
}

async function limitMember(page: Page, say: Say): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: say('Set limit') }).click();
  await page.getByRole('dialog').waitFor();
}

const COMPARED = 'gen-opus-4-8,gen-sonnet-5,gen-v4-pro';

export const SCENES: readonly Scene[] = [
  { name: 'setup', title: 'Setup', who: 'nobody', path: '' },
  { name: 'sign-in', title: 'Sign in', who: 'stranger', path: '/console/sign-in' },
  { name: 'overview', title: 'Overview', path: '/console' },
  { name: 'keys', title: 'API keys', path: '/console/keys' },
  { name: 'new-key', title: 'New key', path: '/console/keys?new=true' },
  { name: 'key', title: 'Key', path: '/console/keys', act: follow('Production') },
  { name: 'quick-start', title: 'Quick start', path: '/console/quick-start' },
  { name: 'playground', title: 'Playground', path: '/console/playground', act: chat },
  { name: 'images', title: 'Images', path: '/console/playground/images', act: draw },
  { name: 'models', title: 'Models', path: '/console/models' },
  { name: 'model', title: 'Model', path: '/console/models/gen-sonnet-5' },
  { name: 'compare', title: 'Comparison', path: `/console/models/compare?ids=${COMPARED}` },
  { name: 'usage', title: 'Usage', path: '/console/usage?range=30d' },
  { name: 'requests', title: 'Requests', path: '/console/requests' },
  {
    name: 'request',
    title: 'Request with its cost',
    path: '/console/requests?model=gen-sonnet-5',
    act: openRequest,
  },
  { name: 'billing', title: 'Billing', path: '/console/billing' },
  { name: 'ledger', title: 'Billing: ledger', path: '/console/billing?tab=ledger' },
  { name: 'statements', title: 'Billing: statements', path: '/console/billing?tab=statements' },
  { name: 'alerts', title: 'Billing: alerts', path: '/console/billing?tab=alerts' },
  { name: 'status', title: 'Status', who: 'stranger', path: '/console/status' },
  { name: 'reference', title: 'API reference', path: '/console/reference' },
  { name: 'members', title: 'Members', path: '/console/members' },
  {
    name: 'member-limit',
    title: 'Spending limit of a member',
    path: '/console/members',
    act: limitMember,
  },
  { name: 'profile', title: 'Profile and security', path: '/console/profile' },
  { name: 'palette', title: 'Command palette', path: '/console', act: palette },
  { name: 'nowhere', title: 'Page not found', path: '/console/nowhere' },
  { name: 'admin-home', title: 'Business overview', path: '/console/admin/home?range=30d' },
  { name: 'admin-accounts', title: 'Accounts', path: '/console/admin/accounts' },
  {
    name: 'admin-account',
    title: 'Account',
    path: '/console/admin/accounts',
    act: follow('Northwind Robotics'),
  },
  { name: 'admin-people', title: 'People', path: '/console/admin/people' },
  { name: 'admin-redeem-codes', title: 'Redeem codes', path: '/console/admin/redeem-codes' },
  { name: 'admin-channels', title: 'Channels and routes', path: '/console/admin/routes' },
  {
    name: 'admin-upstream',
    title: 'Upstream',
    path: '/console/admin/routes/upstreams/builtin',
  },
  {
    name: 'admin-model',
    title: 'Model and its channels',
    path: '/console/admin/routes/models/gen-sonnet-5',
  },
  { name: 'admin-incidents', title: 'Incidents', path: '/console/admin/routes?tab=notices' },
  { name: 'admin-prices', title: 'Channel prices', path: '/console/admin/routes?tab=prices' },
  { name: 'admin-cards', title: 'Price cards', path: '/console/admin/cards' },
  { name: 'admin-price-lists', title: 'Price lists', path: '/console/admin/cards?tab=lists' },
  { name: 'admin-refusals', title: 'Refused requests', path: '/console/admin/refusals' },
  { name: 'admin-ledger', title: 'Ledger', path: '/console/admin/books' },
  { name: 'admin-audit', title: 'Audit log', path: '/console/admin/audit' },
  { name: 'admin-provider', title: 'Connect a provider', path: '/console/admin/providers/new' },
  { name: 'admin-secrets', title: 'Secrets', path: '/console/admin/secrets' },
  { name: 'admin-mail', title: 'Email', path: '/console/admin/mail' },
  { name: 'admin-branding', title: 'Branding', path: '/console/admin/branding' },
  { name: 'admin-history', title: 'Configuration history', path: '/console/admin/history' },
  { name: 'admin-settings', title: 'Settings', path: '/console/admin/settings' },
];
