/**
 * Tracks whether the gateway can be reached, and whether it serves a newer console than this page.
 * If it is unreachable or serves a newer console, every page shows a banner and keeps the data that
 * it has loaded.
 */
import { useSyncExternalStore } from 'react';

export type Connection = 'connected' | 'lost' | 'outdated';

/** The pause between two attempts to reach the gateway again. */
const PROBE_PAUSE_MS = 3_000;
/** The minimum time between two checks for a newer console. */
const CHECK_PAUSE_MS = 60_000;

let connection: Connection = 'connected';
let isProbing = false;
let checkedAtMs = performance.now();
const listeners = new Set<(now: Connection, before: Connection) => void>();

/** Calls `listener` after each change. Returns a function that removes the listener. */
export function onConnection(listener: (now: Connection, before: Connection) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnection = (): Connection => useSyncExternalStore(onConnection, () => connection);

function become(next: Connection): void {
  const before = connection;
  if (before === next) return;
  connection = next;
  for (const listener of listeners) listener(next, before);
}

/** Calls `fetch`. If the gateway cannot be reached, `probe` polls it until it answers. */
export async function fetchNoting(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...request);
  } catch (thrown) {
    const isAborted = thrown instanceof DOMException && thrown.name === 'AbortError';
    if (!isAborted) void probe();
    throw thrown;
  }
}

/** Reports that a file of this page is missing: the gateway has a newer console, or is down. */
export const noteMissingFile = (): void => void probe();

/** Tries to reach the gateway until it answers, then checks whether it serves a newer console. */
async function probe(): Promise<void> {
  if (isProbing) return;
  isProbing = true;
  try {
    for (;;) {
      const page = await currentPage();
      if (page !== null) {
        become(isOwn(page) ? 'connected' : 'outdated');
        return;
      }
      become('lost');
      await pause();
    }
  } finally {
    isProbing = false;
  }
}

/** Returns the HTML of the page that the gateway serves now, or null when it does not answer. */
async function currentPage(): Promise<string | null> {
  checkedAtMs = performance.now();
  try {
    const response = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' });
    // An error status comes from a proxy while the gateway is down.
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/**
 * Whether a page loads the same scripts as this one. The scripts of a newer console have other
 * names, because a name contains a hash of the content.
 */
const isOwn = (page: string): boolean =>
  [...document.querySelectorAll('script[type="module"][src]')].every((script) =>
    page.includes(`"${script.getAttribute('src')}"`),
  );

/** Waits until `PROBE_PAUSE_MS` have passed or the browser reports that it is online again. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, PROBE_PAUSE_MS);
    globalThis.addEventListener('online', done);
  });

/**
 * Checks for a newer console when a person returns to the page. Checks the gateway as soon as the
 * browser reports that the network is lost.
 */
export function watchConnection(): void {
  globalThis.addEventListener('offline', () => void probe());
  document.addEventListener('visibilitychange', () => {
    const isDue = performance.now() - checkedAtMs > CHECK_PAUSE_MS;
    if (document.visibilityState === 'visible' && isDue) void probe();
  });
}
