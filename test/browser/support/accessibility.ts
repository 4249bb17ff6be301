/** For tests: what axe-core finds wrong with a page, each with where it is. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The levels A and AA of WCAG up to 2.2, and what is good practice besides. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Of the part of the page within `root`, or of all of it. Empty: nothing was found. */
export async function violationsOf(page: Page, root = 'body'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async ([selector, rules]) => {
      const { axe: checker } = Object(window);
      return await checker.run(selector, {
        runOnly: { type: 'tag', values: rules },
        resultTypes: ['violations'],
      });
    },
    [root, RULES] as const,
  );
  return violations.flatMap(({ id, nodes }: axe.Result) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n  ${failureSummary}`),
  );
}
