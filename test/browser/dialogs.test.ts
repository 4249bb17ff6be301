/**
 * Tests that every tab, dialog, sheet and menu is accessible in the light and the dark scheme, and
 * fits a phone. Escape must close a dialog and return the focus to the page. To add a test, add a
 * row to CASES.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { colorViolationsOf, violationsOf } from './support/accessibility.ts';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { overflowOf } from './support/layout.ts';
import { invite } from './support/people.ts';
import { goTo, navigateTo, settled } from './support/settled.ts';
import type { Visit } from './support/visit.ts';

const PHONE = { width: 375, height: 812 };
const DESK = { width: 1280, height: 800 };

type Case = {
  readonly what: string;
  readonly path: string;
  /** The elements to click, one after the other. */
  readonly press?: readonly ((page: Page) => Locator)[];
  /** The element that must be visible after the clicks. */
  readonly shows: (page: Page) => Locator;
};

/**
 * Finds a dialog that already has an accessible name. Its title becomes its name only one render
 * after the dialog appears.
 */
const dialog = (page: Page): Locator =>
  page.getByRole('dialog').and(page.locator('[aria-labelledby], [aria-label]'));
const menu = (page: Page): Locator => page.getByRole('menu');
const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name }).first();
const main = (page: Page): Locator => page.getByRole('main');

const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name });
const rowOf = (page: Page, text: string): Locator =>
  main(page).getByRole('row').filter({ hasText: text }).first();

const TABS = [
  ...['ledger', 'statements', 'alerts'].map((name) => `/console/billing?tab=${name}`),
  ...['prices', 'upstreams'].map((name) => `/console/admin/routes?tab=${name}`),
  '/console/admin/cards?tab=rates',
  '/console/admin/people?tab=invitations',
  '/console/models?view=table',
];
const ACCOUNT_TABS = ['Keys', 'Requests', 'Ledger', 'Limits', 'Members'];

const toAccount = (page: Page): Locator =>
  main(page).getByRole('link', { name: 'default', exact: true }).first();
const keyActions = (page: Page): Locator => button(page, 'Actions for Production');
const guestActions = (page: Page): Locator => button(page, /^Actions for Grace/);

const CASES: readonly Case[] = [
  ...TABS.map((path) => ({ what: `tab ${path}`, path, shows: main })),
  ...ACCOUNT_TABS.map((name) => ({
    what: `tab ${name} of an account`,
    path: '/console/admin/accounts',
    press: [toAccount, (page: Page) => page.getByRole('tab', { name })],
    shows: (page: Page) => page.getByRole('tab', { name, selected: true }),
  })),
  {
    what: 'the table beside the chart of the usage',
    path: '/console/usage?by=channel',
    shows: (page) => page.getByRole('table').first(),
  },
  {
    what: 'the menu of a person',
    path: '/console',
    press: [(page) => button(page, /^Profile menu/)],
    shows: menu,
  },
  {
    what: 'the palette',
    path: '/console',
    press: [(page) => page.getByRole('banner').getByRole('button', { name: /^(Find|Search)/ })],
    shows: dialog,
  },
  {
    what: 'a new key with all limits',
    path: '/console/keys',
    press: [
      (page) => button(page, 'Create key'),
      (page) => dialog(page).getByRole('button', { name: 'Advanced limits' }),
    ],
    shows: dialog,
  },
  { what: 'the menu of a key', path: '/console/keys', press: [keyActions], shows: menu },
  ...['Edit limits', 'Rotate', 'Revoke'].map((name) => ({
    what: `${name} of a key`,
    path: '/console/keys',
    press: [keyActions, (page: Page) => item(page, name)],
    shows: dialog,
  })),
  {
    what: 'the columns of a table',
    path: '/console/requests',
    press: [(page) => button(page, 'Columns')],
    shows: menu,
  },
  {
    what: 'the views of a table',
    path: '/console/requests',
    press: [(page) => button(page, 'Views')],
    shows: menu,
  },
  {
    what: 'the sheet of a request',
    path: '/console/requests?status=completed',
    press: [(page) => rowOf(page, 'Completed').getByRole('link').first()],
    shows: (page) => dialog(page).getByRole('table', { name: 'Receipt' }),
  },
  {
    what: 'the sheet of a failed request',
    path: '/console/requests?status=failed',
    press: [(page) => page.getByRole('row').nth(1).getByRole('link').first()],
    shows: dialog,
  },
  {
    what: 'the prompts of the playground',
    path: '/console/playground',
    press: [(page) => button(page, 'Prompts')],
    shows: dialog,
  },
  {
    what: 'an invitation',
    path: '/console/members',
    press: [(page) => button(page, 'Invite member')],
    shows: dialog,
  },
  { what: 'the menu of a member', path: '/console/members', press: [guestActions], shows: menu },
  ...['Change role', 'Set limit', 'Create reset link', 'Remove'].map((name) => ({
    what: `${name} of a member`,
    path: '/console/members',
    press: [guestActions, (page: Page) => item(page, name)],
    shows: dialog,
  })),
  {
    what: 'the set-up of two-factor authentication',
    path: '/console/profile',
    press: [(page) => button(page, 'Set up')],
    shows: dialog,
  },
  {
    what: 'a new account',
    path: '/console/admin/accounts',
    press: [(page) => button(page, 'Create account')],
    shows: dialog,
  },
  ...['Add credit', 'Adjust balance', 'Exchange currency', 'Set credit limit'].map((name) => ({
    what: `${name} of an account`,
    path: '/console/admin/accounts',
    press: [toAccount, (page: Page) => button(page, name).or(item(page, name)).first()],
    shows: dialog,
  })),
  {
    what: 'the suspension of an account',
    path: '/console/admin/accounts',
    press: [toAccount, (page) => button(page, 'Suspend account')],
    shows: dialog,
  },
  {
    what: 'a batch of codes',
    path: '/console/admin/redeem-codes',
    press: [(page) => button(page, 'Create batch')],
    shows: dialog,
  },
  {
    what: 'an entry of the audit log',
    path: '/console/admin/audit',
    press: [(page) => page.getByRole('row').nth(1).getByRole('button').first()],
    shows: dialog,
  },
];

let installation: Installation;
// All cases use one browser window, because a new window would load the whole console again.
let visit: Visit;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 300, days: 6, seed: 11 } });
  await invite(installation, 'member', 'dialogs');
  visit = await installation.visit({ viewport: DESK });
  await goTo(visit.page, '/console');
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

test.each(CASES.map((each) => [each.what, each] as const))(
  'accessible, and fits a phone: %s',
  async (_, { path, press = [], shows }) => {
    const { page, problems } = visit;
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: 'light' });
    // Another page is opened first, to close everything that the previous case opened.
    await navigateTo(page, '/console/admin/secrets');
    await navigateTo(page, path);
    for (const target of press) {
      await target(page).click();
      await settled(page);
    }
    await shows(page).waitFor();
    await settled(page);
    // If a dialog or menu is open, only the dialog or menu is checked, because the page behind it
    // has its own tests.
    const opened = shows === dialog ? '[role="dialog"]' : shows === menu ? '[role="menu"]' : 'body';
    expect(await violationsOf(page, opened)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await settled(page);
    expect(await colorViolationsOf(page, opened)).toEqual([]);
    await page.setViewportSize(PHONE);
    await settled(page);
    expect(await overflowOf(page)).toEqual([]);
    expect(problems()).toEqual([]);
    if (shows !== dialog) return;
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await eventually(
      'the focus is on an element of the page',
      () => page.evaluate(() => document.activeElement !== document.body),
      Boolean,
    );
  },
);
