/** Measures the longest task on the page's main thread during each step of a person's work. */
import type { Page } from 'playwright-core';
import type { Installation } from '../../test/browser/support/installation.ts';
import { goTo, settled } from '../../test/browser/support/settled.ts';
import { median } from './measure-page.ts';

export type MeasuredStep = {
  readonly name: string;
  /** Performs the step, starting where the previous step ended. */
  readonly act: (page: Page) => Promise<void>;
};

const ranged = (days: string) => async (page: Page) => {
  await page.getByText(`${days} d`, { exact: true }).click();
  await page.waitForURL(new RegExp(`range=${days}d`));
};
const chosen = (label: string, option: string) => async (page: Page) => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
};

export const MEASURED_STEPS: readonly MeasuredStep[] = [
  { name: 'open the overview', act: (page) => goTo(page, '/console') },
  { name: 'open the usage', act: (page) => goTo(page, '/console/usage') },
  { name: 'usage of 30 days', act: ranged('30') },
  { name: 'usage of 90 days', act: ranged('90') },
  { name: 'open the requests', act: (page) => goTo(page, '/console/requests?range=90d') },
  { name: 'filter the requests by model', act: chosen('Model', 'gen-v4-pro') },
  {
    name: 'open a request',
    act: async (page) => {
      await page.getByRole('row').nth(2).getByRole('link').first().click();
      await page.getByRole('table', { name: 'Receipt' }).waitFor();
    },
  },
  { name: 'open 1,000 keys', act: (page) => goTo(page, '/console/keys') },
  {
    name: 'type a filter of 1,000 keys',
    act: async (page) => {
      await page.locator('main input').first().click();
      await page.keyboard.type('shop 77', { delay: 60 });
      await page.getByRole('row').filter({ hasText: 'Workshop 77' }).first().waitFor();
    },
  },
  {
    name: 'open the palette and search',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('workshop', { delay: 60 });
    },
  },
];

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The CPU time of the event in microseconds. The load of other processes does not change it. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

/** The CPU time of the longest task of each step, in milliseconds. */
export type StepFigures = Readonly<Record<string, number>>;

/** Measures the longest task of each step in the given number of runs, and returns the medians. */
export async function measureSteps(installation: Installation, runs: number): Promise<StepFigures> {
  const seen: Record<string, number[]> = {};
  for (let run = 0; run < runs; run++) {
    await using visit = await installation.visit();
    const { page } = visit;
    await goTo(page, '/console/profile');
    for (const { name, act } of MEASURED_STEPS) {
      await installation.browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
      await act(page);
      await settled(page);
      const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
        (await installation.browser.stopTracing()).toString(),
      );
      seen[name] = [...(seen[name] ?? []), longestOf(trace.traceEvents)];
    }
  }
  return Object.fromEntries(Object.entries(seen).map(([name, times]) => [name, median(times)]));
}

/** Returns the CPU time of the longest task on the main threads of pages, in milliseconds. */
function longestOf(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = events.filter(
    (event) => event.name.endsWith('RunTask') && mains.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks of the page');
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)));
}
