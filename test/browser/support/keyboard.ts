/** For tests: a person who has no mouse. */
import type { Locator, Page } from 'playwright-core';

/** More than any page has to press through. */
const MAX_PRESSES = 150;

/**
 * Presses Tab until the element has the focus.
 *
 * @throws Error when it never gets it, or when it has and nothing shows it.
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

/** Reaches a button or a link, and presses it. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Reaches a field, and types into it in place of what is there. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** A change of look, of the element itself, of what it stands in for, or of the frame around it. */
const showsFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const look = (node: Element): string => {
      const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(node);
      return [outlineStyle, outlineWidth, borderColor, boxShadow].join();
    };
    const shown: Element[] = [element];
    if (element.nextElementSibling !== null) shown.push(element.nextElementSibling);
    // As far up as the form that a field is the whole of.
    for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
      shown.push(frame);
      if (frame.tagName === 'FORM' || frame.tagName === 'MAIN') break;
    }
    if (!(element instanceof HTMLElement)) return true;
    // In the midst of a transition both would still look alike.
    for (const node of shown) if (node instanceof HTMLElement) node.style.transition = 'none';
    const focused = shown.map(look);
    element.blur();
    const resting = shown.map(look);
    element.focus();
    return focused.some((now, at) => now !== resting[at]);
  });
