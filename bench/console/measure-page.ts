/** Measures one page of the console in a browser as slow as a phone. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Installation } from '../../test/browser/support/installation.ts';
import { settled } from '../../test/browser/support/settled.ts';

/** Chrome's "Fast 3G": 90 % of 1.6 Mbit/s down and 750 kbit/s up, and 3.75 times 150 ms latency. */
const FAST_3G = {
  offline: false,
  downloadThroughput: (1_600_000 / 8) * 0.9,
  uploadThroughput: (750_000 / 8) * 0.9,
  latency: 562.5,
} as const;
const CPU_SLOWDOWN = 4;
const PHONE = { width: 375, height: 812 } as const;
/** The time limit of a page: long, because the connection is slow and the machine may be busy. */
const LIMIT_MS = 90_000;

export type MeasuredPage = {
  readonly path: string;
  readonly isPublic?: true;
  /** Performs the one interaction whose delay is measured. */
  readonly interact: (page: Page) => Promise<void>;
};

const typeInto = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click();
  await page.keyboard.type('a');
};
const openProfileMenu = async (page: Page) => {
  await page.locator('header button[aria-haspopup="menu"]').last().click();
};

export const MEASURED_PAGES: Readonly<Record<string, MeasuredPage>> = {
  'sign-in': { path: '/console/sign-in', isPublic: true, interact: typeInto('main input') },
  overview: { path: '/console', interact: openProfileMenu },
  requests: { path: '/console/requests', interact: openProfileMenu },
  models: { path: '/console/models', isPublic: true, interact: typeInto('main input') },
  playground: { path: '/console/playground', interact: typeInto('main textarea') },
};

/** Times are medians in milliseconds. Bytes and requests are counted for a first visit. */
export type PageFigures = {
  readonly fcpMs: number;
  readonly lcpMs: number;
  readonly inpMs: number;
  readonly cls: number;
  /**
   * The CPU time of the page's process, measured without throttling. The load of other processes
   * does not change it.
   */
  readonly cpuMs: number;
  readonly bytes: number;
  readonly requests: number;
};

/**
 * Each run visits the page twice with an empty cache: once throttled, to measure times, and once
 * unthrottled, to measure CPU.
 */
export async function measurePage(
  installation: Installation,
  page: MeasuredPage,
  runs: number,
): Promise<PageFigures> {
  const slow: SlowVisit[] = [];
  const cpuMs: number[] = [];
  for (let run = 0; run < runs; run++) {
    slow.push(await onVisit(installation, page, (shown, cdp) => slowVisit(shown, cdp, page)));
    cpuMs.push(await onVisit(installation, page, (shown) => cpuOf(installation, shown, page)));
  }
  const medianOf = (figure: keyof SlowVisit) => median(slow.map((visit) => visit[figure]));
  return {
    fcpMs: Math.round(medianOf('fcpMs')),
    lcpMs: Math.round(medianOf('lcpMs')),
    inpMs: Math.round(medianOf('inpMs')),
    cls: Number(medianOf('cls').toFixed(3)),
    cpuMs: Math.round(median(cpuMs)),
    bytes: medianOf('bytes'),
    requests: medianOf('requests'),
  };
}

async function onVisit<Result>(
  installation: Installation,
  { isPublic }: MeasuredPage,
  measure: (page: Page, cdp: CDPSession) => Promise<Result>,
): Promise<Result> {
  const open = isPublic ? installation.visitAsStranger : installation.visit;
  // Opens a new browser window, because a reused one would keep the cache and the throttling of its
  // last visit.
  await using visit = await open({ viewport: PHONE, isNew: true });
  visit.page.setDefaultTimeout(LIMIT_MS);
  return await measure(visit.page, await newSession(visit.context, visit.page));
}

const newSession = (context: BrowserContext, page: Page): Promise<CDPSession> =>
  context.newCDPSession(page);

type SlowVisit = Omit<PageFigures, 'cpuMs'>;

async function slowVisit(page: Page, cdp: CDPSession, measured: MeasuredPage): Promise<SlowVisit> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', FAST_3G);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  let bytes = 0;
  let requests = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.addInitScript(observePaints);
  await page.goto(measured.path);
  await settled(page);
  const loaded = { bytes, requests };
  await measured.interact(page);
  return { ...loaded, ...(await page.evaluate(observedPaints)) };
}

type Observed = { lcpMs: number; cls: number; inpMs: number };
declare global {
  var phoneFigures: Observed | undefined;
}

/**
 * Records paints, layout shifts and the delay of the interaction. Runs in the page before the
 * page's own scripts.
 */
function observePaints(): void {
  const seen: Observed = { lcpMs: 0, cls: 0, inpMs: 0 };
  globalThis.phoneFigures = seen;
  const on = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      ...{ type, buffered: true },
      ...(type === 'event' ? { durationThreshold: 16 } : {}),
    });
  on('largest-contentful-paint', ({ startTime }) => {
    seen.lcpMs = startTime;
  });
  on('layout-shift', (entry) => {
    const shift: { value?: number; hadRecentInput?: boolean } = entry.toJSON();
    if (shift.hadRecentInput !== true) seen.cls += shift.value ?? 0;
  });
  on('event', (entry) => {
    const { interactionId = 0 }: { interactionId?: number } = entry.toJSON();
    if (interactionId > 0) seen.inpMs = Math.max(seen.inpMs, entry.duration);
  });
}

/**
 * Returns what `observePaints` recorded, and the time of the first paint. Runs in the page. Waits
 * for the performance entry of the interaction, which arrives after the next paint.
 */
async function observedPaints(): Promise<Observed & { fcpMs: number }> {
  const until = performance.now() + 10_000;
  while (globalThis.phoneFigures?.inpMs === 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const seen = globalThis.phoneFigures ?? { lcpMs: 0, cls: 0, inpMs: 0 };
  return { ...seen, fcpMs: paint?.startTime ?? 0 };
}

/** Returns the CPU time of all page processes during one visit, in milliseconds. */
async function cpuOf(
  { browser }: Installation,
  page: Page,
  measured: MeasuredPage,
): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  const used = async (): Promise<number> => {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    return processInfo
      .filter(({ type }) => type === 'renderer')
      .reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  const before = await used();
  await page.goto(measured.path);
  await settled(page);
  const after = await used();
  await cdp.detach();
  return after - before;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
