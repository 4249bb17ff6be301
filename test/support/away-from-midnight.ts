/** For tests: keeps the moments of a test within one day. */

const DAY_MS = 86_400_000;
/** The time that a test has for the moments that must be of one day. */
const ENOUGH_MS = 60_000;

/** Waits until midnight (UTC) has passed if it is less than a minute away. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < ENOUGH_MS) await Bun.sleep(leftMs);
}
