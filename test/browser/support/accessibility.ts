/** For tests: finds accessibility violations with axe-core, and where they are on the page. */
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The minified code of axe-core. It is sent to each page and parsed there, so it should be small.
 * Non-ASCII letters are escaped, because even one of them would make each letter of the code take
 * two bytes.
 */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8').replaceAll(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** The tags of the checked rules: WCAG up to 2.2, levels A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose result depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the violations of all rules in an element of the page; empty without violations. */
export const violationsOf = (page: Page, selector = 'body'): Promise<readonly string[]> =>
  violations(page, { runOnly: { type: 'tag', values: RULES } }, selector);

/**
 * Returns the violations of the rules that depend on the color scheme; empty without violations.
 */
export const colorViolationsOf = (page: Page, selector = 'body'): Promise<readonly string[]> =>
  violations(page, { runOnly: { type: 'rule', values: COLOR_RULES } }, selector);

async function violations(
  page: Page,
  options: axe.RunOptions,
  selector: string,
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    async ([rules, within]) => {
      const { axe: checker } = Object(window);
      // Omits selectors, elements and the contents of style sheets, which take time and are not
      // used.
      const unused = { selectors: false, elementRef: false, preload: false };
      return await checker.run(within, { ...rules, ...unused, resultTypes: ['violations'] });
    },
    [options, selector] as const,
  );
  return violations.flatMap(({ id, nodes }: axe.Result) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n  ${failureSummary}`),
  );
}
