/**
 * Detects whether a person is using the page. Background requests must not extend the session while
 * nobody is there; otherwise an open console would never sign out.
 */

/** People read for a while without touching a key. */
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
 * The headers that report activity to the gateway.
 * @param nowMs from the page's own clock.
 */
export const attendance = (nowMs = performance.now()): Readonly<Record<string, string>> =>
  nowMs - lastSignMs > AWAY_MS ? { 'x-unattended': '1' } : {};
