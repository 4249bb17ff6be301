/**
 * Detects whether a person is using the page. Background requests must not extend the session while
 * nobody is there; otherwise an open console would never sign out.
 */

/** After this time without input, the person counts as away. It is long enough to read a page. */
const AWAY_MS = 120_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let lastSignMs = performance.now();
for (const sign of SIGNS) {
  globalThis.addEventListener?.(
    sign,
    () => {
      lastSignMs = performance.now();
    },
    { passive: true, capture: true },
  );
}

/**
 * Returns the header that marks a request as unattended; no header while somebody uses the page.
 * @param nowMs the current time in milliseconds on the page's own clock.
 */
export const attendance = (nowMs = performance.now()): Readonly<Record<string, string>> =>
  nowMs - lastSignMs > AWAY_MS ? { 'x-unattended': '1' } : {};
