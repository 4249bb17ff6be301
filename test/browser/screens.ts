/**
 * `npm run console:screens`: takes screenshots of the console with weeks of data for
 * `docs/screens/`. For each scene, it writes a picture per theme, and a sheet with all widths,
 * themes and languages. Arguments follow after `--`: names of scenes select these scenes, `--to
 * DIR` writes all pictures in full size to a folder, and `--widths 375,1920`, `--themes dark` and
 * `--languages zh` select some of the pictures.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { shippedConfig } from '../support/gateways/gateway-process.ts';
import { sharedChromium } from './support/chromium.ts';
import { contactSheet, smallWebp } from './support/contact-sheet.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { invite, send, setupLinkOf } from './support/people.ts';
import { SCENES, type Scene } from './support/scenes.ts';
import { screensPage } from './support/screens-page.ts';
import { goTo, settled } from './support/settled.ts';
import { LANGUAGES, type Language, SCHEMES, type Scheme, type Visit } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

const FOLDER = join(import.meta.dir, '../../docs/screens');
/** The window height for each window width: a phone, a tablet, a laptop and a large screen. */
const HEIGHTS: Readonly<Record<number, number>> = { 375: 812, 768: 1024, 1280: 800, 1920: 1080 };
const WIDTHS = Object.keys(HEIGHTS).map(Number);
/** The window width of the single pictures for the documentation, one per theme and in English. */
const DESK = 1280;
/** The maximum size of a picture's file, so that a page with all pictures loads quickly. */
const MAX_BYTES = 100_000;
/**
 * The scales of the pictures on a sheet: larger for review, and small but legible for the
 * repository.
 */
const [LARGE, SMALL] = [0.4, 0.25];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: WIDTHS.join() },
    themes: { type: 'string', default: SCHEMES.join() },
    languages: { type: 'string', default: LANGUAGES.join() },
    to: { type: 'string' },
  },
});
const widths = WIDTHS.filter((width) => values.widths.split(',').includes(String(width)));
const schemes = SCHEMES.filter((scheme) => values.themes.split(',').includes(scheme));
const languages = LANGUAGES.filter((language) => values.languages.split(',').includes(language));
const scenes = SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/**
 * The options of the past requests. With so many requests, the remaining credit lasts only for some
 * days, so that the overview shows a warning.
 */
const PAST = { requests: 9_000, days: 36, seed: 3, credit: '230 USD' };
/**
 * The shipped configuration, with the settings in the database, so that the console can edit them.
 * The edit replaces the text with itself; otherwise, `shippedConfig` would set `config: file`.
 */
const CONFIG = shippedConfig({ 'config: database ': 'config: database ' });
/** The number of requests that are sent on each channel of a model. */
const LIVE_REQUESTS = 2;
const ACCOUNT = 'Northwind Robotics';
/** The names of the other accounts, with their credit in USD. */
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

type Picture = {
  readonly language: Language;
  readonly scheme: Scheme;
  readonly width: number;
  readonly png: Buffer;
};

/** Takes screenshots of the current page in all selected widths and themes. */
async function takePage(page: Page, language: Language): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHTS[width] ?? DESK });
      await settled(page);
      const png = await page.screenshot({ animations: 'disabled' });
      pictures.push({ language, scheme, width, png });
    }
  }
  return pictures;
}

/**
 * Writes all pictures of a scene and a sheet of them to the folder `--to`. Without `--to`, writes
 * the files of the documentation.
 */
async function write(name: string, pictures: readonly Picture[]): Promise<void> {
  if (values.to !== undefined) {
    for (const { language, scheme, width, png } of pictures) {
      writeFileSync(join(values.to, `${name}-${language}-${scheme}-${width}.png`), png);
    }
  } else {
    for (const { language, scheme, width, png } of pictures) {
      if (language !== 'en' || width !== DESK) continue;
      writeFileSync(join(FOLDER, `${name}-${scheme}.webp`), await smallWebp(png, MAX_BYTES));
    }
  }
  const rows = languages.flatMap((language) =>
    schemes.map((scheme) =>
      pictures
        .filter((picture) => picture.language === language && picture.scheme === scheme)
        .map(({ png }) => png),
    ),
  );
  if (values.to !== undefined) {
    writeFileSync(join(values.to, `${name}-sheet.png`), await contactSheet(rows, LARGE));
  } else {
    const sheet = await contactSheet(rows, SMALL);
    writeFileSync(join(FOLDER, `${name}-sheet.webp`), await smallWebp(sheet, MAX_BYTES));
  }
  console.log(name);
}

/** Adds names, limits, members and redeem codes, so that the screenshots show realistic data. */
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
  for (const [name, value] of Object.entries(SECRETS)) {
    await context.request.put(`/admin/v1/secrets/${name}`, { data: { value } });
  }
}

/** Adds a member with a spending limit who has used the playground. */
async function limit(installation: Installation, { request }: BrowserContext): Promise<void> {
  const member = await invite(installation, 'member', 'grace');
  await using visit = await installation.visitAsStranger(member);
  const messages = [{ role: 'user', content: 'Explain prompt caching.' }];
  const body = { model: 'gen-opus-4-8', messages, stream: false };
  for (let times = 0; times < LIVE_REQUESTS; times += 1) {
    await send(visit.context, '/console/api/chat/completions', body);
  }
  const { data } = await (await request.get('/console/api/members?search=member-grace')).json();
  const limits = { spend: { day: '2', month: '25' } };
  await request.put(`/console/api/members/${data[0].id}/limits`, { data: { limits } });
}

/** Adds an incident and a maintenance notice, and moves an account to a price list. */
async function announce(context: BrowserContext): Promise<void> {
  const incident = await send(context, '/admin/v1/notices', {
    kind: 'incident',
    title: 'Slow answers of GEN-V4 Pro',
    text: 'Answers on the economical channel begin later than usual. We are looking into it.',
    affects: [{ model: 'gen-v4-pro', channel: 'economical' }],
  });
  await send(context, `/admin/v1/notices/${Object(incident).id}/updates`, {
    state: 'resolved',
    text: 'The provider has recovered.',
  });
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  await send(context, '/admin/v1/notices', {
    kind: 'maintenance',
    title: 'Database upgrade',
    text: 'Requests are served as usual. Top-ups can take some minutes longer.',
    starts_at: at(2),
    ends_at: at(2.1),
  });
  for (const [name, value] of Object.entries(PRICE_LISTS)) {
    const { etag = '' } = (await context.request.get('/admin/v1/config')).headers();
    const path = `/admin/v1/config/price-lists/${name}`;
    const done = await context.request.put(path, {
      data: { value },
      headers: { 'if-match': etag },
    });
    if (!done.ok()) throw new Error(`${path}: ${await done.text()}`);
  }
  const { data: accounts } = await (await context.request.get('/admin/v1/accounts')).json();
  const [{ id }] = accounts;
  await context.request.patch(`/admin/v1/accounts/${id}`, { data: { price_list: 'partners' } });
}

const PRICE_LISTS = {
  partners: { factor: '0.9' },
  research: { factor: '0.75', only: ['gen-sonnet-5', 'gen-v4-pro'] },
} as const;

const SECRETS = {
  OPENAI_API_KEY: 'sk-proj-0123456789-4cf9',
  STRIPE_WEBHOOK: 'whsec_0123456789_91bc',
} as const;

/**
 * Sends requests on all channels, so that their health is measured, and two requests that are
 * refused.
 */
async function trade(context: BrowserContext): Promise<void> {
  for (const data of [
    { model: 'gpt-4.1', messages: [] },
    { model: 'gen-v4-pro', messages: 'Hi' },
  ]) {
    await context.request.post('/console/api/chat/completions', { data });
  }
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

/** Takes screenshots of all scenes for one kind of visitor, in one window per language. */
async function takeScenes(
  of: readonly Scene[],
  open: Installation['visit'],
  pathOf: (scene: Scene) => string = ({ path }) => path,
): Promise<void> {
  if (of.length === 0) return;
  const visits = new Map<Language, Visit>();
  for (const language of languages) visits.set(language, await open({ language }));
  for (const scene of of) {
    const pictures: Picture[] = [];
    for (const [language, { page }] of visits) {
      await page.setViewportSize({ width: DESK, height: HEIGHTS[DESK] ?? DESK });
      await goTo(page, pathOf(scene));
      await scene.act?.(page, wordsOf(language));
      pictures.push(...(await takePage(page, language)));
    }
    await write(scene.name, pictures);
  }
  for (const visit of visits.values()) await visit[Symbol.asyncDispose]();
}

const by = (who: Scene['who']) => scenes.filter((scene) => scene.who === who);

mkdirSync(values.to ?? FOLDER, { recursive: true });
// Closes the browser when the script ends. While the shared browser is open, this process does not
// exit.
await using _browser = await sharedChromium();
if (by('nobody').length > 0) {
  await using fresh = await openInstallation({ isSetUp: false, config: CONFIG });
  await takeScenes(by('nobody'), fresh.visitAsStranger, () => setupLinkOf(fresh.gateway));
}
await using installation = await openInstallation({ past: PAST, config: CONFIG });
{
  await using visit = await installation.visit();
  await furnish(visit.context);
  await announce(visit.context);
  await trade(visit.context);
  await limit(installation, visit.context);
}
await takeScenes(by('stranger'), installation.visitAsStranger);
await takeScenes(by(undefined), installation.visit);
if (values.to === undefined) writeFileSync(join(FOLDER, 'README.md'), screensPage());
