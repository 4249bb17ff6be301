/**
 * For tests: performs five typical tasks of a person, and counts clicks, typed fields and scrolls.
 */
import type { Locator, Page } from 'playwright-core';
import type { Installation } from './installation.ts';
import { hasFocus, pressOn, typeInto } from './keyboard.ts';
import { hiddenPartsOf } from './layout.ts';
import { send } from './people.ts';
import { goTo, settled } from './settled.ts';

/**
 * The number of actions that a person needs. `scrolls` counts scrolled window heights, plus one for
 * each part that is cut off at a side.
 */
export type Effort = { readonly clicks: number; readonly fields: number; readonly scrolls: number };

export type Tool = 'mouse' | 'keyboard';

/** Performs a person's actions one at a time, and counts them. */
class Person {
  #effort = { clicks: 0, fields: 0, scrolls: 0 };
  readonly page: Page;
  readonly #by: Tool;

  constructor(page: Page, by: Tool) {
    this.page = page;
    this.#by = by;
  }

  get effort(): Effort {
    return { ...this.#effort };
  }

  async click(target: Locator): Promise<void> {
    await this.read(target);
    if (this.#by === 'mouse') await target.click();
    else await pressOn(this.page, target);
    this.#effort.clicks += 1;
    await settled(this.page);
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.read(field);
    if (this.#by === 'mouse') await field.fill(text);
    else if (await hasFocus(field)) await this.page.keyboard.type(text);
    else await typeInto(this.page, field, text);
    this.#effort.fields += 1;
  }

  /**
   * Selects the first option of the list that opens under a field when the field gets the focus.
   */
  async takeFirst(list: Locator): Promise<void> {
    if (this.#by === 'mouse') return await this.click(list.first());
    await list.first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Waits for an element. If it is outside of the window, scrolls to it and counts the scrolls. */
  async read(target: Locator): Promise<void> {
    await target.waitFor();
    const far = await target.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const outside = Math.max(bottom - innerHeight, -top, 0);
      if (outside > 1) element.scrollIntoView({ block: 'center', inline: 'nearest' });
      return outside > 1 ? Math.ceil(outside / innerHeight) : 0;
    });
    const sideways = (await hiddenPartsOf(target)).length > 0 ? 1 : 0;
    this.#effort.scrolls += far + sideways;
  }

  /** Opens a page through the menu, which is behind a button on a phone. */
  async open(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Open menu' });
    if (await button.isVisible()) await this.click(button);
    const link = this.page.getByRole('navigation').getByRole('link', { name, exact: true });
    await this.click(link);
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
    await settled(this.page);
  }
}

export type TaskName = 'key' | 'cost' | 'topUp' | 'compare' | 'refused';

export type Task = {
  readonly name: TaskName;
  readonly title: string;
  /** Performs the task, starting on the overview. `given` is the value that `prepare` returned. */
  readonly act: (person: Person, given: string) => Promise<void>;
  /**
   * Creates the data that the task needs. Returns a text that the person must know for the task,
   * such as a redeem code.
   */
  readonly prepare?: (installation: Installation, page: Page) => Promise<string>;
};

async function limitedKey(person: Person): Promise<void> {
  const { page } = person;
  await person.click(page.getByRole('link', { name: 'Create key' }));
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await person.write(form.getByRole('textbox', { name: 'Name' }), 'laptop');
  await person.write(form.getByLabel('Monthly spending limit'), '10');
  await person.click(form.getByRole('button', { name: 'Create key' }));
  await person.click(page.getByRole('button', { name: 'I saved it' }));
}

async function explainCost(person: Person): Promise<void> {
  const { page } = person;
  const recent = page.getByRole('table', { name: 'Recent requests' });
  const row = recent.getByRole('row').filter({ hasText: 'gen-sonnet-5' }).first();
  await person.read(row.getByText(/^[$¥][\d,.]+$/).first());
  await person.click(row.getByRole('link').or(row.getByRole('button')).first());
  const receipt = page.getByRole('dialog').getByRole('table', { name: 'Receipt' });
  await person.read(receipt.locator('tbody tr').last().locator('td').last());
  await person.read(page.getByText('Recalculated in your browser. Matches the ledger exactly.'));
}

async function topUp(person: Person, code: string): Promise<void> {
  const { page } = person;
  await person.click(page.getByRole('main').getByRole('link', { name: 'Top up' }));
  await person.write(page.getByRole('textbox', { name: 'Code' }), code);
  await person.click(page.getByRole('button', { name: 'Redeem', exact: true }));
  await person.read(page.getByText(/ added\. .+ available now\./));
}

async function compare(person: Person): Promise<void> {
  const { page } = person;
  await person.open('Models');
  await person.click(page.getByRole('link', { name: 'Gen Sonnet 5', exact: true }));
  await person.click(page.getByRole('link', { name: 'Compare with Gen V4 Pro' }));
  await page.getByRole('heading', { level: 1, name: 'Compare models' }).waitFor();
  await settled(page);
  for (const price of ['$3.00', '$1.32']) {
    await person.read(page.getByRole('table').getByText(price, { exact: true }).first());
  }
}

async function findRefused(person: Person, id: string): Promise<void> {
  const { page } = person;
  await person.click(page.getByRole('banner').getByRole('button', { name: /^(Find|Search)/ }));
  await person.write(page.getByRole('dialog').getByRole('combobox'), id);
  await person.takeFirst(page.getByRole('option'));
  await person.read(page.getByRole('dialog').getByText(/model_not_found/));
}

/** Creates a redeem code. @returns the code, which is worth 5 USD. */
async function newCode(_: Installation, page: Page): Promise<string> {
  const batch = { reason: 'Workshop', count: 1, amount: '5', currency: 'USD' };
  const { codes } = Object(await send(page.context(), '/admin/v1/redeem-batches', batch));
  return codes[0];
}

/** Sends a request for a model that does not exist. @returns the request's id. */
async function refused({ gateway }: Installation, page: Page): Promise<string> {
  const { secret } = Object(await send(page.context(), '/console/api/keys', { name: 'refused' }));
  const response = await fetch(`${gateway.url}/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gen-none', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  return response.headers.get('x-request-id') ?? '';
}

export const TASKS: readonly Task[] = [
  { name: 'key', title: 'Create a key with a monthly limit', act: limitedKey },
  { name: 'cost', title: 'Find why a request cost what it did', act: explainCost },
  { name: 'topUp', title: 'Top up with a code', act: topUp, prepare: newCode },
  { name: 'compare', title: 'Compare two models', act: compare },
  {
    name: 'refused',
    title: 'Find a refused request by its ID',
    act: findRefused,
    prepare: refused,
  },
];

/**
 * Performs a task in a browser window. Returns the number of actions.
 * @throws Error when the console does not show the task's result.
 */
export async function effortOf(
  { act, prepare }: Task,
  installation: Installation,
  page: Page,
  by: Tool = 'mouse',
): Promise<Effort> {
  const given = (await prepare?.(installation, page)) ?? '';
  await goTo(page, '/console');
  const person = new Person(page, by);
  await act(person, given);
  return person.effort;
}
