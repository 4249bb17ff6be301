/** For tests: performs an operator's work in the console, in either language. */
import type { Locator, Page } from 'playwright-core';
import { at, listAt } from '../../support/wire.ts';
import { billIn, nanoOf } from './bill.ts';
import { ADA } from './people.ts';
import { goTo } from './settled.ts';
import type { Say } from './words.ts';

/**
 * A model for sale: its name for callers, its channel, its name at the provider (`there`), and its
 * prices per 1M tokens.
 */
export type Offer = {
  readonly model: string;
  readonly channel: string;
  /** The English name that the console shows for the channel. */
  readonly title: string;
  readonly there: string;
  readonly input: string;
  readonly output: string;
};
type Place = Pick<Offer, 'model' | 'channel'>;
/**
 * A provider to connect, and several of its models. Callers use all these models under the one name
 * `as`.
 */
export type Import = {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly as: string;
};

/**
 * The time in ms from entering the start of an announced price until this start. It is usually
 * enough to review and save the price.
 */
const SOON_MS = 3_000;

export class Operator {
  readonly #page: Page;
  readonly #say: Say;

  constructor(page: Page, say: Say) {
    this.#page = page;
    this.#say = say;
  }

  async setUp(link: string): Promise<void> {
    const [page, say] = [this.#page, this.#say];
    await page.goto(link);
    await page.getByLabel(say('Your name')).fill(ADA.name);
    await page.getByLabel(say('Email address')).fill(ADA.email);
    await page.getByRole('textbox', { name: say('Password') }).fill(ADA.password);
    await this.#press('Create administrator');
    await page.getByRole('link', { name: say('Connect a provider') }).click();
  }

  /**
   * Fills the first two steps of the form for connecting a provider, and enters the models' names
   * for callers in the third step.
   */
  async importModels({ name, baseUrl, models, as }: Import): Promise<void> {
    const [page, say] = [this.#page, this.#say];
    await page.getByLabel(say('Name')).fill(name);
    await page.getByLabel(say('Base URL')).fill(baseUrl);
    await page.getByRole('textbox', { name: say('API key') }).fill(`sk-${name}-0123456789`);
    await page.getByLabel(say('Allow a private address (allow_private)')).check();
    await this.#press('Continue');
    const chosen = page.getByRole('combobox', { name: say('Models to sell') });
    for (const model of models) {
      await chosen.fill(model);
      await chosen.press('Enter');
    }
    await this.#press('Continue');
    for (const model of models) {
      const fields = page.getByRole('group', { name: model });
      await fields.getByLabel(say('Model name for callers')).fill(as);
    }
  }

  /** Sets the channel and the price of an imported model. */
  async price({ there, title, input, output }: Offer): Promise<void> {
    const [page, say] = [this.#page, this.#say];
    const fields = page.getByRole('group', { name: there });
    await fields.getByRole('combobox', { name: say('Channel') }).click();
    await page.getByRole('option', { name: say(title) }).click();
    await fields.getByLabel(say('Price, input')).fill(input);
    await fields.getByLabel(say('Price, output')).fill(output);
  }

  async saveAndSell(): Promise<void> {
    const [page, say] = [this.#page, this.#say];
    await this.#press('Continue');
    await page.getByRole('table', { name: say('Changes') }).waitFor();
    await this.#press('Save and sell');
    await page.getByRole('status').getByText(say('Connected')).waitFor();
  }

  /** Completes the setup by creating the first key. @returns the key's secret. */
  async createFirstKey(): Promise<string> {
    const [page, say] = [this.#page, this.#say];
    await page.getByRole('link', { name: say('Continue setup') }).click();
    await this.#press('Create key');
    const key = await page.getByRole('status', { name: say('New key') }).innerText();
    await page.getByRole('link', { name: say('Open console') }).click();
    await page.getByRole('heading', { level: 1, name: say('Overview') }).waitFor();
    return key.trim();
  }

  /**
   * Announces an input price that begins soon. If the time has passed when the form is complete, as
   * on a busy machine, enters a later time.
   * @returns when the price begins, in epoch milliseconds.
   */
  async announceInput(place: Place, price: string): Promise<number> {
    const [page, say] = [this.#page, this.#say];
    await this.#openHistory(place);
    await this.#press('Edit price');
    const editor = page.getByRole('dialog', { name: say('Edit prices of {{what}}') });
    await editor.getByLabel(say('Input')).fill(price);
    await editor.getByText(say('From a date')).click();
    const save = editor.getByRole('button', { name: say('Save {{count}} price') });
    const passed = say('This time has passed. Enter a later time, or choose “Immediately”.');
    for (let aheadMs = SOON_MS; ; aheadMs *= 2) {
      const moment = new Date(Date.now() + aheadMs).toISOString().replace(/\.\d+Z$/, '');
      const [day = '', time = ''] = moment.split('T');
      await editor.getByRole('textbox', { name: say('Date (UTC)') }).fill(day);
      await editor.getByRole('textbox', { name: say('Time (UTC)') }).fill(time);
      await this.#press('Review changes', editor);
      await save.or(editor.getByText(passed)).waitFor();
      if (!(await save.isVisible())) continue;
      await this.#savePrice(editor);
      return Date.parse(`${moment}Z`);
    }
  }

  /** Restores an earlier price. The history must contain only one such price. */
  async restorePrice(place: Place): Promise<void> {
    await this.#openHistory(place);
    await this.#press('Restore this price');
    const name = this.#say('Restore an earlier price of {{what}}');
    await this.#savePrice(this.#page.getByRole('dialog', { name }));
  }

  async drain(offer: Offer): Promise<void> {
    const [page, say] = [this.#page, this.#say];
    const route = await this.#openRoute(offer);
    await this.#press('Actions for {{route}}', route);
    await page.getByRole('menuitem', { name: say('Drain') }).click();
    const dialog = page.getByRole('dialog', { name: say('Drain {{route}}') });
    await this.#press('Drain', dialog);
    await dialog.waitFor({ state: 'detached' });
    await route.getByText(say('Draining')).waitFor();
  }

  async seesDrained(offer: Offer): Promise<void> {
    const route = await this.#openRoute(offer);
    await route.getByText(this.#say('Drained')).waitFor();
  }

  /**
   * Returns the bill of a request, in nano-units, as the console recalculates it on the request's
   * page.
   */
  async billOf(id: string): Promise<bigint> {
    const [page, say] = [this.#page, this.#say];
    await goTo(page, `/console/requests?id=${id}`);
    const sheet = page.getByRole('dialog', { name: say('Request') });
    const proof = say('Recalculated in your browser. Matches the ledger exactly.');
    await sheet.getByText(proof).waitFor();
    return (await billIn(sheet.getByRole('table', { name: say('Receipt') }))).due;
  }

  /** Returns the available USD of the only account, in nano-units. */
  async available(): Promise<bigint> {
    const accounts: unknown = await (await this.#page.request.get('/admin/v1/accounts')).json();
    const wallets = listAt(accounts, 'data.0.wallets');
    return nanoOf(
      String(
        at(
          wallets.find((each) => at(each, 'currency') === 'USD'),
          'available',
        ),
      ),
    );
  }

  #press(button: string, place: Page | Locator = this.#page): Promise<void> {
    return place.getByRole('button', { name: this.#say(button) }).click();
  }

  async #openHistory({ model, channel }: Place): Promise<void> {
    await goTo(this.#page, '/console/admin/cards');
    const name = new RegExp(`${model}\\b.*\\b${channel}\\b`);
    await this.#page.getByRole('button', { name }).click();
  }

  async #savePrice(dialog: Locator): Promise<void> {
    await this.#press('Save {{count}} price', dialog);
    await dialog.waitFor({ state: 'detached' });
  }

  async #openRoute({ model, there }: Offer): Promise<Locator> {
    await goTo(this.#page, `/console/admin/routes?find=${model}`);
    return this.#page.getByRole('row').filter({ hasText: there });
  }
}
