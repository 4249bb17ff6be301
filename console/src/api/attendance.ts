/**
 * Whether somebody is at the page. What it asks by itself while nobody is must not keep the session alive, or a
 * console that was left open would never sign anybody out.
 */

/** Reading takes a while without a key or a touch. */
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

/** The headers that tell the gateway of it. @param nowMs of the page's own clock. */
export const attendance = (nowMs = performance.now()): Readonly<Record<string, string>> =>
  nowMs - lastSignMs > AWAY_MS ? { 'x-unattended': '1' } : {};
