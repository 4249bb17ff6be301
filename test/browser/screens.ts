/**
 * `npm run console:screens`: screenshots of the console in `docs/screens/`, light and dark, with
 * weeks of data.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { type Installation, openInstallation } from './support/installation.ts';
import { send, setupLinkOf } from './support/people.ts';
import { SCENES } from './support/scenes.ts';
import { goTo, settled } from './support/settled.ts';
import { openVisit, SCHEMES } from './support/visit.ts';

const FOLDER = join(import.meta.dir, '../../docs/screens');
/** Wide enough to read on a documentation page. */
const WIDTH_PX = 1200;
const QUALITY = 80;
/** The size limit of a screenshot, so that a page with all of them loads quickly. */
const MAX_BYTES = 100_000;

/**
 * At the rate of these requests, the remaining credit lasts some days, which the overview shows.
 */
const PAST = { requests: 9_000, days: 36, seed: 3, credit: '230 USD' };
/** The number of live requests on each channel of a model. */
const LIVE_REQUESTS = 2;
const ACCOUNT = 'Northwind Robotics';
/** Other accounts, with their credit in USD. */
const OTHERS = {
  'Contoso Studio': '500',
  'Fabrikam Labs': '75.50',
  'Tailspin Toys': '1200',
} as const;
/** The spend limit of each key, by name. */
const BUDGETS = {
  Production: { month: '120' },
  'Claude Code (Lin)': { week: '8', day: '2' },
  'Nightly batch': { month: '36' },
} as const;

async function take(page: Page, name: string): Promise<void> {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    await settled(page);
    const picture = await sharp(await page.screenshot({ animations: 'disabled' }))
      .resize({ width: WIDTH_PX })
      .webp({ quality: QUALITY })
      .toBuffer();
    if (picture.byteLength > MAX_BYTES) {
      throw new Error(`${name} in ${scheme} takes ${picture.byteLength} bytes`);
    }
    writeFileSync(join(FOLDER, `${name}-${scheme}.webp`), picture);
  }
  console.log(name);
}

/** Adds names, limits, members and codes, as a gateway in use has. */
async function furnish(context: BrowserContext): Promise<void> {
  const { data: accounts } = await (await context.request.get('/admin/v1/accounts')).json();
  const [{ id }] = accounts;
  await context.request.patch(`/admin/v1/accounts/${id}`, { data: { name: ACCOUNT } });
  const { data: keys } = await (await context.request.get('/console/api/keys?limit=100')).json();
  for (const key of keys) {
    const spend = Object.entries(BUDGETS).find(([name]) => name === key.name)?.[1];
    if (spend === undefined) continue;
    await context.request.patch(`/console/api/keys/${key.id}`, { data: { limits: { spend } } });
  }
  for (const [name, amount] of Object.entries(OTHERS)) {
    const account = Object(await send(context, '/admin/v1/accounts', { name }));
    const credit = { amount, currency: 'USD', reason: 'Invoice 2026-1103' };
    await send(context, `/admin/v1/accounts/${account.id}/credits`, credit);
  }
  await send(context, '/console/api/invitations', { role: 'member', email: 'grace@example.com' });
  await send(context, '/console/api/invitations', {
    role: 'read_only',
    email: 'ledger@example.com',
  });
  for (const [reason, count, amount] of [
    ['Autumn workshop', 40, '5'],
    ['Conference booth', 100, '2.50'],
  ]) {
    await send(context, '/admin/v1/redeem-batches', { reason, count, amount, currency: 'USD' });
  }
}

/** Sends some live requests, so that channels have a measured health. */
async function trade(context: BrowserContext): Promise<void> {
  const { data: models } = await (await context.request.get('/console/api/models')).json();
  for (const { id, kind, channels } of models) {
    if (kind !== 'chat') continue;
    for (const { channel } of channels) {
      const messages = [{ role: 'user', content: 'Say one word.' }];
      const body = { model: id, messages, stream: false, provider: { channel } };
      for (let times = 0; times < LIVE_REQUESTS; times += 1) {
        await send(context, '/console/api/chat/completions', body);
      }
    }
  }
}

async function takeFirstStart(): Promise<void> {
  await using fresh = await openInstallation({ isSetUp: false });
  await using visit = await openVisit(fresh.browser, fresh.gateway.url);
  await goTo(visit.page, setupLinkOf(fresh.gateway));
  await take(visit.page, 'setup');
}

async function takeAll(installation: Installation, wanted: readonly string[]): Promise<void> {
  for (const { name, who, path, act, language = 'en' } of SCENES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const open = who === 'stranger' ? installation.visitAsStranger : installation.visit;
    await using visit = await open({ language });
    await goTo(visit.page, path);
    await act?.(visit.page);
    await take(visit.page, name);
  }
}

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
if (wanted.length === 0 || wanted.includes('setup')) await takeFirstStart();
await using installation = await openInstallation({ past: PAST });
await using visit = await installation.visit();
await furnish(visit.context);
await trade(visit.context);
await takeAll(installation, wanted);
