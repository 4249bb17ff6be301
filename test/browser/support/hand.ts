/** For tests: operates the page with the mouse, or with only the keyboard. */
import type { Locator, Page } from 'playwright-core';
import { pressOn, typeInto } from './keyboard.ts';

export type Hand = {
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (field: Locator, text: string) => Promise<void>;
};

export const mouse: Hand = {
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
};

export const keyboardOf = (page: Page): Hand => ({
  press: (target) => pressOn(page, target),
  write: (field, text) => typeInto(page, field, text),
});
