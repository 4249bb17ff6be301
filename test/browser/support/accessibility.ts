/** For tests: accessibility violations that axe-core finds, with their location. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG up to 2.2, levels A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose result depends on colors, and so on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the violations of all rules on the page. Empty: no violations. */
export const violationsOf = (page: Page): Promise<readonly string[]> =>
  violations(page, { runOnly: { type: 'tag', values: RULES } });

/** Returns the violations of the rules that depend on the color scheme. Empty: no violations. */
export const colorViolationsOf = (page: Page): Promise<readonly string[]> =>
  violations(page, { runOnly: { type: 'rule', values: COLOR_RULES } });

/** Returns the violations of all other rules. Empty: no violations. */
export const colorlessViolationsOf = (page: Page): Promise<readonly string[]> =>
  violations(page, {
    runOnly: { type: 'tag', values: RULES },
    rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])),
  });

async function violations(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async (rules) => {
    const { axe: checker } = Object(window);
    return await checker.run('body', { ...rules, resultTypes: ['violations'] });
  }, options);
  return violations.flatMap(({ id, nodes }: axe.Result) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n  ${failureSummary}`),
  );
}
