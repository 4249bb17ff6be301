/** For tests: operates the page with only the keyboard. */
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** The maximum number of times that Tab is pressed: more than any page needs. */
const MAX_PRESSES = 150;

/**
 * Presses Tab until the element has the focus.
 * @throws Error when the element never gets the focus, or when its focus is not visible.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses <= MAX_PRESSES; presses += 1) {
    if (await hasFocus(target)) {
      if (!(await showsFocus(target))) throw new Error(`nothing shows the focus on ${target}`);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} was not reached with ${MAX_PRESSES} presses of Tab`);
}

/** Moves the focus to a button or link and presses it. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Moves the focus to a field and replaces its text. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Waits until the element has the focus. The focus may move shortly after the page changes. */
export async function waitForFocus(target: Locator): Promise<void> {
  await eventually(
    `the focus on ${target}`,
    () => hasFocus(target),
    (has) => has,
  );
}

/**
 * Returns whether a person can see that the element has the focus. The focus must change the look
 * of the element, of its next sibling (which may replace a hidden input) or of a surrounding
 * element.
 */
const showsFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const look = (node: Element): string => {
      const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(node);
      return [outlineStyle, outlineWidth, borderColor, boxShadow].join();
    };
    const shown: Element[] = [element];
    if (element.nextElementSibling !== null) shown.push(element.nextElementSibling);
    // Checks the surrounding elements up to the form or the main element.
    for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
      shown.push(frame);
      if (frame.tagName === 'FORM' || frame.tagName === 'MAIN') break;
    }
    if (!(element instanceof HTMLElement)) return true;
    // Disables transitions, because while a transition runs, an element with the focus may still
    // look like an element without it.
    for (const node of shown) if (node instanceof HTMLElement) node.style.transition = 'none';
    const focused = shown.map(look);
    element.blur();
    const resting = shown.map(look);
    element.focus();
    return focused.some((now, at) => now !== resting[at]);
  });
