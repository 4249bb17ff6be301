/**
 * For tests: a browser window that shows the console. A test that runs in `during` fails on any
 * problem that it does not expect: a console error, a script error, a policy violation, a request
 * to another site, or an unexpected response.
 */
import type {
  Browser,
  BrowserContext,
  ConsoleMessage,
  Page,
  Request,
  Response,
} from 'playwright-core';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];
export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The widths of a phone, a tablet and a desktop. */
export const WIDTHS = [375, 768, 1440] as const;
const DESK = { width: 1440, height: 900 };
/** The time limit for expected content. It is long, because the machine may be busy. */
const WAIT_LIMIT_MS = 60_000;

export type VisitOptions = {
  readonly language?: Language;
  readonly scheme?: Scheme;
  /** The browser's language with its region. Default: China or the United States, by language. */
  readonly locale?: string;
  /** The browser's time zone. Default: UTC. */
  readonly timeZone?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether the browser must start with an empty cache. Default: false. */
  readonly isNew?: boolean;
  /** Cookies and storage from another visit's `context.storageState()`. */
  readonly signedInAs?: Awaited<ReturnType<BrowserContext['storageState']>>;
};

export type Visit = {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Allows error responses that match the pattern, such as `401 POST /console/api/sign-in`, because
   * the test provokes them.
   */
  readonly expectRefusal: (pattern: RegExp) => void;
  /** Allows the problems for which `isExpected` returns true, because the test provokes them. */
  readonly forget: (isExpected: (problem: string) => boolean) => void;
  /** Returns the problems that have occurred so far. */
  readonly problems: () => readonly string[];
  /** Ends the visit. Closes the window, or keeps it open for a later visit. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Runs `act` on a visit, and then ends the visit.
 * @throws Error with all problems, and the error of `act` as its cause.
 */
export async function during(
  opening: Promise<Visit>,
  act: (page: Page, visit: Visit) => Promise<void>,
): Promise<void> {
  await using visit = await opening;
  const failure = await act(visit.page, visit).then(
    () => null,
    (thrown: unknown) => ({ thrown }),
  );
  const problems = visit.problems();
  if (problems.length > 0) {
    const cause = failure?.thrown;
    throw new Error(`the visit was not clean: ${problems.join('; ')}`, { cause });
  }
  if (failure !== null) throw failure.thrown;
}

/**
 * Matches the line that the browser logs for an error response. The line is ignored, because
 * `refusals` records the response itself.
 */
const TOLD_BY_STATUS = /^Failed to load resource: the server responded with a status of/;

type Window = { readonly context: BrowserContext; readonly page: Page };

/**
 * The open windows of ended visits, which later visits reuse. For each browser, they are grouped by
 * origin and preferences. A new window starts a process that compiles the console again, which
 * takes half of the time of a short test.
 */
const idle = new WeakMap<Browser, Map<string, Window[]>>();
const NO_STATE = { cookies: [], origins: [] };
/**
 * The path of a plain-text file of the gateway. A window that shows this file can access the
 * browser storage of the console's origin, but runs no script of the console.
 */
const PLAIN = '/robots.txt';

function idleWindows(browser: Browser, key: string): Window[] {
  const windows = idle.get(browser) ?? new Map<string, Window[]>();
  idle.set(browser, windows);
  const those = windows.get(key) ?? [];
  windows.set(key, those);
  return those;
}

/** Closes the idle windows of an origin. Called when its gateway stops. */
export async function closeWindows(browser: Browser, origin: string): Promise<void> {
  const windows = idle.get(browser) ?? new Map<string, Window[]>();
  const keys = windows.keys().filter((key) => key.startsWith(`${origin} `));
  const closed = [...keys].flatMap((key) => windows.get(key)?.splice(0) ?? []);
  await Promise.all(closed.map(({ context }) => context.close()));
}

/**
 * Resets a window to the state of a new one, except for its cache. Playwright's `setStorageState`
 * would also clear the cache, so that the console would have to be loaded and compiled again.
 */
async function reset({ context, page }: Window, options: VisitOptions): Promise<void> {
  const { cookies, origins } = options.signedInAs ?? NO_STATE;
  await context.clearCookies();
  await context.addCookies(cookies);
  // The page shows `PLAIN`, so this code can access the storage of the gateway's origin.
  await page.evaluate(
    async (items) => {
      for (const { name = '' } of await indexedDB.databases()) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const deleted = indexedDB.deleteDatabase(name);
        deleted.onsuccess = () => resolve();
        deleted.onerror = () => reject(deleted.error);
        await promise;
      }
      sessionStorage.clear();
      localStorage.clear();
      for (const { name, value } of items) localStorage.setItem(name, value);
    },
    origins.flatMap(({ localStorage }) => localStorage),
  );
  const { scheme = 'light', viewport = DESK } = options;
  await page.emulateMedia({ media: null, colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ ...viewport });
}

/** Ends a visit: removes its listeners, routes, extra pages and permissions. */
async function clear({ context, page }: Window): Promise<void> {
  for (const event of ['console', 'weberror', 'request', 'response']) {
    context.removeAllListeners(event);
    page.removeAllListeners(event);
  }
  await Promise.all(context.pages().flatMap((each) => (each === page ? [] : [each.close()])));
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false)]);
  await context.clearPermissions();
  // Leaves the console, because it would otherwise continue to send requests.
  await page.goto(PLAIN);
}

/**
 * Opens a browser window on the console.
 * @param origin the gateway's origin, to which relative URLs refer. A request to another origin is
 *   a problem.
 */
export async function openVisit(
  browser: Browser,
  origin: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const { language = 'en', scheme = 'light', viewport = DESK, isNew = false } = options;
  const { locale = language === 'zh' ? 'zh-CN' : 'en-US', timeZone = 'UTC' } = options;
  const windows = idleWindows(browser, [origin, locale, timeZone, scheme].join(' '));
  const open = async (): Promise<Window> => {
    const context = await browser.newContext({
      baseURL: origin,
      locale,
      timezoneId: timeZone,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      viewport: { ...viewport },
      storageState: options.signedInAs ?? NO_STATE,
    });
    return { context, page: await context.newPage() };
  };
  const known = isNew ? undefined : windows.pop();
  if (known !== undefined) await reset(known, options);
  const window = known ?? (await open());
  const { context, page } = window;
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  const faults: string[] = [];
  const refusals: string[] = [];
  const expected: RegExp[] = [];
  let isForgotten = (_problem: string): boolean => false;
  watch(context, origin, faults, refusals);
  const problems = (): readonly string[] => [
    ...faults.filter((fault) => !isForgotten(fault)),
    ...refusals.filter((refusal) => !expected.some((pattern) => pattern.test(refusal))),
  ];
  return {
    context,
    page,
    expectRefusal: (pattern) => void expected.push(pattern),
    forget: (isExpected) => {
      isForgotten = isExpected;
    },
    problems,
    [Symbol.asyncDispose]: async () => {
      if (isNew || page.isClosed()) return await context.close();
      // If the test has stopped the gateway, `clear` fails, so the window is closed.
      await clear(window).then(
        () => windows.push(window),
        () => context.close(),
      );
    },
  };
}

function watch(
  context: BrowserContext,
  origin: string,
  faults: string[],
  refusals: string[],
): void {
  context.on('console', (message: ConsoleMessage) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !TOLD_BY_STATUS.test(message.text())) {
      faults.push(`in the log of ${message.page()?.url()}: ${message.text()}`);
    }
  });
  context.on('weberror', (fault) => faults.push(`a fault of a script: ${fault.error().stack}`));
  context.on('request', (request: Request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith('http') && target !== origin) {
      faults.push(`a request to another site: ${request.url()}`);
    }
  });
  context.on('response', (response: Response) => {
    if (response.status() < 400) return;
    const { pathname } = new URL(response.url());
    refusals.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
}
